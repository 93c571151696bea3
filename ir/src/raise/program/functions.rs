//! Functions: copies of their code, to be found in a program, named, and put where lowering makes the same copies.
//!
//! The compilers copy a function to where it is first called: into the level, or into the function that calls it. They
//! remember where, but not in what; so a call from elsewhere jumps to a wrong place, by a distance that still tells
//! which copy is meant. One function may have a copy in each.

use std::collections::HashSet;

use super::*;
use crate::visit::{Visit, VisitMut};

/// The code of a function.
#[derive(Clone, Debug)]
pub(super) struct Copy {
    /// Where calls lead: the first opcode behind the jump over it.
    address: usize,
    /// Where the code begins, behind its parameters.
    pub(super) start: usize,
    /// Where its `return` begins.
    pub(super) code_end: usize,
    /// Behind that.
    pub(super) end: usize,
    /// Where the names of its parameters are pushed, the last one first.
    pub(super) parameters: Vec<usize>,
    /// The copy in which it lies.
    home: Option<usize>,
}

impl Copy {
    /// Whether it lies between these opcodes.
    pub(super) fn within(&self, start: usize, end: usize) -> bool {
        self.address >= start && self.end <= end
    }
}

/// All copies of functions in a program, those that end first before others: so what a function calls comes before it.
#[derive(Debug)]
pub(super) struct Copies {
    list: Vec<Copy>,
    by_address: HashMap<usize, usize>,
    /// By where they are from the beginning of the code that they lie in.
    by_distance: HashMap<i64, Vec<usize>>,
}

impl Copies {
    /// Finds the copies in `ops`: a jump leads around each, and a call behind it leads back.
    pub(super) fn find(ops: &[Op], catalog: &Catalog) -> Copies {
        let mut list = Vec::new();
        if catalog.opcode(Opcode::Call).is_some() {
            let jumps = ops.iter().enumerate().filter(|(_, op)| op.code == Opcode::Jmp);
            list.extend(jumps.filter_map(|(at, _)| copy_behind(ops, at, catalog)));
        }
        // What lies in what: the outer ones begin first.
        let mut order: Vec<usize> = (0..list.len()).collect();
        order.sort_by_key(|&at| (list[at].address, std::cmp::Reverse(list[at].end)));
        let mut open: Vec<usize> = Vec::new();
        for &at in &order {
            while open.last().is_some_and(|&outer| list[outer].end <= list[at].address) {
                open.pop();
            }
            list[at].home = open.last().copied();
            open.push(at);
        }
        let mut by_end: Vec<usize> = (0..list.len()).collect();
        by_end.sort_by_key(|&at| list[at].end);
        let mut place = vec![0; list.len()];
        by_end.iter().enumerate().for_each(|(new, &old)| place[old] = new);
        let list: Vec<Copy> = by_end
            .iter()
            .map(|&old| Copy { home: list[old].home.map(|home| place[home]), ..list[old].clone() })
            .collect();
        let by_address = list.iter().enumerate().map(|(at, copy)| (copy.address, at)).collect();
        let mut by_distance: HashMap<i64, Vec<usize>> = HashMap::new();
        for (at, copy) in list.iter().enumerate() {
            let begin = copy.home.map_or(0, |home| list[home].start);
            by_distance.entry(copy.address as i64 - begin as i64).or_default().push(at);
        }
        Copies { list, by_address, by_distance }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn get(&self, copy: usize) -> &Copy {
        &self.list[copy]
    }

    /// The copy whose calls lead to `address`.
    pub(super) fn at(&self, address: usize) -> Option<usize> {
        self.by_address.get(&address).copied()
    }

    /// The copy that is meant by a call that leads to `target`, from code that begins at the second of `buffer` and
    /// belongs to the copy that is its first.
    pub(super) fn called(&self, target: i64, buffer: (Option<usize>, usize)) -> Option<usize> {
        let here = usize::try_from(target).ok().and_then(|target| self.at(target));
        if let Some(copy) = here.filter(|&copy| self.list[copy].home == buffer.0) {
            return Some(copy);
        }
        let elsewhere = self.by_distance.get(&(target - buffer.1 as i64))?;
        elsewhere.iter().copied().find(|&copy| self.list[copy].home != buffer.0)
    }
}

/// The copy of a function behind the jump at `at`, if one is there.
fn copy_behind(ops: &[Op], at: usize, catalog: &Catalog) -> Option<Copy> {
    let end = target(ops, at, catalog).filter(|&end| end >= at + 3)?;
    let code = |at: usize| ops.get(at).map(|op| op.code);
    let returns = code(end - 1) == Some(Opcode::Return) && number(&ops[end - 2], catalog) == Some(0);
    let called = code(end + 2) == Some(Opcode::Call) && target(ops, end + 2, catalog) == Some(at + 1);
    if !returns || !called {
        return None;
    }
    let count = usize::try_from(number(ops.get(end)?, catalog)?).ok()?;
    let mut parameters = Vec::new();
    let mut start = at + 1;
    while parameters.len() < count
        && start + 3 <= end - 2
        && number(&ops[start], catalog) == Some(0)
        && matches!(ops[start + 1].operand, Some(Operand::String(Some(_))))
        && ops[start + 2].code == Opcode::VarInit
    {
        parameters.push(start + 1);
        start += 3;
    }
    Some(Copy { address: at + 1, start, code_end: end - 2, end, parameters, home: None })
}

/// Where functions are defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placing {
    /// Before the level, copies of one code as one function.
    Shared,
    /// Before the level, each copy as a function of its own.
    Separate,
    /// In the level, each copy as a function of its own, right before the first statement that needs it.
    Late,
    /// The same, but for functions with a BREAK for the block in which they are defined: they are in that.
    InBlocks,
}

impl Placing {
    /// What to try, the likeliest first.
    pub(super) fn all(copies: &Copies, catalog: &Catalog) -> &'static [Placing] {
        match (copies.len(), catalog.has(Feature::HeaderStatements)) {
            (0, _) => &[Placing::Shared],
            (_, true) => &[Placing::Shared, Placing::Separate, Placing::Late, Placing::InBlocks],
            (_, false) => &[Placing::Late, Placing::InBlocks],
        }
    }
}

/// What functions are called.
#[derive(Debug)]
pub(super) struct Names {
    /// For each copy, the first copy of its function.
    first: Vec<usize>,
    /// For each copy, the name of its function.
    names: Vec<Text>,
}

/// How many functions of one length and first opcodes are told apart; more stay functions of their own.
const MOST_ALIKE: usize = 16;

impl Names {
    pub(super) fn new(ops: &[Op], copies: &Copies, placing: Placing) -> Names {
        let mut first: Vec<usize> = (0..copies.len()).collect();
        if placing == Placing::Shared {
            let mut known: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
            let code = |at: usize| &ops[copies.list[at].address..copies.list[at].end];
            let same = |left: usize, right: usize| {
                code(left)
                    .iter()
                    .zip(code(right))
                    .all(|(left, right)| left.code == right.code && left.operand == right.operand)
            };
            for (at, copy) in copies.list.iter().enumerate() {
                let alike = known.entry((copy.end - copy.address, copy.parameters.len())).or_default();
                match alike.iter().find(|&&other| same(other, at)) {
                    Some(&other) => first[at] = other,
                    None if alike.len() < MOST_ALIKE => alike.push(at),
                    None => {}
                }
            }
        }
        let mut numbers = HashMap::new();
        let mut name = |first: &usize| {
            let next = numbers.len() + 1;
            Text::from(format!("function_{}", numbers.entry(*first).or_insert(next)))
        };
        let names = first.iter().map(&mut name).collect();
        Names { first, names }
    }

    /// The name of the function that a copy is of.
    pub(super) fn of(&self, copy: usize) -> Text {
        self.names.get(copy).cloned().unwrap_or_default()
    }

    /// The names of all functions, in the order of their definitions.
    pub(super) fn defined(&self) -> Vec<Text> {
        self.defining().map(|copy| self.of(copy)).collect()
    }

    /// The first copy of each function.
    fn defining(&self) -> impl Iterator<Item = usize> {
        self.first.iter().enumerate().filter(|&(copy, &first)| copy == first).map(|(copy, _)| copy)
    }
}

/// The definition of a function that has not been read yet; see [`fill`].
pub(super) fn to_be_filled(name: Text) -> Statement {
    let function = Function { name: bare(name), parameters: Vec::new(), body: Vec::new(), span: Span::NOWHERE };
    super::statement(StatementKind::Function(function), Span::NOWHERE)
}

/// Puts the functions of `wanted` copies where `level` has definitions for them.
pub(super) fn fill(
    level: &mut Level,
    bodies: &mut [Option<Function>],
    names: &Names,
    wanted: &HashMap<usize, Vec<usize>>,
) {
    struct Fill(HashMap<Text, Function>);
    impl VisitMut for Fill {
        fn function(&mut self, function: &mut Function) {
            if let Some(read) = self.0.remove(&function.name.node) {
                *function = read;
            }
        }
    }
    struct Defined(HashSet<Text>);
    impl<'tree> Visit<'tree> for Defined {
        fn function(&mut self, function: &'tree Function) {
            self.0.insert(function.name.node.clone());
        }
    }
    let mut defined = Defined(HashSet::new());
    defined.level(level);
    let copies = wanted.values().flatten().filter(|&&copy| defined.0.contains(&names.of(copy)));
    let functions = copies.filter_map(|&copy| Some((names.of(copy), bodies.get_mut(copy)?.take()?))).collect();
    Fill(functions).level(level);
}

/// What was read: a level, and the functions that it calls.
pub(super) struct Read {
    pub(super) level: Level,
    /// For each statement of the level, the opcode behind it.
    pub(super) ends: Vec<usize>,
    /// For each copy, its function.
    pub(super) bodies: Vec<Option<Function>>,
    /// Calls of functions whose copy lies elsewhere: the opcode, and the copy.
    pub(super) astray: Vec<(usize, usize)>,
}

/// Puts the functions where `placing` says.
pub(super) fn place(read: Read, copies: &Copies, names: &Names, placing: Placing) -> Vec<Item> {
    let Read { mut level, ends, mut bodies, astray } = read;
    if matches!(placing, Placing::Shared | Placing::Separate) {
        let functions = names.defining().filter_map(|copy| bodies.get_mut(copy)?.take());
        return functions.map(Item::Function).chain([Item::Level(level)]).collect();
    }
    let (mut defined, mut asked) = (HashSet::new(), HashSet::new());
    let mut body = Vec::with_capacity(level.body.len() + copies.len());
    let mut begin = 0;
    let (mut next_copy, mut next_astray) = (0, 0);
    for (statement, end) in level.body.into_iter().zip(ends) {
        let mut needed: Vec<usize> = Vec::new();
        // Copies are in the order of their ends, and none reaches out of a statement.
        while copies.list.get(next_copy).is_some_and(|copy| copy.end <= end) {
            needed.push(next_copy);
            next_copy += 1;
        }
        // The copy that is meant must be there: with the function that it lies in.
        while let Some(&(at, copy)) = astray.get(next_astray).filter(|&&(at, _)| at < end) {
            debug_assert!(at >= begin);
            next_astray += 1;
            if let Some(home) = copies.list[copy].home {
                let outer = &copies.list[home];
                let inner = copies.list.iter().enumerate();
                let inner = inner.filter(|(_, copy)| copy.address >= outer.address && copy.end <= outer.end);
                if asked.insert(home) {
                    needed.extend(inner.map(|(at, _)| at));
                }
            }
        }
        needed.sort_unstable();
        for copy in needed {
            if defined.insert(copy)
                && let Some(function) = bodies.get_mut(copy).and_then(Option::take)
            {
                let span = function.span;
                body.push(super::statement(StatementKind::Function(function), span));
            }
        }
        body.push(statement);
        begin = end;
    }
    level.body = body;
    vec![Item::Level(level)]
}
