//! Proof that two scripts of one game take the same steps, except for values that nothing reads.
//!
//! Both scripts are followed at the same time, opcode by opcode, through every jump. Where they are at the same point
//! of the same code, their stacks, their other variables and their level are equal, so the next opcode does the same in
//! both. Only the code that stores constants or dice in a variable that no opcode reads may be in one of them alone.
//! No draw and no statement is carried out, so any number of chances takes no longer than the code is long, and the
//! answer holds in every game around the level.
//!
//! One thing can still tell them apart: the game stops a script after a number of opcodes. So a bound on the opcodes
//! that a run takes is computed, from the count of each LOOP. A script of which the bound is unknown is not decided
//! here, nor is one with functions.

use std::collections::{BTreeMap, HashMap, HashSet};

use splc_ir::catalog::LoaderRule;
use splc_ir::program::{Gives, Opcode, Parameter, Taker};
use splc_ir::value::ValueType;
use splc_vm::internals::limits::MAX_VARIABLES;
use splc_vm::internals::{PreparedForm as Form, Value as OfProgram, compared, is_taken};
use splc_vm::{Prepared, Settings};

/// Returns true if both scripts take the same steps in every game.
pub(crate) fn are_same(first: &Prepared, second: &Prepared, settings: &Settings) -> bool {
    let scripts = matches!((&first.form, &second.form), (Form::Script, Form::Script));
    let charsets = first.charset == second.charset || (first.bytes.is_ascii() && second.bytes.is_ascii());
    if !scripts || !charsets || first.game.catalog != second.game.catalog {
        return false;
    }
    let (Some(one), Some(two)) = (Code::of(first), Code::of(second)) else { return false };
    let most = settings.fuel.min(MAX_VARIABLES as u64);
    are_paired(&one, &two) && [&one, &two].into_iter().all(|code| code.bound().is_some_and(|bound| bound <= most))
}

/// A value that an opcode pushes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pushed<'a> {
    Nothing,
    Number(ValueType, i64),
    Text(&'a [u8]),
    Variable(&'a [u8]),
}

/// A script with its jumps and the code that only sets variables that nothing reads.
struct Code<'a> {
    prepared: &'a Prepared,
    ops: Vec<(Opcode, Pushed<'a>)>,
    /// The target of each jump, unless the game ignores it.
    targets: Vec<Option<usize>>,
    /// Marks the targets of jumps.
    is_target: Vec<bool>,
    /// The end of the unread code that starts at an opcode.
    unread: HashMap<usize, usize>,
}

/// Maximum loops of a script that is bounded.
const MAX_LOOPS: usize = 256;

/// Maximum times, on average, that an opcode is looked at for a bound.
const MAX_VISITS: usize = 64;

/// The kind of an unread variable: a type, or `None` for an array.
type Kind = Option<ValueType>;

impl<'a> Code<'a> {
    /// Returns `None` for code with functions, or with names or distances that are not pushed directly before use.
    fn of(prepared: &'a Prepared) -> Option<Self> {
        let pushed = |value| match value {
            OfProgram::Null | OfProgram::Selection(_) => Pushed::Nothing,
            OfProgram::Number(tag, number) => Pushed::Number(tag, number),
            OfProgram::Text(text) => Pushed::Text(text.of(&prepared.bytes)),
            OfProgram::Variable(text) => Pushed::Variable(text.of(&prepared.bytes)),
        };
        let ops: Vec<_> = prepared.ops.iter().map(|op| (op.code, pushed(op.value))).collect();
        let mut code = Code {
            prepared,
            targets: vec![None; ops.len()],
            is_target: vec![false; ops.len() + 1],
            ops,
            unread: HashMap::new(),
        };
        for at in 0..code.ops.len() {
            match code.ops[at].0 {
                Opcode::Call | Opcode::Return | Opcode::FramePush | Opcode::FramePop => return None,
                opcode if opcode.jumps() => {
                    let (Opcode::Push, Pushed::Number(ValueType::Integer, distance)) = code.before(at, 1)? else {
                        return None;
                    };
                    code.targets[at] = code.target(at, distance);
                    if let Some(target) = code.targets[at] {
                        *code.is_target.get_mut(target)? = true;
                    }
                }
                Opcode::VarInit => {
                    code.name_set(at)?;
                }
                Opcode::ShuffleArray => match code.before(at, 1)? {
                    (Opcode::Push, Pushed::Text(_)) => {}
                    _ => return None,
                },
                _ => {}
            }
        }
        // The operands of these opcodes are those pushed directly before them.
        let has_operands = |code: Opcode| code.jumps() || matches!(code, Opcode::VarInit | Opcode::ShuffleArray);
        for (at, (opcode, _)) in code.ops.iter().enumerate() {
            let first = if *opcode == Opcode::VarInit { at - 1 } else { at };
            if has_operands(*opcode) && code.is_target[first..=at].contains(&true) {
                return None;
            }
        }
        code.find_unread();
        Some(code)
    }

    fn before(&self, at: usize, distance: usize) -> Option<(Opcode, Pushed<'a>)> {
        self.ops.get(at.checked_sub(distance)?).copied()
    }

    /// Returns the target of a jump at `at`. The game ignores a jump out of the code, and one to itself.
    fn target(&self, at: usize, distance: i64) -> Option<usize> {
        let before = usize::try_from(i64::try_from(at).ok()?.checked_add(distance.checked_sub(1)?)?).ok()?;
        (before < self.ops.len() && before != at).then_some(before + 1)
    }

    /// Returns the name and the count of the variable that is set at `at`, unless it is a copy of another.
    fn name_set(&self, at: usize) -> Option<(&'a [u8], usize)> {
        match (self.before(at, 1)?, self.before(at, 2)?) {
            ((Opcode::Push, Pushed::Text(name)), (Opcode::Push, Pushed::Number(ValueType::Integer, count))) => {
                Some((name, usize::try_from(count).ok()?))
            }
            _ => None,
        }
    }

    /// Returns the start of the constants or dice that are stored at `at`, and the kind of the variable.
    fn initialiser(&self, at: usize) -> Option<(usize, Kind)> {
        let (_, count) = self.name_set(at)?;
        let end = at - 2;
        let integer = |at: usize| matches!(self.ops[at], (Opcode::Push, Pushed::Number(ValueType::Integer, 1..=1000)));
        let (start, kind) = match (count, self.before(end, 1)?) {
            (0, (Opcode::Push, Pushed::Number(tag, _))) => (end - 1, Some(tag)),
            (0, (Opcode::Push, Pushed::Text(_))) => (end - 1, Some(ValueType::String)),
            (0, (Opcode::Dice, _)) if end >= 3 && integer(end - 2) && integer(end - 3) => {
                (end - 3, Some(ValueType::Integer))
            }
            (1.., _) => {
                let start = end.checked_sub(count)?;
                let is_constant = |(code, value): &(Opcode, Pushed<'_>)| {
                    *code == Opcode::Push && matches!(value, Pushed::Number(..) | Pushed::Text(_))
                };
                self.ops[start..end].iter().all(is_constant).then_some((start, None))?
            }
            _ => return None,
        };
        (!self.is_target[start + 1..=at].contains(&true)).then_some((start, kind))
    }

    fn find_unread(&mut self) {
        // Every push of a name, and every variable that is set to something simple.
        let mut pushes: HashMap<&[u8], usize> = HashMap::new();
        let mut set: BTreeMap<&[u8], Vec<(usize, usize, Kind)>> = BTreeMap::new();
        for (at, (code, value)) in self.ops.iter().enumerate() {
            if let Pushed::Text(name) | Pushed::Variable(name) = value {
                *pushes.entry(name).or_default() += 1;
            }
            if *code == Opcode::VarInit
                && let (Some((name, _)), Some((start, kind))) = (self.name_set(at), self.initialiser(at))
            {
                set.entry(name).or_default().push((start, at + 1, kind));
            }
        }
        for (name, all) in set {
            // A variable cannot change its type, and a text that is not a name counts as a read.
            let one_kind = all.iter().all(|(_, _, kind)| *kind == all[0].2);
            if one_kind && pushes.get(name) == Some(&all.len()) {
                self.unread.extend(all.iter().map(|(start, end, _)| (*start, *end)));
            }
        }
    }

    /// Returns the most that each variable is set to, if every value is a number or dice.
    fn most_of(&self) -> HashMap<&'a [u8], i64> {
        let mut all: HashMap<&'a [u8], Option<i64>> = HashMap::new();
        for (at, (code, _)) in self.ops.iter().enumerate() {
            if *code != Opcode::VarInit {
                continue;
            }
            let integer = |distance| match self.before(at, distance) {
                Some((Opcode::Push, Pushed::Number(ValueType::Integer, number))) => Some(number),
                _ => None,
            };
            let Some((name, count)) = self.name_set(at) else { continue };
            let is_joined = |distance: usize| (at + 1 - distance..=at).any(|at| self.is_target[at]);
            let value = match self.before(at, 3) {
                _ if count > 0 => None,
                Some((Opcode::Dice, _)) if !is_joined(5) => integer(5)
                    .zip(integer(4))
                    .filter(|(dice, sides)| (1..=1000).contains(dice) && (1..=1000).contains(sides))
                    .map(|(dice, sides)| dice * sides),
                _ if !is_joined(3) => integer(3),
                _ => None,
            };
            let known = all.entry(name).or_insert(value);
            *known = known.zip(value).map(|(one, other)| one.max(other));
        }
        all.into_iter().filter_map(|(name, most)| Some((name, most?))).collect()
    }

    fn past_unread(&self, mut at: usize) -> usize {
        while let Some(end) = self.unread.get(&at) {
            at = *end;
        }
        at
    }

    /// Returns the most opcodes that a run takes, or `None` if that is unknown.
    ///
    /// In a run, an opcode is reached at most once in each round of the innermost loop around it, as the code without
    /// the jumps of loops has no cycle.
    fn bound(&self) -> Option<u64> {
        let loops = self.loops()?;
        if !self.is_acyclic(&loops) {
            return None;
        }
        let rounds = if loops.is_empty() { HashMap::new() } else { Rounds::of(self, &loops)? };
        let mut sum: u64 = 0;
        for at in 0..self.ops.len() {
            let around = loops.iter().filter(|around| (around.head..=around.jump).contains(&at));
            let times = around
                .map(|around| rounds[&around.head])
                .try_fold(1_u64, |product, rounds| product.checked_mul(rounds))?;
            sum = sum.checked_add(times)?;
        }
        // Opcodes in a room that finds no place count once more.
        sum.checked_mul(2)
    }

    /// Returns the loops, or `None` if other code jumps back into one or into the middle of one.
    fn loops(&self) -> Option<Vec<Loop>> {
        let mut loops = Vec::new();
        for jump in 0..self.ops.len() {
            let Some(head) = self.targets[jump].filter(|&target| target <= jump) else { continue };
            let test = jump.checked_sub(4).and_then(|start| self.ops.get(start..jump));
            let is_test = matches!(
                test,
                Some([(Opcode::Copy, _), (Opcode::Push, Pushed::Number(ValueType::Integer, 0)), (Opcode::Cmp, _), _])
            );
            if self.ops[head].0 == Opcode::Dec && self.ops[jump].0 == Opcode::Jg && is_test {
                loops.push(Loop { head, jump });
            }
        }
        if loops.len() > MAX_LOOPS {
            return None;
        }
        let is_nested = |one: &Loop, other: &Loop| {
            one.jump < other.head
                || other.jump < one.head
                || (one.head < other.head && other.jump < one.jump)
                || (other.head < one.head && one.jump < other.jump)
        };
        for (at, one) in loops.iter().enumerate() {
            if !loops[at + 1..].iter().all(|other| is_nested(one, other)) {
                return None;
            }
            let inside = |at: usize| (one.head..=one.jump).contains(&at);
            for (from, target) in self.targets.iter().enumerate() {
                let Some(target) = *target else { continue };
                let enters = inside(target) && !inside(from);
                let repeats = target == one.head && from != one.jump;
                let leaves_back = inside(from) && target < one.head;
                let within_test = (one.jump - 3..=one.jump).contains(&target);
                if enters || repeats || leaves_back || within_test {
                    return None;
                }
            }
        }
        Some(loops)
    }

    /// The opcodes that can follow the one at `at`, without the jumps of loops.
    fn followers(&self, at: usize, loops: &[Loop]) -> Vec<usize> {
        let mut all = Vec::new();
        let code = self.ops[at].0;
        let ends = code == Opcode::Exit || (code == Opcode::Jmp && self.targets[at].is_some());
        if !ends {
            all.push(at + 1);
        }
        if !loops.iter().any(|around| around.jump == at) {
            all.extend(self.targets[at]);
        }
        if matches!(code, Opcode::Room | Opcode::Subroom) {
            all.extend(self.end_of_room(at));
        }
        all
    }

    /// Returns the opcode after the end of a room.
    fn end_of_room(&self, at: usize) -> Option<usize> {
        let mut depth = 0;
        for (end, (code, _)) in self.ops.iter().enumerate().skip(at + 1) {
            match code {
                Opcode::Room | Opcode::Subroom => depth += 1,
                Opcode::EndRoom if depth == 0 => return Some(end + 1),
                Opcode::EndRoom => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// Returns true if no opcode can run twice except by the jumps of loops.
    fn is_acyclic(&self, loops: &[Loop]) -> bool {
        let count = self.ops.len();
        let next: Vec<Vec<usize>> = (0..count).map(|at| self.followers(at, loops)).collect();
        let mut waits = vec![0_usize; count + 1];
        next.iter().flatten().for_each(|&at| waits[at.min(count)] += 1);
        let mut ready: Vec<usize> = (0..count).filter(|&at| waits[at] == 0).collect();
        let mut done = 0;
        while let Some(at) = ready.pop() {
            done += 1;
            for &at in &next[at] {
                let at = at.min(count);
                waits[at] -= 1;
                if waits[at] == 0 && at < count {
                    ready.push(at);
                }
            }
        }
        done == count
    }
}

/// A LOOP: the opcode that counts its rounds down, and the jump back to it.
#[derive(Clone, Copy)]
struct Loop {
    head: usize,
    jump: usize,
}

/// Follows both scripts at the same time.
fn are_paired(one: &Code<'_>, two: &Code<'_>) -> bool {
    let mut open = vec![(0, 0)];
    let mut known = HashSet::from([(0, 0)]);
    while let Some((first, second)) = open.pop() {
        let (first, second) = (one.past_unread(first), two.past_unread(second));
        let (Some((code, value)), Some((other, other_value))) = (one.ops.get(first), two.ops.get(second)) else {
            if first == one.ops.len() && second == two.ops.len() {
                continue;
            }
            return false;
        };
        let is_distance = |code: &Code<'_>, at: usize| code.ops.get(at + 1).is_some_and(|(next, _)| next.jumps());
        let distances = is_distance(one, first) && is_distance(two, second);
        if code != other || (value != other_value && !distances) {
            return false;
        }
        // In a room that finds no place, opcodes are skipped one by one, jumps too.
        let mut next = vec![(first + 1, second + 1)];
        match (one.targets[first], two.targets[second]) {
            (None, None) => {}
            (Some(first), Some(second)) => next.push((first, second)),
            _ => return false,
        }
        open.extend(next.into_iter().filter(|pair| known.insert(*pair)));
    }
    true
}

/// A value on the stack, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Abstract<'a> {
    /// A value of this type.
    Some(ValueType),
    /// An integer that is at most this number.
    Most(i64),
    Exactly(ValueType, i64),
    Variable(&'a [u8]),
    /// The counter of the loop with this head, in the current round.
    Counter(usize),
}

impl Abstract<'_> {
    fn tag(self) -> ValueType {
        match self {
            Abstract::Some(tag) | Abstract::Exactly(tag, _) => tag,
            Abstract::Most(_) | Abstract::Counter(_) => ValueType::Integer,
            Abstract::Variable(_) => ValueType::Variable,
        }
    }

    fn most(self) -> Option<i64> {
        match self {
            Abstract::Most(most) | Abstract::Exactly(ValueType::Integer, most) => Some(most),
            _ => None,
        }
    }

    /// Returns what is known of a value that is one of two.
    fn or(self, other: Self) -> Option<Self> {
        if self == other {
            return Some(self);
        }
        match (self.most(), other.most()) {
            (Some(one), Some(other)) => Some(Abstract::Most(one.max(other))),
            _ if self.tag() == other.tag() && self.tag() != ValueType::Variable => Some(Abstract::Some(self.tag())),
            _ => None,
        }
    }
}

/// The content of a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Content {
    tag: ValueType,
    is_array: bool,
    /// The most that it is, if it is a number that is always known or drawn.
    most: Option<i64>,
}

/// The stack at an opcode.
struct Stack<'c, 'a> {
    values: Vec<Abstract<'a>>,
    variables: &'c HashMap<&'a [u8], Content>,
}

/// The stack is unknown.
struct Unknown;

impl<'a> Stack<'_, 'a> {
    fn pop(&mut self) -> Result<Abstract<'a>, Unknown> {
        self.values.pop().ok_or(Unknown)
    }

    /// Takes a value, and reads it if it is a variable.
    fn read(&mut self) -> Result<Abstract<'a>, Unknown> {
        match self.pop()? {
            Abstract::Variable(name) => {
                let Content { tag, is_array, most } = *self.variables.get(name).ok_or(Unknown)?;
                if is_array && self.read()?.tag() != ValueType::Integer {
                    return Err(Unknown);
                }
                Ok(most.map_or(Abstract::Some(tag), Abstract::Most))
            }
            value => Ok(value),
        }
    }

    fn number(&mut self) -> Result<Abstract<'a>, Unknown> {
        self.read().and_then(|value| if value.tag() == ValueType::Integer { Ok(value) } else { Err(Unknown) })
    }
}

impl Taker for Stack<'_, '_> {
    type Stop = Unknown;

    fn take(&mut self, parameter: Parameter) -> Result<Option<i64>, Unknown> {
        let value = if parameter.role.reads_variables() { self.read()? } else { self.pop()? };
        // A statement with a wrong operand leaves the others on the stack.
        if parameter.role.value_type().is_some_and(|wanted| wanted != value.tag()) {
            return Err(Unknown);
        }
        Ok(if let Abstract::Exactly(_, number) = value { Some(number) } else { None })
    }

    fn number_below(&self, below: usize) -> Option<i64> {
        match self.values.get(self.values.len().checked_sub(below + 1)?)? {
            Abstract::Exactly(ValueType::Integer, number) => Some(*number),
            _ => None,
        }
    }

    fn is_empty(&mut self) -> bool {
        self.values.is_empty()
    }

    fn undecided(&self) -> Unknown {
        Unknown
    }
}

/// The rounds of each loop, by its head. They are known if nothing but the loop changes its counter.
struct Rounds<'c, 'a> {
    code: &'c Code<'a>,
    loops: &'c [Loop],
    /// The stack before each opcode that can run.
    stacks: Vec<Option<Vec<Abstract<'a>>>>,
    variables: HashMap<&'a [u8], Content>,
    /// The most that a variable is set to, if every value is a number or dice.
    most_of: HashMap<&'a [u8], i64>,
    open: Vec<usize>,
}

impl<'a> Rounds<'_, 'a> {
    fn of(code: &Code<'a>, loops: &[Loop]) -> Option<HashMap<usize, u64>> {
        debug_assert!((-2..=2).all(|counter| is_taken(Opcode::Jg, compared(0, counter)) == (counter > 0)));
        let mut once = HashSet::new();
        for (at, (opcode, _)) in code.ops.iter().enumerate() {
            let is_inside = loops.iter().any(|around| (around.head..=around.jump).contains(&at));
            match opcode {
                // A second one takes no operands.
                Opcode::MonGeneration | Opcode::LevelSounds if is_inside || !once.insert(*opcode as usize) => {
                    return None;
                }
                // At a place outside the level, it leaves nothing on the stack.
                Opcode::SelFlood | Opcode::CoreFunc | Opcode::ConvertType => return None,
                _ => {}
            }
        }
        let stacks = vec![None; code.ops.len() + 1];
        let most_of = code.most_of();
        let mut rounds = Rounds { code, loops, stacks, variables: HashMap::new(), most_of, open: Vec::new() };
        rounds.arrive(0, Vec::new()).ok()?;
        // A bound that grows in every round is not one.
        let mut left = code.ops.len().saturating_mul(MAX_VISITS);
        while let Some(at) = rounds.open.pop() {
            left = left.checked_sub(1)?;
            if at < code.ops.len() {
                rounds.step(at).ok()?;
            }
        }
        let of = |around: &Loop| {
            let counter = match &rounds.stacks[around.head] {
                Some(stack) => match stack.last()? {
                    Abstract::Variable(name) => rounds.variables.get(name)?.most?,
                    counter => counter.most()?,
                },
                // It never runs.
                None => 1,
            };
            Some((around.head, u64::try_from(counter.max(1)).ok()?))
        };
        loops.iter().map(of).collect()
    }

    /// Continues at an opcode with a stack.
    fn arrive(&mut self, at: usize, stack: Vec<Abstract<'a>>) -> Result<(), Unknown> {
        let known = self.stacks.get_mut(at).ok_or(Unknown)?;
        let merged = match known.as_ref() {
            None => stack,
            Some(known) if known.len() != stack.len() => return Err(Unknown),
            Some(known) => {
                let both = known.iter().zip(stack).map(|(one, other)| one.or(other));
                both.collect::<Option<_>>().ok_or(Unknown)?
            }
        };
        if known.as_ref() != Some(&merged) {
            *known = Some(merged);
            self.open.push(at);
        }
        Ok(())
    }

    fn step(&mut self, at: usize) -> Result<(), Unknown> {
        let Some(values) = self.stacks[at].clone() else { return Ok(()) };
        let (opcode, pushed) = self.code.ops[at];
        let mut stack = Stack { values, variables: &self.variables };
        let mut set = None;
        match opcode {
            Opcode::Null | Opcode::Exit => {}
            Opcode::Push => stack.values.push(match pushed {
                Pushed::Number(tag, number) => Abstract::Exactly(tag, number),
                Pushed::Text(_) => Abstract::Some(ValueType::String),
                Pushed::Variable(name) => Abstract::Variable(name),
                Pushed::Nothing => return Err(Unknown),
            }),
            Opcode::Pop => {
                stack.pop()?;
            }
            Opcode::Copy => {
                let value = stack.pop()?;
                stack.values.extend([value, value]);
            }
            Opcode::Dec => {
                let counter = stack.number()?;
                let is_head = self.loops.iter().any(|around| around.head == at);
                stack.values.push(if is_head { Abstract::Counter(at) } else { Abstract::Some(counter.tag()) });
            }
            Opcode::Inc | Opcode::MathSign => {
                stack.number()?;
                stack.values.push(Abstract::Some(ValueType::Integer));
            }
            Opcode::Cmp => {
                let (right, left) = (stack.read()?, stack.read()?);
                if right.tag() != left.tag() {
                    return Err(Unknown);
                }
                stack.values.push(Abstract::Some(ValueType::Integer));
            }
            Opcode::MathAdd | Opcode::MathSub | Opcode::MathMul | Opcode::MathDiv | Opcode::MathMod => {
                let (right, left) = (stack.number()?, stack.number()?);
                stack.values.push(match (opcode, left.most(), right) {
                    (Opcode::MathAdd, Some(left), right) if right.most().is_some() => {
                        Abstract::Most(left.checked_add(right.most().ok_or(Unknown)?).ok_or(Unknown)?)
                    }
                    (Opcode::MathSub, Some(left), Abstract::Exactly(_, right)) => {
                        Abstract::Most(left.checked_sub(right).ok_or(Unknown)?)
                    }
                    _ => Abstract::Some(ValueType::Integer),
                });
            }
            Opcode::Rn2 => {
                let below = stack.number()?;
                let most = below.most().map(|below| Abstract::Most(below.saturating_sub(1).max(0)));
                stack.values.push(most.unwrap_or(Abstract::Some(ValueType::Integer)));
            }
            Opcode::Dice => {
                let (sides, dice) = (stack.number()?, stack.number()?);
                let most = |value: Abstract<'_>| value.most().filter(|most| *most < 1 << 15).map(|most| most.max(1));
                stack.values.push(match (most(dice), most(sides)) {
                    (Some(dice), Some(sides)) => Abstract::Most(dice * sides),
                    _ => Abstract::Some(ValueType::Integer),
                });
            }
            Opcode::VarInit => {
                let (name, count) = self.code.name_set(at).ok_or(Unknown)?;
                stack.pop()?;
                stack.pop()?;
                let is_array = count > 0;
                let tag = if is_array { stack.pop()?.tag() } else { stack.read()?.tag() };
                for _ in 1..count {
                    if stack.pop()?.tag() != tag {
                        return Err(Unknown);
                    }
                }
                if tag == ValueType::Variable {
                    return Err(Unknown);
                }
                let most = self.most_of.get(name).copied().filter(|_| !is_array && tag == ValueType::Integer);
                set = Some((name, Content { tag, is_array, most }));
            }
            Opcode::ShuffleArray => {
                stack.pop()?;
            }
            _ if opcode.jumps() => {
                stack.pop()?;
                if opcode != Opcode::Jmp && stack.number().is_err() {
                    return Err(Unknown);
                }
            }
            Opcode::Room | Opcode::Subroom
                if self.code.prepared.catalog().loader.rules.has(LoaderRule::FailedRoomsTakeValues) =>
            {
                return Err(Unknown);
            }
            _ => {
                let signature = opcode.signature();
                signature.follow(self.code.prepared.catalog(), &mut stack)?;
                for gives in signature.gives {
                    let Gives::Value(tag) = *gives else { return Err(Unknown) };
                    stack.values.push(Abstract::Some(tag));
                }
            }
        }
        let values = stack.values;
        if let Some((name, content)) = set
            && *self.variables.entry(name).or_insert(content) != content
        {
            return Err(Unknown);
        }
        // The counter that a loop tests must be its own.
        if let Some(around) = self.loops.iter().find(|around| around.jump == at) {
            let target = around.head;
            let Some((Abstract::Counter(head), below)) = values.split_last() else { return Err(Unknown) };
            let known = self.stacks[target].as_ref().and_then(|stack| stack.last()).copied().ok_or(Unknown)?;
            if *head != target {
                return Err(Unknown);
            }
            // It is less than it was.
            let again = below.iter().copied().chain([known]).collect();
            self.arrive(target, again)?;
        }
        for next in self.code.followers(at, self.loops) {
            self.arrive(next, values.clone())?;
        }
        Ok(())
    }
}
