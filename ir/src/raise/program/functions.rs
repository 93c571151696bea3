//! Functions: finds copies of their code in a program, names them, and defines them where lowering makes the same
//! copies.
//!
//! The compilers copy a function to its first call: into the level, or into the function that calls it. They remember
//! the position of the copy but not its buffer, so a call from elsewhere jumps to a wrong place. The distance still
//! identifies the copy. One function may have a copy in each buffer.

use std::collections::HashSet;

use super::*;
use crate::order::Order;
use crate::visit::{Visit, VisitMut};

/// A copy of a function's code.
#[derive(Clone, Debug)]
pub(super) struct Copy {
    /// The target of calls: the first opcode after the jump over the copy.
    address: usize,
    /// Start of the code, after the parameters.
    pub(super) start: usize,
    /// Start of the `return`.
    pub(super) code_end: usize,
    /// End of the `return`.
    pub(super) end: usize,
    /// Pushes of the names of its parameters, the last one first.
    pub(super) parameters: Vec<usize>,
    /// The copy that contains it.
    home: Option<usize>,
}

impl Copy {
    /// Returns true if it lies between these opcodes.
    pub(super) fn within(&self, start: usize, end: usize) -> bool {
        self.address >= start && self.end <= end
    }
}

/// All copies of functions in a program, ordered by their ends, so that callees come before their callers.
#[derive(Debug)]
pub(super) struct Copies {
    list: Vec<Copy>,
    by_address: HashMap<usize, usize>,
    /// Copies by their distance from the beginning of the code that contains them.
    by_distance: HashMap<i64, Vec<usize>>,
}

impl Copies {
    /// Finds the copies in `ops`: a jump leads around each, and a call after it leads back.
    pub(super) fn find(ops: &[Op], catalog: &Catalog) -> Copies {
        let mut list = Vec::new();
        if catalog.opcode(Opcode::Call).is_some() {
            let jumps = ops.iter().enumerate().filter(|(_, op)| op.code == Opcode::Jmp);
            list.extend(jumps.filter_map(|(at, _)| copy_behind(ops, at, catalog)));
        }
        // Determine the nesting: outer copies begin first.
        let mut order: Vec<usize> = (0..list.len()).collect();
        order.order_by_key(|&at| (list[at].address, std::cmp::Reverse(list[at].end)));
        let mut open: Vec<usize> = Vec::new();
        for &at in &order {
            while open.last().is_some_and(|&outer| list[outer].end <= list[at].address) {
                open.pop();
            }
            list[at].home = open.last().copied();
            open.push(at);
        }
        let mut by_end: Vec<usize> = (0..list.len()).collect();
        by_end.order_by_key(|&at| list[at].end);
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

    /// Returns the copy whose calls lead to `address`.
    pub(super) fn at(&self, address: usize) -> Option<usize> {
        self.by_address.get(&address).copied()
    }

    /// Returns the copy called by a call to `target`. `buffer` is the copy that contains the call and the start of its
    /// code.
    pub(super) fn called(&self, target: i64, buffer: (Option<usize>, usize)) -> Option<usize> {
        let here = usize::try_from(target).ok().and_then(|target| self.at(target));
        if let Some(copy) = here.filter(|&copy| self.list[copy].home == buffer.0) {
            return Some(copy);
        }
        let elsewhere = self.by_distance.get(&(target - buffer.1 as i64))?;
        elsewhere.iter().copied().find(|&copy| self.list[copy].home != buffer.0)
    }
}

/// Returns the copy of a function after the jump at `at`, if there is one.
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

/// The placement of function definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placing {
    /// Before the level. Copies with identical code are one function.
    Shared,
    /// Before the level. Each copy is a separate function.
    Separate,
    /// In the level, right before the first statement that needs it. Each copy is a separate function.
    Late,
    /// Like `Late`, but functions with a BREAK for the block around their definition are defined in that block.
    InBlocks,
}

impl Placing {
    /// Returns the placements to try, the most likely first.
    pub(super) fn all(copies: &Copies, catalog: &Catalog) -> &'static [Placing] {
        match (copies.len(), catalog.has(Feature::HeaderStatements)) {
            (0, _) => &[Placing::Shared],
            (_, true) => &[Placing::Shared, Placing::Separate, Placing::Late, Placing::InBlocks],
            (_, false) => &[Placing::Late, Placing::InBlocks],
        }
    }
}

/// The names of functions.
#[derive(Debug)]
pub(super) struct Names {
    /// For each copy, the first copy of its function.
    first: Vec<usize>,
    /// For each copy, the name of its function.
    names: Vec<Text>,
}

/// Most functions with the same length and first opcodes that are compared; further ones stay separate functions.
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

    /// Returns the name of a copy's function.
    pub(super) fn of(&self, copy: usize) -> Text {
        self.names.get(copy).cloned().unwrap_or_default()
    }

    /// Returns the names of all functions, in the order of their definitions.
    pub(super) fn defined(&self) -> Vec<Text> {
        self.defining().map(|copy| self.of(copy)).collect()
    }

    /// Returns the first copy of each function.
    fn defining(&self) -> impl Iterator<Item = usize> {
        self.first.iter().enumerate().filter(|&(copy, &first)| copy == first).map(|(copy, _)| copy)
    }
}

/// Returns a placeholder for the definition of a function that is read later; see [`fill`].
pub(super) fn to_be_filled(name: Text) -> Statement {
    let function = Function { name: bare(name), parameters: Vec::new(), body: Vec::new(), span: Span::NOWHERE };
    super::statement(StatementKind::Function(function), Span::NOWHERE)
}

/// Replaces the placeholders in `level` by the functions of the `wanted` copies.
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

/// A level as read, with the functions that it calls.
pub(super) struct Read {
    pub(super) level: Level,
    /// For each statement of the level, the opcode after it.
    pub(super) ends: Vec<usize>,
    /// For each copy, its function.
    pub(super) bodies: Vec<Option<Function>>,
    /// Calls of functions whose copy is in another buffer: the opcode, and the copy.
    pub(super) astray: Vec<(usize, usize)>,
}

/// Defines the functions as `placing` requires.
pub(super) fn place(read: Read, copies: &Copies, names: &Names, placing: Placing) -> Vec<Item> {
    let Read { mut level, ends, mut bodies, astray } = read;
    if matches!(placing, Placing::Shared | Placing::Separate) {
        let functions = names.defining().filter_map(|copy| bodies.get_mut(copy)?.take());
        return functions.map(Item::Function).chain([Item::Level(level)]).collect();
    }
    let (mut defined, mut requested) = (HashSet::new(), HashSet::new());
    let mut body = Vec::with_capacity(level.body.len() + copies.len());
    let mut begin = 0;
    let (mut next_copy, mut next_astray) = (0, 0);
    for (statement, end) in level.body.into_iter().zip(ends) {
        let mut needed: Vec<usize> = Vec::new();
        // Copies are ordered by their ends, and no copy extends past its statement.
        while copies.list.get(next_copy).is_some_and(|copy| copy.end <= end) {
            needed.push(next_copy);
            next_copy += 1;
        }
        // The called copy must be defined, together with the function that contains it.
        while let Some(&(at, copy)) = astray.get(next_astray).filter(|&&(at, _)| at < end) {
            debug_assert!(at >= begin);
            next_astray += 1;
            if let Some(home) = copies.list[copy].home {
                let outer = &copies.list[home];
                let inner = copies.list.iter().enumerate();
                let inner = inner.filter(|(_, copy)| copy.address >= outer.address && copy.end <= outer.end);
                if requested.insert(home) {
                    needed.extend(inner.map(|(at, _)| at));
                }
            }
        }
        needed.order();
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
