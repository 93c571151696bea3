//! Calls of the game's functions and of Lua's, and of values that cannot be called.

use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::level::OBJECTS_OF_MONSTERS;
use splc_ir::source::Span;
use splc_ir::wording::{Conjunction, counted, listed};

use super::ground::{Ground, Place, Walls};
use super::keyed::{Keyed, written};
use super::kinds::{Slot, takes};
use super::values::{Candidates, Known, Type, Value};
use super::{Judge, ground, near, tables};
use crate::functions::{self, Form, Gives, Kind, More, Need, Picked};
use crate::libraries;
use crate::sandbox;
use crate::tree::*;

/// Common mistakes for functions of the game: names from des-files, from other versions, from plans in the game's
/// source.
pub(super) const OTHER_NAMES: &[(&str, &str)] = &[
    ("des.branch", "des.levregion({ type = \"branch\", region = ... })"),
    ("des.chance", "if percent(50) then ... end"),
    ("des.container", "des.object({ id = ..., contents = function() ... end })"),
    ("des.flags", "des.level_flags(...)"),
    ("des.fountain", "des.feature(\"fountain\", x, y)"),
    ("des.geometry", "des.map({ halign = ..., valign = ..., map = ... })"),
    ("des.init_map", "des.level_init({ style = ... })"),
    ("des.loop", "for i = 1, 10 do ... end"),
    ("des.non_passable", "des.non_passwall(selection)"),
    ("des.pool", "des.feature(\"pool\", x, y)"),
    ("des.portal", "des.levregion({ type = \"portal\", region = ..., name = ... })"),
    ("des.roomdoor", "des.door({ wall = ..., pos = ... }) in the contents of a room"),
    ("des.shuffle", "shuffle(list)"),
    ("des.sink", "des.feature(\"sink\", x, y)"),
    ("des.spill", "your own loop: NetHack 5 has no spills"),
    ("des.stairs", "des.stair(\"down\", x, y)"),
    ("des.subroom", "des.room(...) in the contents of another room"),
    ("des.throne", "des.feature(\"throne\", x, y)"),
    ("des.tree", "des.feature(\"tree\", x, y)"),
    ("nh.rnd", "math.random(n)"),
    ("nh.d", "d(2, 6)"),
    ("selection.complement", "selection.negate(selection)"),
    ("selection.filter", "selection.percentage(selection, 50), or selection.filter_mapchar(selection, \".\")"),
    ("selection.percent", "selection.percentage(selection, 50)"),
    ("selection.point", "selection.set(selection, x, y)"),
    ("selection.random", "selection.rndcoord(selection)"),
    ("selection.rndline", "selection.randline(...)"),
];

/// Other names of functions that take the same arguments.
const RENAMED: &[(&str, &str)] = &[
    ("des.flags", "des.level_flags"),
    ("des.non_passable", "des.non_passwall"),
    ("des.shuffle", "shuffle"),
    ("des.stairs", "des.stair"),
    ("nh.d", "d"),
    ("nh.rnd", "math.random"),
    ("selection.complement", "selection.negate"),
    ("selection.percent", "selection.percentage"),
    ("selection.point", "selection.set"),
    ("selection.random", "selection.rndcoord"),
    ("selection.rndline", "selection.randline"),
];

/// Any string.
const TEXT: Value<'static> = Value::Typed(Type::Text);

impl<'t> Judge<'t, '_, '_> {
    pub(super) fn call(&mut self, call: &'t Call, span: Span) {
        self.needs(&call.callee);
        let outer = self.called.replace(call);
        self.expression(&call.callee);
        self.called = outer;
        if let Some(function) = self.own_function(call) {
            self.own_call(function, call);
            return;
        }
        // A list that is nil stops the script there.
        if let (ExpressionKind::Name(name), [list, ..]) = (&call.callee.kind, call.arguments.as_slice())
            && matches!(name.as_str(), "shuffle" | "ipairs" | "pairs")
        {
            self.needs(list);
        }
        if self.dotted_method(call) {
            return;
        }
        let callee = self.values.one(&call.callee);
        if let Some(method) = &call.method {
            self.method(call, method, &callee);
            return;
        }
        match callee {
            Value::GameFunction(library, function) => {
                self.game_call(library.name, function, None, call);
            }
            Value::LuaFunction(library, name) => self.lua_call(library, name, call),
            Value::Unknown | Value::Function | Value::Typed(Type::Function) => {
                self.expressions(&call.arguments);
                if self.values.scopes.maps_in_functions {
                    self.ground = Ground::Unknown;
                }
            }
            // `n ". Keep out"`
            other
                if matches!(other.kind(), Some(Type::Number | Type::Text))
                    && matches!(call.arguments.as_slice(), [text] if text.span == call.span) =>
            {
                let gap = Span { start: call.callee.span.end, end: call.span.start, ..call.span };
                let problem = Diagnostic::new(Code::LuaNil, call.span, "`..` is missing before this string")
                    .with_label("without it, this is a call")
                    .with_secondary(call.callee.span, format!("this is {}", other.kind().map_or("", Type::noun)))
                    .with_help("write `..` to join them");
                self.report.push(problem.with_suggestion(gap, " .. ", true));
            }
            other => {
                self.expressions(&call.arguments);
                let what = other.kind().map_or("this", Type::noun);
                let message = format!("{what} cannot be called");
                let problem = Diagnostic::new(Code::LuaNil, call.callee.span, message)
                    .with_label("only functions can be called")
                    .with_secondary(call.span, "called with this");
                let help = match other {
                    Value::Library(library) => format!("name one of its functions: {}.NAME(...)", library.name),
                    _ if other.kind() == Some(Type::Table) && call.arguments.len() == 1 => {
                        "write an index in brackets: list[1]".to_owned()
                    }
                    _ => "look for a missing comma or line end before the parenthesis".to_owned(),
                };
                let _ = span;
                self.report.push(problem.with_help(help));
            }
        }
    }

    /// Adds the help for a function of another game, with the arguments of its call.
    pub(super) fn with_other_name(&self, problem: Diagnostic, whole: &str, instead: &str, callee: Span) -> Diagnostic {
        let call = self.called.filter(|call| call.callee.span == callee && call.method.is_none());
        let Some(call) = call else { return problem.with_help(format!("write {instead}")) };
        let arguments: Option<Vec<String>> = call.arguments.iter().map(written).collect();
        let Some(arguments) = arguments else { return problem.with_help(format!("write {instead}")) };
        if let Some((_, name)) = RENAMED.iter().find(|(known, _)| *known == whole) {
            let right = format!("{name}({})", arguments.join(", "));
            return problem.with_help(format!("write {right}")).with_suggestion(callee, *name, true);
        }
        // `des.fountain(3, 2)`
        let head = instead.strip_suffix(", x, y)");
        let is_place = match call.arguments.as_slice() {
            [] => true,
            [place] => self.is_numbers(place, 2),
            [x, y] => [x, y].iter().all(|value| self.values.one(value).kind() == Some(Type::Number)),
            _ => false,
        };
        match head.filter(|_| is_place) {
            Some(head) => {
                let rest = arguments.iter().map(|argument| format!(", {argument}")).collect::<String>();
                let right = format!("{head}{rest})");
                problem.with_help(format!("write {right}")).with_suggestion(callee.to(call.span), right, true)
            }
            None => problem.with_help(format!("write {instead}")),
        }
    }

    /// Reports `place.set(3, 2)` for `place:set(3, 2)`: without the colon, the function has no selection.
    fn dotted_method(&mut self, call: &'t Call) -> bool {
        let (ExpressionKind::Field(value, name), None) = (&call.callee.bare().kind, &call.method) else { return false };
        let (library, what) = match self.values.one(value) {
            Value::Typed(Type::Selection) => ("selection", "selection"),
            Value::Typed(Type::Object) => ("obj", "object"),
            _ => return false,
        };
        let first = call.arguments.first().map(|first| self.values.one(first));
        let passed = matches!(first, Some(Value::Typed(Type::Selection | Type::Object) | Value::Unknown));
        let Some(function) = libraries::function(library, name.text.as_str()).filter(|_| !passed) else { return false };
        let known: Vec<Candidates<'t>> = call.arguments.iter().map(|argument| self.values.of(argument)).collect();
        let code = if runs(function, &known) { Code::LuaIgnored } else { Code::LuaArguments };
        self.expressions(&call.arguments);
        let dot = Span { start: name.span.start.saturating_sub(1), end: name.span.start, ..name.span };
        self.report.push(
            Diagnostic::new(code, dot, format!("`{}` of a {what} must be called with a colon", name.text))
                .with_label(format!("with a dot, it does not get the {what}"))
                .with_help(format!("write `:` instead of `.`: value:{}(...)", name.text))
                .with_suggestion(dot, ":", true),
        );
        true
    }

    /// Checks `value:method(...)`.
    fn method(&mut self, call: &'t Call, method: &'t Name, callee: &Value<'t>) {
        let word = method.text.as_str();
        let library = match callee {
            Value::Typed(Type::Selection) => "selection",
            Value::Typed(Type::Object) => "obj",
            Value::Library(library) if !self.values.scopes.members.contains(&(library.name, word)) => {
                self.expressions(&call.arguments);
                let function = library.function(word);
                // The table of the functions is the first argument.
                let table = Known { value: Value::Typed(Type::Table), span: method.span };
                let rest = call.arguments.iter().map(|argument| self.values.of(argument));
                let known: Vec<Candidates<'t>> = std::iter::once(vec![table]).chain(rest).collect();
                let is_run = function.is_some_and(|function| {
                    let needs_key = function.keys(self.catalog).any(|key| key.need == Need::Required);
                    !needs_key && function.forms.iter().any(|form| form.takes(0)) && runs(function, &known)
                });
                let takes_keys = function.is_some_and(functions::Function::takes_keys);
                let (code, message) = match is_run {
                    true if takes_keys => (Code::LuaIgnored, format!("{}:{word} ignores its arguments", library.name)),
                    true => (Code::LuaIgnored, format!("{}.{word} ignores an argument", library.name)),
                    false => (Code::LuaArguments, format!("`{}` must be called with a dot", library.name)),
                };
                let dot = Span { start: method.span.start.saturating_sub(1), end: method.span.start, ..method.span };
                let problem = Diagnostic::new(code, dot, message)
                    .with_label(format!("a colon passes `{}` as the first argument", library.name))
                    .with_help(format!("write {}.{word}(...)", library.name))
                    .with_suggestion(dot, ".", true);
                self.report.push(problem);
                return;
            }
            Value::Text(..) | Value::Typed(Type::Text) => {
                self.expressions(&call.arguments);
                let members = sandbox::LIBRARIES.iter().find(|(name, _)| *name == "string");
                let members = members.map(|(_, members)| *members).unwrap_or_default();
                if !members.contains(&word) && !self.report.is_full(Code::LuaFunction) {
                    let problem =
                        Diagnostic::new(Code::LuaFunction, method.span, format!("a string has no method `{word}`"));
                    let all = || format!("use one of {}", members.join(", "));
                    self.report.push(near(problem, word, members.iter().copied(), Some(method.span), all));
                }
                return;
            }
            Value::Nil
            | Value::Typed(Type::Nil | Type::Boolean | Type::Number)
            | Value::Integer(_)
            | Value::Float(_)
            | Value::Boolean(_) => {
                self.expressions(&call.arguments);
                let what = callee.kind().map_or("this", Type::noun);
                let mut problem = Diagnostic::new(Code::LuaNil, call.callee.span, format!("{what} has no methods"));
                problem = problem.with_help(match callee {
                    Value::Typed(Type::Nil) => "remove the method: the call returns nothing",
                    _ => "use methods only on selections, objects and strings",
                });
                self.report.push(problem);
                return;
            }
            _ => {
                // It may be a selection. If so, the function passed to `iterate` runs on the same ground.
                for argument in &call.arguments {
                    match &argument.bare().kind {
                        ExpressionKind::Function(function) if word == "iterate" => {
                            self.on(self.ground.clone(), function)
                        }
                        _ => self.expression(argument),
                    }
                }
                return;
            }
        };
        match libraries::function(library, word) {
            Some(function) => self.game_call(library, function, Some(&call.callee), call),
            None => {
                self.expressions(&call.arguments);
                if self.report.is_full(Code::LuaFunction) {
                    return;
                }
                let noun = if library == "obj" { "an object" } else { "a selection" };
                let whole = format!("{library}.{word}");
                let problem = Diagnostic::new(Code::LuaFunction, method.span, format!("{noun} has no method `{word}`"));
                let problem = match OTHER_NAMES.iter().find(|(known, _)| *known == whole) {
                    Some((_, instead)) => problem.with_help(format!("write {instead}")),
                    None => {
                        let members = libraries::library(library).map(|library| library.functions).unwrap_or_default();
                        let names = members.iter().map(|function| function.name);
                        let all = || format!("use one of {}", names.clone().collect::<Vec<_>>().join(", "));
                        near(problem, word, names.clone(), Some(method.span), all)
                    }
                };
                self.report.push(problem);
            }
        }
    }

    /// Checks a call of a function of Lua or of `nhlib.lua`.
    fn lua_call(&mut self, library: &'static str, name: &'static str, call: &'t Call) {
        self.expressions(&call.arguments);
        let known = sandbox::GAME.iter().find(|(known, _)| library.is_empty() && *known == name);
        let range = match (library, name) {
            // With other arguments, nhlib.lua calls `error`, which a level lacks.
            ("math", "random") => Some((1, 2)),
            _ => known.and_then(|(_, range)| *range),
        };
        let Some((least, most)) = range.filter(|(_, most)| self.is_usual(library, name, *most)) else { return };
        if matches!((library, name), ("math", "random") | ("", "d" | "percent")) && self.not_random(name, call) {
            return;
        }
        let found = call.arguments.len();
        if self.is_open(&call.arguments) || (least..=most).contains(&found) {
            return;
        }
        let shown = if library.is_empty() { name.to_owned() } else { format!("{library}.{name}") };
        let wanted = if least == most { counted(least, "argument") } else { format!("{least} to {most} arguments") };
        let help = match name {
            "random" => "write math.random(6) for 1 to 6, or math.random(2, 6)",
            "percent" => "write percent(50)",
            "shuffle" => "write shuffle(list)",
            "d" => "write d(6), or d(2, 6) for two dice",
            _ => "see its definition in nhlib.lua",
        };
        let message = format!("{shown} takes {wanted}, found {found}");
        let problem = Diagnostic::new(Code::LuaArguments, call.span, message);
        self.report.push(match (name, found) {
            ("random", 0) => problem
                .with_label("the game's math.random gives whole numbers only")
                .with_help("write math.random(6) for 1 to 6, or percent(50) for a chance"),
            _ => problem.with_help(help),
        });
    }

    /// Reports `math.random() < 0.5`: the game's `math.random` has no fractions.
    pub(super) fn chance_of_random(
        &mut self,
        operator: BinaryOperator,
        operands: &'t (Expression, Expression),
        span: Span,
    ) -> bool {
        let below = match operator {
            BinaryOperator::Less | BinaryOperator::LessOrEqual => true,
            BinaryOperator::Greater | BinaryOperator::GreaterOrEqual => false,
            _ => return false,
        };
        let is_random = |side: &'t Expression| match &side.bare().kind {
            ExpressionKind::Call(call) if call.method.is_none() && call.arguments.is_empty() => {
                matches!(self.values.one(&call.callee), Value::LuaFunction("math", "random"))
            }
            _ => false,
        };
        let (limit, below) = match operands {
            (random, limit) if is_random(random) => (limit, below),
            (limit, random) if is_random(random) => (limit, !below),
            _ => return false,
        };
        let ExpressionKind::Float(limit) = limit.bare().kind else { return false };
        let is_fraction = limit > 0.0 && limit < 1.0;
        if !is_fraction || !self.is_usual("math", "random", 2) {
            return false;
        }
        let exact = 100.0 * if below { limit } else { 1.0 - limit };
        let chance = exact.round().clamp(1.0, 99.0);
        let right = format!("percent({chance})");
        let message = "math.random takes 1 to 2 arguments, found 0";
        self.report.push(
            Diagnostic::new(Code::LuaArguments, span, message)
                .with_label("the game's math.random gives whole numbers only")
                .with_help(format!("write {right}"))
                .with_suggestion(span, right, (exact - chance).abs() < 1e-6),
        );
        true
    }

    /// Reports arguments of a function of chance that are not numbers, or leave no number to choose.
    fn not_random(&mut self, name: &str, call: &'t Call) -> bool {
        let shown = if name == "random" { "math.random" } else { name };
        for argument in &call.arguments {
            let kind = match self.values.one(argument) {
                // Lua converts strings in some places.
                Value::Text(text, _) if name != "percent" && text.iter().all(u8::is_ascii_digit) => continue,
                value => value.kind(),
            };
            let Some(kind) = kind.filter(|kind| *kind != Type::Number) else { continue };
            let help = match (kind, &argument.bare().kind) {
                (Type::Table, ExpressionKind::Name(list)) => {
                    format!("write #{list} for the number of its values")
                }
                _ => "write a number".to_owned(),
            };
            let message = format!("{shown} takes numbers, found {}", kind.noun());
            self.report.push(Diagnostic::new(Code::LuaArguments, argument.span, message).with_help(help));
            return true;
        }
        let [first, rest @ ..] = call.arguments.as_slice() else { return false };
        let range = match (rest, &first.bare().kind) {
            ([], ExpressionKind::Binary(BinaryOperator::Subtract, limits)) => Some((&limits.0, &limits.1)),
            ([last], _) if name == "random" => Some((first, last)),
            _ => None,
        };
        let Some((low, high)) = range else { return false };
        let (Value::Integer(low), Value::Integer(high)) = (self.values.one(low), self.values.one(high)) else {
            return false;
        };
        let is_difference = rest.is_empty();
        // `5 - 2` is 3.
        if if is_difference { low >= high } else { low <= high } {
            return false;
        }
        let message = match is_difference {
            true => format!("this is the difference of {low} and {high}, not a range"),
            false => format!("the range from {low} to {high} is empty"),
        };
        let help = format!(
            "write math.random({}, {}) for {} to {}",
            low.min(high),
            low.max(high),
            low.min(high),
            low.max(high)
        );
        let span = if is_difference { first.span } else { first.span.to(rest[0].span) };
        // The game complains, and takes the lower number.
        self.report.push(Diagnostic::new(Code::LuaIgnored, span, message).with_help(help));
        true
    }

    /// Returns true if the last argument may expand to several values.
    pub(super) fn is_open(&self, arguments: &'t [Expression]) -> bool {
        match arguments.last().map(|last| &last.kind) {
            Some(ExpressionKind::Varargs) => true,
            Some(ExpressionKind::Call(_)) => {
                arguments.last().is_some_and(|last| self.values.one(last).kind().is_none())
            }
            _ => false,
        }
    }

    fn game_call(
        &mut self,
        library: &'static str,
        function: &'static functions::Function,
        receiver: Option<&'t Expression>,
        call: &'t Call,
    ) {
        let arguments: Vec<&'t Expression> = receiver.into_iter().chain(&call.arguments).collect();
        let name = format!("{library}.{}", function.name);
        let known: Vec<Candidates<'t>> = arguments.iter().map(|argument| self.values.of(argument)).collect();
        let table = match arguments.as_slice() {
            [only] if function.takes_keys() => table_of(&known[0]).map(|entries| (entries, *only)),
            _ => None,
        };
        self.need_values(function, &arguments);
        // Check nested calls, and functions that run on another ground.
        for argument in arguments.iter().skip(receiver.iter().len()) {
            match &argument.bare().kind {
                ExpressionKind::Function(inner) if library == "selection" => self.on(self.ground.clone(), inner),
                ExpressionKind::Table(entries) if table.is_some() => {
                    for entry in entries {
                        if let Entry::Keyed(key, _) = entry {
                            self.expression(key);
                        }
                        if !matches!(entry.value().bare().kind, ExpressionKind::Function(_)) {
                            self.expression(entry.value());
                        }
                    }
                }
                _ => self.expression(argument),
            }
        }
        if !self.is_open(&call.arguments) {
            self.form(&Called { name: &name, function, arguments: &arguments, known: &known, receiver, call });
        }
        match table {
            Some((entries, whole)) => self.keys(&name, function, entries, whole, call),
            None if library == "des" && function.name == "map" => self.map_made(&known, call),
            None => {}
        }
    }

    /// Records the arguments that may not be nil: it is an error if they are.
    fn need_values(&mut self, function: &'static functions::Function, arguments: &[&'t Expression]) {
        let found = arguments.len();
        let forms = || function.forms.iter().filter(|form| form.takes(found));
        if forms().next().is_none() || matches!(function.more, More::AllIgnored) {
            return;
        }
        for (at, argument) in arguments.iter().enumerate() {
            let is_needed = |form: &Form| {
                form.argument(at).is_some_and(|argument| {
                    // An optional table may be absent, but not nil.
                    let is_required = argument.need == Need::Required || matches!(argument.kind, Kind::Keys);
                    // A light that is nil is the usual one (`luaL_checkoption`).
                    let is_light = argument.name == "light";
                    is_required && !is_light && !matches!(argument.kind, Kind::Any | Kind::Truth)
                })
            };
            if forms().all(is_needed) {
                self.failing.insert(argument.bare().span);
            }
        }
    }

    /// Checks that the arguments fit one of the forms of the function.
    fn form(&mut self, called: &Called<'_, 't>) {
        let &Called { name, function, arguments, known, receiver, call } = called;
        let found = arguments.len();
        let by_count: Vec<&Form> = function.forms.iter().filter(|form| form.takes(found)).collect();
        let how_far = |form: &Form| (0..found).take_while(|&at| fits(form, at, known)).count();
        // The first of several equally good forms.
        let best = by_count.iter().map(|&form| (how_far(form), form)).rev().max_by_key(|(furthest, _)| *furthest);
        let (furthest, best) = match best {
            Some((furthest, form)) if furthest == found => return self.fitting(called, form),
            best => best.unzip(),
        };
        if self.aligned(called, false) {
            return;
        }
        let runs = runs(function, known);
        if runs && self.ignored(called) {
            return;
        }
        // A value after those of a shorter form: `des.monster("jackal", {3,2}, "asleep")`.
        let shorter = function.forms.iter().filter(|form| {
            let count = form.arguments.len();
            !form.repeated
                && (furthest.unwrap_or(0) + 1..found).contains(&count)
                && (0..count).all(|at| fits(form, at, known))
        });
        if let Some(shorter) = shorter.max_by_key(|form| form.arguments.len()).filter(|_| function.takes_keys()) {
            let last = shorter.arguments.last().map_or("", |argument| argument.name);
            let message = format!("{name} takes no value after its {last}");
            let problem = Diagnostic::new(Code::LuaArguments, arguments[shorter.arguments.len()].span, message);
            self.report.push(self.with_table(problem, called));
            return;
        }
        let (Some(furthest), Some(best)) = (furthest, best) else {
            let shown = found - receiver.iter().len();
            let usage = usage(name, function, receiver.is_some());
            let message = format!("{name} does not take {}", counted(shown, "argument"));
            let span = call.span;
            let problem = Diagnostic::new(Code::LuaArguments, span, message);
            let has_keys = function.takes_keys() && receiver.is_none() && found > 1;
            if has_keys && self.keyed(function, arguments).complete {
                self.report.push(self.with_table(problem, called));
                return;
            }
            self.report.push(problem.with_help(format!("write {usage}")));
            return;
        };
        let Some(argument) = best.argument(furthest) else { return };
        let is = known[furthest].iter().find_map(|known| known.value.kind());
        let is = is.map_or("something else", Type::noun);
        let usage = usage(name, function, receiver.is_some());
        let kinds: Vec<&Form> = by_count.iter().copied().filter(|form| how_far(form) == furthest).collect();
        let wanted = wanted(&kinds, furthest);
        let of = if wanted.contains(argument.name) { String::new() } else { format!(" for its {}", argument.name) };
        let message = format!("{name} takes {wanted}{of}, found {is}");
        let code = if runs { Code::LuaIgnored } else { Code::LuaArguments };
        let problem = Diagnostic::new(code, arguments[furthest].span, message).with_label(format!("expected {wanted}"));
        self.report.push(match self.without_braces(called, best) {
            Some((right, span)) => {
                problem.with_help(format!("write {name}({right})")).with_suggestion(span, right, true)
            }
            None => match argument.kind {
                Kind::Word(words) if words.all(self.catalog).len() < 5 => {
                    let words = words.all(self.catalog).into_iter().map(|word| format!("\"{word}\""));
                    problem.with_help(format!("write {} as its {}", listed(words, Conjunction::Or), argument.name))
                }
                _ => problem.with_help(format!("write {usage}")),
            },
        });
    }

    /// Adds the help to write the arguments in a table, each with its key. Comments between them prevent a fix.
    fn with_table(&self, problem: Diagnostic, called: &Called<'_, 't>) -> Diagnostic {
        let &Called { name, function, arguments, .. } = called;
        let Keyed { table, complete } = self.keyed(function, arguments);
        let problem = problem.with_help(format!("write all values in a table, each with its key: {name}({table})"));
        match (arguments, called.receiver) {
            ([first, .., last], None) if complete => problem.with_suggestion(first.span.to(last.span), table, true),
            _ => problem,
        }
    }

    /// Returns the arguments that a list in braces was meant as, with its span: `des.level_flags({ "mazelevel" })`.
    fn without_braces(&self, called: &Called<'_, 't>, form: &Form) -> Option<(String, Span)> {
        let [only] = called.arguments else { return None };
        let ExpressionKind::Table(entries) = &only.bare().kind else { return None };
        let is_text = |at: usize| form.argument(at).is_some_and(|argument| takes(argument.kind, Type::Text, &TEXT));
        let mut texts = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            let Entry::Item(value) = entry else { return None };
            let ExpressionKind::Text(text) = &value.bare().kind else { return None };
            let text = std::str::from_utf8(&text.value).ok().filter(|text| !text.contains(['"', '\\', '\n']))?;
            is_text(at).then(|| texts.push(format!("\"{text}\"")))?;
        }
        (called.function.forms.iter().any(|form| form.takes(texts.len())) && !texts.is_empty())
            .then(|| (texts.join(", "), only.span))
    }

    /// Checks the values of arguments that fit a form.
    fn fitting(&mut self, called: &Called<'_, 't>, form: &Form) {
        let &Called { name, function, arguments, known, call, .. } = called;
        let is_word =
            |at: usize, known: &Candidates<'t>| match (form.argument(at).map(|slot| slot.kind), known.as_slice()) {
                (Some(Kind::Word(words)), [Known { value: Value::Text(text, _), .. }]) => {
                    std::str::from_utf8(text).is_ok_and(|text| words.accepts(self.catalog, text))
                }
                _ => true,
            };
        if !known.iter().enumerate().all(|(at, known)| is_word(at, known)) && self.aligned(called, true) {
            return;
        }
        for (at, (argument, known)) in arguments.iter().zip(known).enumerate() {
            let Some(taken) = form.argument(at) else { continue };
            // An explicit `nil` counts as an argument.
            let slot = Slot { call: name, name: taken.name, key: false, class: None };
            self.content(taken.kind, taken.need, known, argument.span, slot);
        }
        self.beside_place(name, known, call);
        self.placed(name, function, form, known, call);
    }

    /// Reports arguments that the game does not read, in a call that it carries out although no form has them.
    fn ignored(&mut self, called: &Called<'_, 't>) -> bool {
        let &Called { name, function, arguments, known, receiver, call } = called;
        let most = most_of(function);
        let entries = known.first().and_then(table_of).filter(|_| function.takes_keys());
        let (extra, message) = match (function.more, entries) {
            (More::Fails, _) => return false,
            (_, Some(entries)) if known.len() > 1 => {
                // `des.teleport_region({ 1, 1, 3, 3 }, "up")`
                return self.after_table(called, entries);
            }
            (More::AllIgnored, _) => (0, format!("{name} ignores these arguments")),
            _ if known.len() <= most => return false,
            // A method of a function without arguments: `sel:new()` passes a selection that is ignored.
            _ => match most.saturating_sub(receiver.iter().len()) {
                0 => (most, format!("{name} ignores its arguments")),
                1 => (most, format!("{name} ignores arguments after the first")),
                count => (most, format!("{name} ignores arguments after the first {count}")),
            },
        };
        let help = format!("write {}", usage(name, function, receiver.is_some()));
        let span = arguments.get(extra).map_or(call.span, |extra| extra.span);
        self.report.push(Diagnostic::new(Code::LuaIgnored, span, message).with_help(help));
        true
    }

    /// Reports arguments after a table, which the game does not read. Without keys, the table lacks the required ones.
    fn after_table(&mut self, called: &Called<'_, 't>, entries: &'t [Entry]) -> bool {
        let &Called { name, function, arguments, .. } = called;
        let [table, extra, ..] = arguments else { return false };
        let has = |key: &str| {
            entries.iter().any(|entry| match entry {
                Entry::Named(name, _) => name.text.as_str() == key,
                Entry::Keyed(..) => true,
                Entry::Item(_) => false,
            })
        };
        let fails = tables::lacks_key(self.catalog, name, function, has);
        // `des.object({ id = "chest" }, function() ... end)`
        if let ([table, body], ExpressionKind::Table(_), ExpressionKind::Function(_)) =
            (arguments, &table.kind, &extra.bare().kind)
            && let Some(key) =
                ["contents", "inventory"].into_iter().find(|key| function.key(self.catalog, key).is_some() && !has(key))
        {
            let message = format!("{name} ignores the function after its table");
            let code = if fails { Code::LuaArguments } else { Code::LuaIgnored };
            let (from, before) = match entries.last() {
                Some(last) => (last.value().span.end, ", "),
                None => (table.span.start + 1, " "),
            };
            let gap = Span { start: from, end: body.span.start, ..body.span };
            let end = Span { start: body.span.end, ..body.span };
            let word = Span { end: body.span.start + "function".len() as u32, ..body.span };
            let problem = Diagnostic::new(code, word, message)
                .with_help(format!("write it in the table: {key} = function() ... end"))
                .with_suggestion(gap, format!("{before}{key} = "), true)
                .with_suggestion(end, " }", true);
            self.report.push(problem);
            return true;
        }
        if fails && !entries.is_empty() && entries.iter().all(|entry| matches!(entry, Entry::Item(_))) {
            let span = arguments[0].span.to(arguments[arguments.len() - 1].span);
            let message = format!("{name} takes a single table, with a key for each value");
            self.report.push(self.with_table(Diagnostic::new(Code::LuaArguments, span, message), called));
            return true;
        }
        let code = if fails { Code::LuaArguments } else { Code::LuaIgnored };
        let message = format!("{name} ignores arguments after its table");
        self.report.push(self.with_table(Diagnostic::new(code, extra.span, message), called));
        true
    }

    /// Reports two numbers after an object that takes a monster (`lspo_object` looks for `montype` in its last
    /// argument, and fails).
    fn beside_place(&mut self, name: &str, known: &[Candidates<'t>], call: &'t Call) {
        let [objects, _, _] = known else { return };
        if name != "des.object" || objects.is_empty() {
            return;
        }
        let texts = objects.iter().filter_map(|object| match &object.value {
            Value::Text(text, _) => std::str::from_utf8(text).ok(),
            _ => None,
        });
        let fails = |text: &&str| OBJECTS_OF_MONSTERS.iter().any(|known| known.eq_ignore_ascii_case(text));
        let failing: Vec<&str> = texts.filter(fails).collect();
        if let [first, ..] = failing.as_slice()
            && failing.len() == objects.len()
        {
            let message = format!("the game fails on x and y arguments with \"{first}\"");
            let help = format!("write des.object({{ id = \"{first}\", x = ..., y = ... }})");
            self.report.push(Diagnostic::new(Code::LuaArguments, call.span, message).with_help(help));
        }
    }

    /// Checks the places among the arguments.
    fn placed(
        &mut self,
        name: &str,
        function: &'static functions::Function,
        form: &Form,
        known: &[Candidates<'t>],
        call: &'t Call,
    ) {
        let at = |wanted: &str| form.arguments.iter().position(|argument| argument.name == wanted);
        let span = |first: usize, last: usize| {
            let of = |at: usize| known.get(at).and_then(|known| known.first()).map(|known| known.span);
            // A value defined elsewhere is reported at the call.
            match (of(first), of(last)) {
                (Some(first), Some(last)) if first.start >= call.span.start && last.end <= call.span.end => {
                    first.to(last)
                }
                _ => call.span,
            }
        };
        let empty = Vec::new();
        let of = |at: usize| known.get(at).unwrap_or(&empty);
        if let (Some(x1), Some(y1), Some(x2), Some(y2)) = (at("x1"), at("y1"), at("x2"), at("y2")) {
            if name != "selection.line" && name != "selection.randline" {
                let corners = [of(x1), of(y1), of(x2), of(y2)].map(|known| ground::integer(known));
                self.area(corners, span(x1, y2), None);
            }
            return;
        }
        if name.starts_with("nh.")
            || name.starts_with("obj.")
            || matches!(function.name, "get" | "circle" | "ellipse" | "gas_cloud")
        {
            return;
        }
        let walls = if name.starts_with("des.") { Walls::of(function.name) } else { Walls::Too };
        if name == "des.mazewalk" {
            self.rock = false;
        }
        if let (Some(x), Some(y)) = (at("x"), at("y")) {
            if known.len() > x.max(y) {
                self.place(Place::of(of(x), of(y), span(x, y)), walls);
            }
        } else if let Some(place) = at("place")
            && let Some(known) = known.get(place)
        {
            self.place_table(known, walls);
        }
    }

    /// Reports a call statement whose result is an unused selection.
    pub(super) fn unused_selection(&mut self, expression: &'t Expression) {
        let ExpressionKind::Call(call) = &expression.kind else { return };
        let function = match (&call.method, self.values.one(&call.callee)) {
            (Some(method), Value::Typed(Type::Selection)) => libraries::function("selection", method.text.as_str()),
            (None, Value::GameFunction(library, function)) if library.name == "selection" => Some(function),
            _ => None,
        };
        let Some(function) = function.filter(|function| function.gives == Gives::Selection) else { return };
        // These modify the selection passed to them.
        let changes = matches!(function.name, "set" | "circle" | "ellipse");
        let given = call.method.is_some()
            || call.arguments.first().is_some_and(|first| self.values.one(first).kind() != Some(Type::Number));
        if changes && given {
            return;
        }
        let message = format!("the result of {} is not used", function.name);
        let mut problem = Diagnostic::new(Code::LuaUnusedSelection, expression.span, message);
        let subject = match (&call.method, call.arguments.first()) {
            (Some(_), _) => Some(&call.callee),
            (None, Some(first)) => Some(first),
            (None, None) => None,
        };
        let subject = subject.and_then(|subject| match &subject.kind {
            ExpressionKind::Name(name) => Some(name.as_str()),
            _ => None,
        });
        problem = match subject {
            Some(subject) => problem
                .with_label(format!("`{subject}` does not change"))
                .with_help(format!("write {subject} = ..."))
                .with_suggestion(Span { end: expression.span.start, ..expression.span }, format!("{subject} = "), true),
            None => problem.with_help("give it a name with `local`, or pass it to a function"),
        };
        self.report.push(problem);
    }
}

/// A call of a function of the game.
pub(super) struct Called<'c, 't> {
    /// Its full name, e.g. `des.monster`.
    pub name: &'c str,
    pub function: &'static functions::Function,
    /// The receiver of a method, and the arguments.
    pub arguments: &'c [&'t Expression],
    /// Their possible values.
    pub known: &'c [Candidates<'t>],
    pub receiver: Option<&'t Expression>,
    pub call: &'t Call,
}

/// Returns the largest number of arguments of the forms of a function, or 0 if each can have any number.
fn most_of(function: &functions::Function) -> usize {
    function.forms.iter().filter_map(|form| form.count().1).max().unwrap_or(0)
}

/// Returns the entries of a value that can only be a single table.
pub(super) fn table_of<'t>(known: &Candidates<'t>) -> Option<&'t [Entry]> {
    match known.as_slice() {
        [only] => match only.value {
            Value::Table(entries, _) => Some(entries),
            _ => None,
        },
        _ => None,
    }
}

/// Returns true if the game carries out a call with these arguments, although some of them may have no effect.
pub(super) fn runs(function: &functions::Function, known: &[Candidates<'_>]) -> bool {
    let found = known.len();
    let picked = function.forms.iter().find(|form| {
        let from = match form.picked {
            Picked::Types => 0,
            Picked::TypesOfRest => 1,
            Picked::Count => found,
        };
        // The game looks at the type: a string with a number is a string here.
        let is_number = |at: usize| known[at].iter().all(|known| known.value.kind() != Some(Type::Text));
        let is_picked = |at: usize| fits(form, at, known) && (form.picked == Picked::Types || is_number(at));
        form.takes(found) && (from..found).all(is_picked)
    });
    match (picked, function.more) {
        // Lua converts a number to a string, which is the name of nothing (`luaL_checkstring`).
        (Some(form), _) => (0..found).all(|at| {
            let is_name = form
                .argument(at)
                .is_some_and(|argument| matches!(argument.kind, Kind::MonsterOrClass | Kind::ObjectOrClass));
            let is_number =
                |known: &Known<'_>| matches!(known.value, Value::Integer(number) if !(0..10).contains(&number));
            fits(form, at, known) || (is_name && known[at].iter().any(is_number))
        }),
        (None, More::Fails) => false,
        (None, More::IgnoredAfterTable) => {
            let is_table = |known: &Known<'_>| matches!(known.value.kind(), Some(Type::Table | Type::Place));
            known.first().is_some_and(|first| first.iter().all(is_table))
        }
        (None, More::AllIgnored) => true,
        (None, More::Ignored) => {
            let is_begun = |most: usize, form: &Form| most <= found && (0..most).all(|at| fits(form, at, known));
            function.forms.iter().any(|form| form.count().1.is_some_and(|most| is_begun(most, form)))
        }
    }
}

/// Returns true if the argument at `at` may have the type that the form has there.
fn fits(form: &Form, at: usize, known: &[Candidates<'_>]) -> bool {
    form.argument(at).is_none_or(|argument| may_be(argument.kind, &known[at]))
}

/// Returns true if any of the values may have a type that `kind` accepts.
pub(super) fn may_be(kind: Kind, known: &Candidates<'_>) -> bool {
    known.iter().any(|known| known.value.kind().is_none_or(|found| super::kinds::takes(kind, found, &known.value)))
}

/// Describes the types accepted for the argument at `at`, for a message.
fn wanted(forms: &[&Form], at: usize) -> String {
    let mut nouns: Vec<&str> = Vec::new();
    for form in forms {
        if let Some(argument) = form.argument(at) {
            let noun = super::kinds::noun(argument.kind);
            if !nouns.contains(&noun) {
                nouns.push(noun);
            }
        }
    }
    listed(nouns, Conjunction::Or)
}

/// Returns the forms of calling a function, for a help line.
pub(super) fn usage(name: &str, function: &functions::Function, method: bool) -> String {
    let forms = function.forms.iter().map(|form| {
        let arguments =
            form.arguments.iter().skip(usize::from(method)).map(|argument| match (argument.kind, argument.need) {
                (Kind::Keys, _) => "{ ... }".to_owned(),
                (_, Need::Optional) => format!("[{}]", argument.name),
                (_, Need::Required) => argument.name.to_owned(),
            });
        let arguments: Vec<String> = arguments.collect();
        let dots = if form.repeated { ", ..." } else { "" };
        let name = if method { function.name } else { name };
        format!("{name}({}{dots})", arguments.join(", "))
    });
    let mut all: Vec<String> = forms.collect();
    all.dedup();
    listed(all, Conjunction::Or)
}
