//! The machine of the VM takes the values from its stack that the table lists, and leaves those that it lists.

use splc_ir::catalog::{Catalog, Feature};
use splc_ir::program::{
    Case, Coordinate, Gives, LightCode, Named, Op, Opcode, Operand, Parameter, Program, Role, Takes,
};
use splc_ir::source::Span;
use splc_ir::value::{SpeciesName, ValueType};
use splc_vm::{Complaint, Fault, Flow, Machine, Observer, Prepared, Settings, Shown, SplitMix, StepKind, View};

use splc_tests::SCRIPTS;

/// A value below the operands of an opcode.
const BELOW: &str = "below";

/// An operand, with its number if the table fixes it.
#[derive(Clone, Debug)]
struct Given {
    parameter: Parameter,
    number: Option<i64>,
    /// Set if it belongs to a part of a monster or object: the games check its type only in some cases.
    of_part: bool,
}

/// The operands of one form of an opcode. The types of its results may depend on the form.
type Form = Vec<Given>;

/// Returns every form of a list of operands.
fn forms(takes: &[Takes], catalog: &Catalog) -> Vec<Form> {
    let mut all: Vec<Form> = vec![Vec::new()];
    for take in takes {
        let mut next = Vec::new();
        for form in all {
            for more in step_forms(*take, &form, catalog) {
                next.push([form.clone(), more].concat());
            }
        }
        all = next;
    }
    all
}

fn one(name: &'static str, role: Role, number: Option<i64>) -> Given {
    Given { parameter: Parameter { name, role }, number, of_part: false }
}

fn step_forms(take: Takes, before: &Form, catalog: &Catalog) -> Vec<Form> {
    match take {
        Takes::One(parameter) => {
            if parameter.role == Role::CoreFunction {
                let functions = catalog.core_functions.iter().map(|known| known.number);
                let numbers = functions.chain(catalog.methods.iter().map(|known| known.number));
                return numbers.map(|number| vec![one(parameter.name, parameter.role, Some(number.into()))]).collect();
            }
            vec![vec![Given { parameter, number: None, of_part: false }]]
        }
        Takes::Repeat(inner) => {
            // Often enough to be noticed.
            let once = forms(inner, catalog);
            once.iter().map(|form| [form.clone(), form.clone()].concat()).collect()
        }
        Takes::Choice { below, cases } => {
            let number = |case: &Case| match *case {
                Case::Below(limit) => limit - 1,
                Case::Is(number) => number,
                Case::Style(style) => Named::InitStyle(style.into()).number(catalog).unwrap_or(0),
                Case::Type(of) => catalog.value_type(of.as_str()).unwrap(),
                Case::Otherwise if cases.iter().any(|(case, _)| matches!(case, Case::Style(_))) => 0,
                Case::Otherwise => 2,
            };
            let mut all = Vec::new();
            for (case, inner) in cases {
                for mut form in forms(inner, catalog) {
                    form[below].number = Some(number(case));
                    if *case == Case::Type(ValueType::Integer) || *case == Case::Type(ValueType::Coordinate) {
                        let to = if *case == Case::Type(ValueType::Integer) { "coordinate" } else { "int" };
                        form[1].number = catalog.value_type(to);
                    }
                    all.push(form);
                }
            }
            all
        }
        Takes::ByGame(feature, with, without) => forms(if catalog.has(feature) { with } else { without }, catalog),
        Takes::Parts(parts) => {
            let mut form = Vec::new();
            for (part, details) in parts.details {
                let name = part.to_string().into();
                let named =
                    if parts.role == Role::MonsterPart { Named::MonsterPart(name) } else { Named::ObjectPart(name) };
                form.push(one("part", parts.role, Some(named.number(catalog).unwrap())));
                for mut detail in forms(details, catalog).remove(0) {
                    detail.of_part = true;
                    form.push(detail);
                }
            }
            vec![form]
        }
        Takes::Arguments => {
            let number = before.last().unwrap().number.unwrap();
            let function = catalog.core_functions.iter().find(|known| i64::from(known.number) == number);
            let argument = |role| one("argument", role, None);
            vec![match function {
                Some(function) => {
                    let letters = function.parameters.chars().rev();
                    letters.map(|letter| argument(role_of(ValueType::of_letter(letter).unwrap()))).collect()
                }
                None => {
                    let method = catalog.methods.iter().find(|known| i64::from(known.number) == number).unwrap();
                    vec![argument(if method.array { Role::Variable } else { Role::Place })]
                }
            }]
        }
    }
}

fn role_of(value_type: ValueType) -> Role {
    match value_type {
        ValueType::Integer => Role::Number,
        ValueType::String => Role::Text,
        ValueType::Coordinate => Role::Place,
        ValueType::Region => Role::Region,
        ValueType::MapCharacter => Role::MapCharacter,
        ValueType::Monster => Role::Monster,
        ValueType::Object => Role::Object,
        other => panic!("no function takes {}", other.describe()),
    }
}

fn op(code: Opcode) -> Op {
    Op { code, operand: None, span: Span::default() }
}

fn push(operand: Operand) -> Vec<Op> {
    vec![Op { code: Opcode::Push, operand: Some(operand), span: Span::default() }]
}

/// Returns code that pushes a value of a type, valid in every game.
fn value(value_type: ValueType) -> Vec<Op> {
    match value_type {
        ValueType::Integer => push(Operand::Integer(1)),
        ValueType::String => push(Operand::String(Some("text".into()))),
        ValueType::Variable => push(Operand::Variable("list".into())),
        ValueType::Coordinate => push(Operand::Coordinate(Coordinate::At { x: 7, y: 7 })),
        ValueType::Region => push(Operand::Region([5, 5, 9, 9])),
        ValueType::MapCharacter => push(Operand::MapCharacter { symbol: '.', light: LightCode::Lit }),
        ValueType::Monster => push(Operand::Monster(SpeciesName::Name("gnome".into()))),
        ValueType::Object => push(Operand::Object(SpeciesName::Name("dagger".into()))),
        ValueType::Selection => [value(ValueType::Region), vec![op(Opcode::SelFillRect)]].concat(),
        ValueType::Null => push(Operand::Raw(ValueType::Null, 0)),
    }
}

/// Returns code that pushes the operand.
fn code(given: &Given, catalog: &Catalog) -> Vec<Op> {
    let role = given.parameter.role;
    match given.number {
        Some(number) => push(Operand::Integer(number)),
        None => match role {
            Role::Count => push(Operand::Integer(2)),
            Role::VariableName if given.parameter.name == "source" => push(Operand::String(Some("list".into()))),
            Role::VariableName => push(Operand::String(Some("fresh".into()))),
            Role::Rows => push(Operand::String(Some("\u{1}".into()))),
            Role::TypeOfValues => push(Operand::Integer(catalog.value_type("int").unwrap())),
            _ => value(role.value_type().unwrap_or(ValueType::Integer)),
        },
    }
}

/// An observer of a run up to the opcode after the tested one.
#[derive(Default)]
struct Watch {
    stop: usize,
    complaints: Vec<Complaint>,
    stack: Option<Vec<Shown>>,
}

impl Observer for Watch {
    fn complaint(&mut self, complaint: Complaint) {
        self.complaints.push(complaint);
    }

    fn step(&mut self, view: &View<'_>) -> Flow {
        if view.at() != self.stop {
            return Flow::Continue;
        }
        assert_eq!(view.step(), Some(StepKind::Opcode(Opcode::Null)));
        self.stack = Some(view.stack());
        Flow::Stop
    }
}

/// Runs an opcode after the code `taken`. Returns the observed complaints and stack, and the fault if the machine gave
/// up.
fn run(opcode: Opcode, taken: Vec<Op>, catalog: &'static Catalog) -> (Watch, Option<Fault>) {
    let mut ops = Vec::new();
    // Floor everywhere, and a variable.
    let style = Named::InitStyle("solidfill".into());
    ops.extend(push(Operand::Named(style)));
    ops.extend(push(Operand::Named(Named::Terrain(Some('.')))));
    (0..6).for_each(|_| ops.extend(push(Operand::Integer(0))));
    ops.push(op(Opcode::InitLevel));
    ops.extend([value(ValueType::Integer), value(ValueType::Integer), push(Operand::Integer(2))].concat());
    ops.extend(push(Operand::String(Some("list".into()))));
    ops.push(op(Opcode::VarInit));
    ops.extend(push(Operand::String(Some(BELOW.into()))));
    ops.extend(taken);
    ops.push(op(opcode));
    if matches!(opcode, Opcode::Room | Opcode::Subroom | Opcode::Region) {
        ops.push(op(Opcode::EndRoom));
    }
    let mut watch = Watch { stop: ops.len(), ..Watch::default() };
    ops.push(op(Opcode::Null));
    let program = Program { ops, ..Program::default() };
    let prepared = Prepared::new(&program, catalog).unwrap();
    let settings = Settings { fuel: 10_000, draws: 1_000_000, ..Settings::default() };
    let end = Machine::new().run(&prepared, &settings, &mut SplitMix::new(1), &mut watch).map(|_| ());
    let fault = end.err().map(|error| error.fault).filter(|fault| *fault != Fault::Stopped);
    (watch, fault)
}

/// Returns the types of the results of an opcode.
fn left(opcode: Opcode, form: &Form, catalog: &Catalog) -> Vec<ValueType> {
    let mut types = Vec::new();
    for gives in opcode.signature().gives {
        match gives {
            Gives::Value(value_type) => types.push(*value_type),
            Gives::Taken | Gives::Sum => types.push(ValueType::Integer),
            Gives::Converted => match form[2].parameter.role {
                Role::Place => types.extend([ValueType::Integer; 2]),
                _ => types.push(ValueType::Coordinate),
            },
            Gives::Result => {
                let number = form[0].number.unwrap();
                let functions = catalog.core_functions.iter().map(|known| (known.number, known.result));
                let methods = catalog.methods.iter().map(|known| (known.number, known.result));
                let (_, letter) = functions.chain(methods).find(|(known, _)| i64::from(*known) == number).unwrap();
                types.push(ValueType::of_letter(letter).unwrap());
            }
            Gives::Operand | Gives::Returned => {}
        }
    }
    types
}

fn shown_type(shown: &Shown) -> ValueType {
    match shown {
        Shown::Null => ValueType::Null,
        Shown::Number(value_type, _) => *value_type,
        Shown::Text(_) => ValueType::String,
        Shown::Variable(_) => ValueType::Variable,
        Shown::Selection(_) => ValueType::Selection,
    }
}

#[test]
fn the_machine_takes_the_values_in_the_table() {
    for (_, game) in SCRIPTS {
        let catalog = Catalog::by_name(game).unwrap();
        let (mut forms_run, mut types_reported, mut wrong) = (0, 0, Vec::new());
        for &opcode in catalog.opcodes.iter() {
            // They need a function, and one of them an operand.
            if matches!(opcode, Opcode::Push | Opcode::Call | Opcode::Return | Opcode::Exit | Opcode::FramePush) {
                continue;
            }
            for form in forms(opcode.signature().takes, catalog) {
                let code_of = |changed: Option<usize>| -> Vec<Op> {
                    let each = form.iter().enumerate().rev().map(|(at, given)| match changed {
                        Some(changed) if changed == at => other_type(given.parameter.role),
                        _ => code(given, catalog),
                    });
                    each.collect::<Vec<_>>().concat()
                };
                let names: Vec<_> = form.iter().map(|given| given.parameter.name).collect();
                let (watch, fault) = run(opcode, code_of(None), catalog);
                forms_run += 1;
                let bad =
                    |complaint: &Complaint| matches!(complaint, Complaint::WrongType { .. } | Complaint::EmptyStack);
                if watch.complaints.iter().any(bad) || fault.is_some() {
                    wrong.push(format!("{game}: {opcode} {names:?}: {:?}, {fault:?}", watch.complaints));
                    continue;
                }
                let stack = watch.stack.unwrap();
                let types: Vec<ValueType> = stack.iter().skip(1).map(shown_type).collect();
                if stack.first() != Some(&Shown::Text(BELOW.into())) || types != left(opcode, &form, catalog) {
                    wrong.push(format!("{game}: {opcode} {names:?} leaves {stack:?}"));
                }
                for (at, given) in form.iter().enumerate() {
                    let Some(wanted) = given.parameter.role.value_type() else { continue };
                    // The type of a part's value matters for some parts only, and a reference to a variable has no
                    // type.
                    if given.of_part || given.parameter.role == Role::Variable {
                        continue;
                    }
                    let (watch, fault) = run(opcode, code_of(Some(at)), catalog);
                    let in_fault = match &fault {
                        Some(Fault::WrongType { wanted, .. }) => Some(*wanted),
                        _ => None,
                    };
                    let reported = watch.complaints.iter().filter_map(|complaint| match complaint {
                        Complaint::WrongType { wanted } => Some(*wanted),
                        _ => None,
                    });
                    // The first complaint is about this value; later ones follow from it.
                    let reported = reported.chain(in_fault).next();
                    let parts = matches!(given.parameter.role, Role::MonsterPart | Role::ObjectPart);
                    match reported {
                        Some(reported) if reported == wanted => types_reported += 1,
                        // Any value that is not a number ends the parts.
                        _ if parts && at > 1 => {}
                        _ => wrong.push(format!(
                            "{game}: {opcode}: {} should be {}: {reported:?} {fault:?} {:?}",
                            given.parameter.name,
                            wanted.describe(),
                            watch.complaints
                        )),
                    }
                }
            }
        }
        println!("{game}: {forms_run} forms of opcodes run, {types_reported} types of their values proved");
        assert!(wrong.is_empty(), "{wrong:#?}");
        assert!(forms_run > 60 && types_reported > 150);
    }
}

/// Returns a value of a different type than the role needs.
fn other_type(role: Role) -> Vec<Op> {
    value(if role.value_type() == Some(ValueType::Region) { ValueType::Monster } else { ValueType::Region })
}

/// `call` passes values and `return` returns them, each as many as its count says. In games that do not pass variables
/// by name, an element of an array takes its index as well.
#[test]
fn functions_take_the_values_in_the_table() {
    for (_, game) in SCRIPTS {
        let catalog = Catalog::by_name(game).unwrap();
        let by_name = catalog.has(Feature::ParametersAreReversed);
        let number = |number| push(Operand::Integer(number));
        let mut ops = [number(8), number(9), number(2), push(Operand::String(Some("list".into())))].concat();
        ops.push(op(Opcode::VarInit));
        ops.extend([push(Operand::String(Some(BELOW.into()))), number(5)].concat());
        if by_name {
            ops.extend(number(6));
        } else {
            ops.extend([number(1), push(Operand::Variable("list".into()))].concat());
        }
        ops.extend([number(2), number(3)].concat());
        ops.push(op(Opcode::Call));
        let stop = ops.len();
        ops.extend([op(Opcode::Null), op(Opcode::Exit)]);
        // The function returns the upper one of its two values.
        ops.extend(number(1));
        ops.push(op(Opcode::Return));
        let prepared = Prepared::new(&Program { ops, ..Program::default() }, catalog).unwrap();
        let mut watch = Watch { stop, ..Watch::default() };
        let _ = Machine::new().run(&prepared, &Settings::default(), &mut SplitMix::new(1), &mut watch);
        let upper = if by_name { 5 } else { 9 };
        let expected = [Shown::Text(BELOW.into()), Shown::Number(ValueType::Integer, upper)];
        assert_eq!(watch.stack.unwrap(), expected, "{game}");
    }
}
