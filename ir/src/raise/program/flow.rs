//! Control flow from jumps: IF, SWITCH, LOOP, FOR, BREAK, functions and their calls.
//!
//! The shape of each is defined by the code that lowers it (`lower/flow.rs`).

use std::ops::Range;

use super::values::ItemKind;
use super::*;
use crate::level::{Selection, SelectionKind, ValueType};
use crate::order::Order;

impl Raising<'_> {
    /// Pops the distance of the jump at `at` and returns its target.
    fn jump_target(&mut self, at: usize) -> Result<usize, RaiseError> {
        self.number(at)?;
        match target(self.ops, at, self.catalog) {
            Some(target) => Ok(target),
            None => self.wrong(at, "the jump leaves the program"),
        }
    }

    /// Reads an IF and its ELSE.
    pub(super) fn condition(&mut self, at: usize, end: usize) -> Result<(StatementKind, usize), RaiseError> {
        let over = self.jump_target(at)?;
        let condition = self.compared(at)?;
        if over <= at || over > end {
            return self.wrong(at, "the jump is neither the condition of an IF nor the end of a LOOP or FOR");
        }
        if self.count() > 0 {
            return self.wrong(at, "values are left on the stack before a condition");
        }
        // A jump at the end of the block skips the ELSE. If it leads out of the surrounding block, it is a BREAK.
        let otherwise = over.checked_sub(1).filter(|&last| last > at + 1 && self.code(last) == Some(Opcode::Jmp));
        let otherwise = otherwise.filter(|&last| self.code(last - 1) == Some(Opcode::Push));
        let otherwise = otherwise.and_then(|last| Some((last, target(self.ops, last, self.catalog)?)));
        let otherwise = otherwise.filter(|&(_, target)| target >= over && target <= end);
        // A lone jump to the end of the surrounding block fits both. It is more likely a BREAK, and only a BREAK makes
        // the game's compiler forget those of outer blocks. If one of those was not forgotten, this jump is not a
        // BREAK.
        let around = self.breaks.split_last().map_or(&[][..], |(_, around)| around);
        let around = around.iter().any(|block| self.remembered.contains(block));
        let is_break = |last: usize, target: usize| {
            let leaves = last == at + 2 && self.breaks.last() == Some(&target);
            leaves && !around && self.lone_jumps == LoneJumps::Break && !self.catalog.has(Feature::BreakInCaseOnly)
        };
        let otherwise = otherwise.filter(|&(last, target)| !is_break(last, target));
        // An empty ELSE may belong to an IF at the end of the block: the condition of that IF then also leads past it.
        let otherwise = otherwise.filter(|&(last, target)| target > over || !self.leads_out(at + 1..last, over));
        let Some((last, target)) = otherwise else {
            let mut then = self.block(at + 1, over)?;
            let kind = match then.pop() {
                Some(only) if then.is_empty() && is_short(&only) => {
                    StatementKind::Chance { condition, then: Box::new(only) }
                }
                last => {
                    then.extend(last);
                    StatementKind::If { condition, then, otherwise: None }
                }
            };
            return Ok((kind, over));
        };
        let then = self.block(at + 1, last - 1)?;
        let otherwise = Some(self.block(over, target)?);
        Ok((StatementKind::If { condition, then, otherwise }, target))
    }

    /// Returns true if a condition in `range` leads to `place`.
    fn leads_out(&self, mut range: Range<usize>, place: usize) -> bool {
        use Opcode::{Je, Jg, Jge, Jl, Jle, Jne};
        range.any(|at| {
            matches!(self.code(at), Some(Je | Jne | Jl | Jle | Jg | Jge))
                && target(self.ops, at, self.catalog) == Some(place)
        })
    }

    /// Returns the condition of the jump at `at`, which is taken if the condition is false.
    fn compared(&mut self, at: usize) -> Result<Condition, RaiseError> {
        let span = self.ops[at].span;
        let ItemKind::Compared(values) = self.pop(at)?.kind else {
            return self.wrong(at, "the jump has no comparison");
        };
        let (left, right, drawn) = *values;
        let comparison = match self.ops[at].code {
            Opcode::Jne => Comparison::Equal,
            Opcode::Je => Comparison::NotEqual,
            Opcode::Jge => Comparison::Less,
            Opcode::Jg => Comparison::LessEqual,
            Opcode::Jle => Comparison::Greater,
            _ => Comparison::GreaterEqual,
        };
        Ok(match (&left.kind, &right.kind) {
            (&ExprKind::Integer(percent), ExprKind::Integer(100)) if drawn && comparison == Comparison::Greater => {
                Condition::Percent(Spanned::new(percent, left.span.to(span)))
            }
            _ if drawn => return self.wrong(at, "no des-file compiles to this comparison with a random number"),
            (_, ExprKind::Integer(0))
                if comparison == Comparison::NotEqual && !self.catalog.has(Feature::ComparedConditions) =>
            {
                Condition::NonZero(left)
            }
            _ => Condition::Compare { left, comparison, right },
        })
    }

    /// Reads the statement that begins with an unconditional jump: a function, a SWITCH, or a BREAK.
    pub(super) fn jump(
        &mut self,
        at: usize,
        begin: usize,
        end: usize,
        statements: &mut Vec<Statement>,
    ) -> Result<usize, RaiseError> {
        self.number(at)?;
        if let Some(copy) = self.copies.at(at + 1) {
            return self.function(copy, at, end);
        }
        let target = target(self.ops, at, self.catalog);
        // The value of the SWITCH is on the stack. An array element is two values, one of which stays: see
        // `quirk_element_switched`.
        if self.count() > 0
            && let Some(check) = target.filter(|&check| check > at && check < end)
        {
            let (kind, next) = self.switch(at, check, end)?;
            statements.push(statement(kind, self.span(begin, next - 1)));
            return Ok(next);
        }
        // The distance of a BREAK is its own position if its block was forgotten, or had not ended when it was copied.
        let push = at as i64 - 1 - self.buffer.1 as i64;
        let by_itself = self.number_at(at - 1) == Some(push);
        let leaves = target.is_some() && target == self.breaks.last().copied();
        if self.count() == 0 && (leaves || by_itself) {
            if by_itself && self.breaks.is_empty() {
                self.want(self.around);
            }
            if !by_itself {
                self.remembered.extend(target);
            }
            statements.push(statement(StatementKind::Break, self.span(at - 1, at)));
            return Ok(at + 1);
        }
        // A BREAK for the block around its function's definition has a distance relative to the start of the function.
        let led = self.number_at(at - 1).and_then(|distance| usize::try_from(distance.checked_add(push + 1)?).ok());
        if self.count() == 0 && self.breaks.is_empty() && self.buffer.0.is_some() && led.is_some() {
            self.want(led);
            statements.push(statement(StatementKind::Break, self.span(at - 1, at)));
            return Ok(at + 1);
        }
        self.wrong(at, "no des-file compiles to this jump")
    }

    /// Records that the current function is defined in the block that BREAK leaves for `target`.
    fn want(&mut self, target: Option<usize>) {
        if let (Some(copy), Some(target)) = (self.buffer.0, target) {
            let wanted = self.wanted.entry(target).or_default();
            if wanted.last() != Some(&copy) {
                wanted.push(copy);
            }
        }
    }

    fn switch(&mut self, at: usize, check: usize, end: usize) -> Result<(StatementKind, usize), RaiseError> {
        let value = match self.pop(at)? {
            values::Item { kind: ItemKind::Drawn(value), .. } => value,
            item => {
                self.stack.push(item);
                self.expr(at)?
            }
        };
        if self.count() > 0 {
            return self.wrong(at, "values are left on the stack before a SWITCH");
        }
        // Starts of the cases with their values, in the order of the comparisons, and DEFAULT.
        let mut cases: Vec<(usize, Option<Spanned<i32>>)> = Vec::new();
        let mut next = check;
        let codes = |at: usize, wanted: &[Opcode]| {
            self.ops
                .get(at..at + wanted.len())
                .is_some_and(|ops| ops.iter().zip(wanted).all(|(op, code)| op.code == *code))
        };
        while codes(next, &[Opcode::Copy, Opcode::Push, Opcode::Cmp, Opcode::Push, Opcode::Je]) {
            let number = self.number_at(next + 1).and_then(|number| i32::try_from(number).ok());
            let (Some(number), Some(target)) = (number, target(self.ops, next + 4, self.catalog)) else {
                return self.wrong(next, "no des-file compiles to this CASE");
            };
            cases.push((target, Some(Spanned::new(number, self.ops[next + 1].span))));
            next += 5;
        }
        while codes(next, &[Opcode::Push, Opcode::Jmp]) {
            match target(self.ops, next + 1, self.catalog) {
                Some(target) => cases.push((target, None)),
                None => return self.wrong(next + 1, "the jump leaves the program"),
            }
            next += 2;
        }
        // The comparisons are preceded by a jump past them.
        let Some(last) = check.checked_sub(2).filter(|&last| last > at) else {
            return self.wrong(at, "no des-file compiles to this jump");
        };
        if next >= end || self.code(next) != Some(Opcode::Pop) || target(self.ops, last + 1, self.catalog) != Some(next)
        {
            return self.wrong(at, "no des-file compiles to this jump");
        }
        cases.order_by_key(|&(start, _)| start);
        if cases.first().is_some_and(|&(start, _)| start != at + 1) || cases.is_empty() && last != at + 1 {
            return self.wrong(at, "the SWITCH begins with statements outside a CASE");
        }
        let leaves = next + usize::from(self.catalog.has(Feature::ShiftedBreaks));
        let ends = cases.iter().skip(1).map(|&(start, _)| start).chain([last]).collect::<Vec<usize>>();
        let mut read = Vec::with_capacity(cases.len());
        for ((start, value), end) in cases.into_iter().zip(ends) {
            if end > last || start > end {
                return self.wrong(at, "a CASE lies outside its SWITCH");
            }
            let span = value.map_or(self.ops[at].span, |value| value.span);
            read.push(Case { value, body: self.breakable(start, end, leaves)?, span });
        }
        Ok((StatementKind::Switch { value, cases: read }, next + 1))
    }

    pub(super) fn loop_(&mut self, at: usize, end: usize) -> Result<(StatementKind, usize), RaiseError> {
        let count = self.expr(at)?;
        let back = self.loops.get(&at).copied().filter(|&back| back >= at + 5 && back + 1 < end);
        let Some(back) = back.filter(|&back| self.code(back) == Some(Opcode::Jg)) else {
            return self.wrong(at, "no des-file compiles to this LOOP");
        };
        if self.count() > 0 {
            return self.wrong(at, "values are left on the stack before a LOOP");
        }
        let body = self.breakable(at + 1, back - 4, back + 2)?;
        Ok((StatementKind::Loop { count, body }, back + 2))
    }

    /// Reads the setting of a variable, or the beginning of a FOR.
    pub(super) fn definition(&mut self, at: usize, end: usize) -> Result<(StatementKind, usize), RaiseError> {
        let variable = self.variable_name(at)?;
        let count = self.int(at)?;
        if count < 0 {
            let source = self.variable_name(at)?;
            let ty = self.scope.get(&source.node).copied().unwrap_or(Type::of(ValueType::Integer));
            self.scope.insert(variable.node.clone(), ty);
            return Ok((StatementKind::Define { variable, value: Definition::Copy { ty, variable: source } }, at + 1));
        }
        // The two bounds of a FOR. Each may be an array element, which is two values.
        if count == 0 && (2..=4).contains(&self.count()) && variable.node.ends_with(" end") {
            return self.for_loop(variable, at, end);
        }
        if count > 0 {
            let mut values = Vec::new();
            let mut ty = None;
            for _ in 0..count {
                let taken = self.take(at)?;
                ty = taken.ty.or(ty);
                values.push(taken.expr);
            }
            values.reverse();
            let ty = ty.unwrap_or(ValueType::Integer);
            self.scope.insert(variable.node.clone(), Type::array(ty));
            return Ok((StatementKind::Define { variable, value: Definition::Array { ty, values } }, at + 1));
        }
        let taken = self.take(at)?;
        let ty = taken.ty.unwrap_or(ValueType::Integer);
        self.scope.insert(variable.node.clone(), Type::of(ty));
        if self.catalog.has(Feature::ConstantFor)
            && let Some(&back) = self.loops.get(&(at + 1))
            && self.count() == 0
        {
            return self.constant_for(variable, taken.expr, at, back, end);
        }
        let value = match taken.expr {
            Expr { kind: ExprKind::Variable(variable), span } if ty == ValueType::Selection => {
                let selection = Selection { kind: SelectionKind::Variable(variable), span };
                expr(ExprKind::Selection(Box::new(selection)), span)
            }
            value => value,
        };
        Ok((StatementKind::Define { variable, value: Definition::Value { ty, value } }, at + 1))
    }

    /// Reads a FOR with bounds computed at run time: `at` sets its hidden last value, and two definitions follow.
    fn for_loop(
        &mut self,
        end_name: Spanned<Text>,
        at: usize,
        end: usize,
    ) -> Result<(StatementKind, usize), RaiseError> {
        /// Length from the first definition to the body.
        const HEAD: usize = 11;
        /// Length from the end of the body to the jump back.
        const TAIL: usize = 10;
        let name = Text::from(end_name.node.trim_end_matches(" end"));
        let variable = Spanned::new(name, self.ops.get(at + 2).map_or(end_name.span, |op| op.span));
        let (to, from) = (self.expr(at)?, self.expr(at)?);
        let start = at + HEAD;
        let back = self.loops.get(&start).copied().filter(|&back| back >= start + TAIL && back < end);
        let Some(back) = back.filter(|&back| self.code(back) == Some(Opcode::Jne)) else {
            return self.wrong(at, "no des-file compiles to this FOR");
        };
        self.scope.insert(variable.node.clone(), Type::of(ValueType::Integer));
        let body = self.breakable(start, back - TAIL, back + 1)?;
        Ok((StatementKind::For { variable, from, to: Box::new(to), body }, back + 1))
    }

    /// Reads a FOR of SporkHack, whose bounds are known at compile time.
    fn constant_for(
        &mut self,
        variable: Spanned<Text>,
        from: Expr,
        at: usize,
        back: usize,
        end: usize,
    ) -> Result<(StatementKind, usize), RaiseError> {
        const TAIL: usize = 10;
        let start = at + 1;
        let to = back.checked_sub(3).filter(|_| back >= start + TAIL && back < end);
        let to = to.and_then(|to| Some((to, i32::try_from(self.number_at(to)?).ok()?)));
        let Some((place, to)) = to else { return self.wrong(at, "no des-file compiles to this FOR") };
        let to = expr(ExprKind::Integer(to), self.ops[place].span);
        // BREAK cannot leave this loop; it leaves the surrounding block.
        let body = self.block(start, back - TAIL)?;
        Ok((StatementKind::For { variable, from, to: Box::new(to), body }, back + 1))
    }

    /// Reads the code of a function at its first call. The jump over it is at `at`; the call follows.
    fn function(&mut self, copy: usize, at: usize, end: usize) -> Result<usize, RaiseError> {
        let known = self.copies.get(copy);
        let (start, code_end, after) = (known.start, known.code_end, known.end);
        if after > end {
            return self.wrong(at, "a function reaches beyond the block that calls it");
        }
        // The arguments are on the stack; the parameters have the same types.
        let mut arguments = Vec::with_capacity(known.parameters.len());
        for _ in &known.parameters {
            arguments.push(self.take(at)?);
        }
        let types: Vec<Option<ValueType>> = arguments.iter().map(|argument| argument.ty).collect();
        for argument in arguments.into_iter().rev() {
            self.put_back(argument, at)?;
        }
        // The last parameter is set first.
        let mut parameters = Vec::with_capacity(types.len());
        for (&name, ty) in known.parameters.iter().zip(types) {
            let span = self.ops[name].span;
            let Some(Operand::String(Some(text))) = &self.ops[name].operand else {
                return self.wrong(name, "a parameter has no name");
            };
            let ty = Type::of(if ty == Some(ValueType::String) { ValueType::String } else { ValueType::Integer });
            parameters.push(Parameter { name: Spanned::new(text.clone(), span), ty });
        }
        parameters.reverse();
        let scope = self.scope.clone();
        if !self.catalog.has(Feature::OneScope) {
            self.scope.clear();
        }
        for parameter in &parameters {
            self.scope.insert(parameter.name.node.clone(), parameter.ty);
        }
        let buffer = std::mem::replace(&mut self.buffer, (Some(copy), start));
        let breaks = std::mem::take(&mut self.breaks);
        let around = if buffer.0.is_none() { breaks.last().copied() } else { None };
        let around = std::mem::replace(&mut self.around, around);
        let body = self.block(start, code_end)?;
        self.around = around;
        self.breaks = breaks;
        self.buffer = buffer;
        if !self.catalog.has(Feature::OneScope) {
            self.scope = scope;
        }
        let span = self.span(at, after - 1);
        let name = Spanned::new(self.names.of(copy), span);
        if let Some(slot) = self.bodies.get_mut(copy) {
            *slot = Some(Function { name, parameters, body, span });
        }
        Ok(after)
    }

    pub(super) fn call(&mut self, at: usize) -> Result<(StatementKind, usize), RaiseError> {
        let distance = self.number(at)?;
        let count = self.number(at)?;
        let mut arguments = Vec::new();
        for _ in 0..count.max(0) {
            arguments.push(self.expr(at)?);
        }
        arguments.reverse();
        let target = (at as i64).saturating_add(distance);
        let Some(copy) = self.copies.called(target, self.buffer) else {
            return self.wrong(at, "the target of the call is not a function");
        };
        if usize::try_from(target).ok().and_then(|target| self.copies.at(target)) != Some(copy) {
            self.astray.push((at, copy));
        }
        let function = Spanned::new(self.names.of(copy), self.ops[at].span);
        Ok((StatementKind::Call { function, arguments }, at + 1))
    }
}

/// Returns true if a statement with a chance follows its condition directly, without a block.
fn is_short(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Monster(monster) => monster.inventory.is_none(),
        StatementKind::Object(object) => object.contents.is_none(),
        StatementKind::Region(region) => region.body.is_none(),
        StatementKind::If { .. }
        | StatementKind::Chance { .. }
        | StatementKind::Switch { .. }
        | StatementKind::For { .. }
        | StatementKind::Loop { .. }
        | StatementKind::Room(_)
        | StatementKind::Map(_)
        | StatementKind::Function(_) => false,
        _ => true,
    }
}
