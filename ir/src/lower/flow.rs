//! Jumps: conditions, SWITCH, loops, BREAK, and functions with their calls.

use super::*;

/// SporkHack counts the distance of a BREAK from the jump's operand, not from the jump. It leads one opcode further,
/// past the one that removes the SWITCH's value from the stack.
const QUIRK_OLD_BREAK: usize = 1;

impl Lowering<'_> {
    /// Emits a jump with an unknown distance; returns the index of its push.
    pub(super) fn jump_ahead(&mut self, code: Opcode) -> usize {
        let push = self.here();
        self.push(Operand::Offset(0));
        self.op(code);
        push
    }

    /// Emits the jump of a BREAK. Until its end is known, the compilers store its own position in place of the
    /// distance. They copy that position if a function contains a BREAK for the block around its definition and is
    /// called before that block ends.
    pub(super) fn quirk_break_distance(&mut self) -> usize {
        let push = self.jump_ahead(Opcode::Jmp);
        if let Some(op) = self.buffers[self.current].at(push) {
            op.operand = Some(Operand::Offset(push as i32));
        }
        push
    }

    /// Emits a jump to `target`.
    pub(super) fn jump_to(&mut self, code: Opcode, target: usize) {
        let jump = self.here() + 1;
        self.push(Operand::Offset((target as i64 - jump as i64) as i32));
        self.op(code);
    }

    /// Sets the target of the jump emitted at `push` of buffer `buffer`.
    pub(super) fn patch(&mut self, buffer: usize, push: usize, target: usize) {
        // The push may be missing if the program overflowed.
        if let Some(op) = self.buffers[buffer].at(push) {
            op.operand = Some(Operand::Offset((target as i64 - (push as i64 + 1)) as i32));
        }
    }

    pub(super) fn patch_here(&mut self, push: usize) {
        let target = self.here();
        self.patch(self.current, push, target);
    }

    pub(super) fn open_breakable(&mut self) {
        self.depth += 1;
    }

    /// Ends a block that BREAK can leave.
    ///
    /// A BREAK in a FUNCTION defined inside such a block belongs to the block around the definition, because the
    /// compilers keep one list for both.
    pub(super) fn close_breakable(&mut self) {
        let depth = self.depth;
        let target = self.here() + if self.catalog.has(Feature::ShiftedBreaks) { QUIRK_OLD_BREAK } else { 0 };
        let lose_the_rest = self.quirk_lost_breaks();
        // Those of inner blocks have been removed, so those of this block are the last ones.
        while let Some(pending) = self.breaks.pop_if(|pending| pending.depth == depth) {
            self.patch(pending.buffer, pending.push, target);
            self.buffers[pending.buffer].pending -= 1;
        }
        if lose_the_rest {
            for lost in std::mem::take(&mut self.breaks) {
                self.buffers[lost.buffer].pending -= 1;
                self.diagnostics.push(
                    Diagnostic::new(Code::Miscompiled, lost.span, "the game will not leave the block at this BREAK")
                        .with_note(
                            "its compiler forgets the BREAKs of a block when an inner block with BREAKs ends: this \
                             one jumps to a wrong place",
                        )
                        .with_help("move the inner block with its BREAK before this one, or use IF and ELSE"),
                );
            }
        }
        self.depth -= 1;
    }

    /// Returns true if the BREAKs of the surrounding blocks are lost at the end of this one: the compilers empty their
    /// list if its newest entry belongs to the block. A lost BREAK uses its own position as the distance.
    pub(super) fn quirk_lost_breaks(&self) -> bool {
        self.breaks.last().is_some_and(|newest| newest.depth == self.depth)
    }

    pub(super) fn function(&mut self, function: &Function) {
        let buffer = self.buffers.len();
        self.buffers.push(Buffer::default());
        let outer = std::mem::replace(&mut self.current, buffer);
        let name = function.name.node.clone();
        let parameters = function.parameters.iter().rev().map(|parameter| parameter.name.node.clone()).collect();
        self.functions.insert(
            name.clone(),
            FunctionState { buffer, parameters, called_in: None, address: 0, home: 0, open: true },
        );
        self.block(&function.body);
        self.span = function.name.span;
        self.integer(0);
        self.op(Opcode::Return);
        self.current = outer;
        if let Some(state) = self.functions.get_mut(&name) {
            state.open = false;
        }
    }

    pub(super) fn call(&mut self, name: &Spanned<Text>, arguments: &[Expr]) {
        for argument in arguments {
            self.expr(argument);
        }
        self.span = name.span;
        let Some(state) = self.functions.get_mut(&name.node) else {
            let message = format!("function '{}' is not defined", name.node);
            return self.diagnostics.push(Diagnostic::new(Code::UnknownFunction, name.span, message));
        };
        if state.open {
            let message = format!("function '{}' calls itself", name.node);
            self.diagnostics.push(
                Diagnostic::new(Code::Arguments, name.span, message)
                    .with_label("called inside its own definition")
                    .with_help("use LOOP or FOR: a function is copied to its first call, so it cannot be recursive"),
            );
            return;
        }
        let first = state.called_in.replace(self.levels) != Some(self.levels);
        if first {
            let buffer = state.buffer;
            let parameters = std::mem::take(&mut state.parameters);
            let over = self.jump_ahead(Opcode::Jmp);
            let address = self.here();
            for parameter in &parameters {
                self.define(parameter, 0);
            }
            self.copy(buffer);
            self.patch_here(over);
            let home = self.current;
            if let Some(state) = self.functions.get_mut(&name.node) {
                state.parameters = parameters;
                state.address = address;
                state.home = home;
            }
        }
        self.integer(arguments.len() as i64);
        if self.functions.get(&name.node).is_some_and(|state| state.home != self.current) {
            let message = format!("the game will not find function '{}' here", name.node);
            self.diagnostics.push(
                Diagnostic::new(Code::Miscompiled, name.span, message)
                    .with_note(
                        "its compiler copies a function to its first call, but does not record that this was inside \
                         another function: the call jumps to a wrong place",
                    )
                    .with_help("call it before the function that also calls it"),
            );
        }
        let distance = self.quirk_call_distance(&name.node);
        self.push(Operand::Offset(distance));
        self.op(Opcode::Call);
    }

    /// Copies the code in `buffer` to here.
    fn copy(&mut self, buffer: usize) {
        let length = self.buffers[buffer].len();
        let is_final = self.buffers[buffer].pending == 0;
        if is_final && self.here() + length <= MAX_OPCODES {
            self.buffers[self.current].copy(buffer, length);
        } else if !self.overflowed {
            // The opcode that is too much is reported, and BREAKs that get their targets later do not get them here.
            self.copied += length;
            for op in buffer::flatten(&self.buffers, buffer) {
                self.emit(op);
            }
            if self.copied > MAX_OPCODES {
                self.overflow(self.span);
            }
        }
    }

    /// Returns the distance from a CALL, whose push comes next, to the function's code.
    ///
    /// The compilers remember the position of the code but not its buffer. The distance is wrong if the function is
    /// called again from inside another function, or from the level after a first call from a function.
    pub(super) fn quirk_call_distance(&self, name: &str) -> i32 {
        let address = self.functions.get(name).map_or(0, |state| state.address);
        // The number of arguments is already pushed; the games' compilers compute the distance before they push it.
        (address as i64 - (self.here() as i64 - 1) - 2) as i32
    }

    /// Emits a condition and the jump taken if it is false; returns the index of the jump's push.
    pub(super) fn branch(&mut self, condition: &Condition) -> usize {
        let fails = match condition {
            Condition::Percent(percent) => {
                self.integer(percent.node);
                self.integer(100);
                self.op(Opcode::Rn2);
                Opcode::Jle
            }
            Condition::Compare { left, comparison, right } => {
                self.expr(left);
                self.expr(right);
                match comparison {
                    Comparison::Equal => Opcode::Jne,
                    Comparison::NotEqual => Opcode::Je,
                    Comparison::Less => Opcode::Jge,
                    Comparison::LessEqual => Opcode::Jg,
                    Comparison::Greater => Opcode::Jle,
                    Comparison::GreaterEqual => Opcode::Jl,
                }
            }
            Condition::NonZero(value) => {
                self.expr(value);
                self.integer(0);
                Opcode::Je
            }
        };
        self.op(Opcode::Cmp);
        self.jump_ahead(fails)
    }

    pub(super) fn switch(&mut self, value: &Expr, cases: &[Case]) {
        self.expr(value);
        if self.catalog.has(Feature::SwitchAlwaysDraws) || value.is_constant() {
            self.op(Opcode::Rn2);
        }
        let check = self.jump_ahead(Opcode::Jmp);
        self.open_breakable();
        let mut targets = Vec::with_capacity(cases.len());
        for case in cases {
            targets.push(self.here());
            self.block(&case.body);
        }
        let end = self.jump_ahead(Opcode::Jmp);
        self.patch_here(check);
        for (case, &target) in cases.iter().zip(&targets) {
            if let Some(value) = case.value {
                self.span = case.span;
                self.op(Opcode::Copy);
                self.integer(value.node);
                self.op(Opcode::Cmp);
                self.jump_to(Opcode::Je, target);
            }
        }
        for (case, &target) in cases.iter().zip(&targets) {
            if case.value.is_none() {
                self.span = case.span;
                self.jump_to(Opcode::Jmp, target);
            }
        }
        self.patch_here(end);
        self.close_breakable();
        self.quirk_element_switched(value);
        self.op(Opcode::Pop);
    }

    /// An array element is two values on the stack, its index and the name of the array, and the POP after a SWITCH
    /// removes only the name: the games' compilers leave the index there (lev_comp.y, `switchstatement`).
    fn quirk_element_switched(&mut self, value: &Expr) {
        let mut value = value;
        while let ExprKind::Group(inner) = &value.kind {
            value = inner;
        }
        self.leaves_indices |= matches!(&value.kind, ExprKind::Variable(variable) if variable.index.is_some());
    }

    /// FOR uses two more variables, `$i end` and `$i step`. No source can contain these names.
    pub(super) fn for_loop(&mut self, variable: &str, from: &Expr, to: &Expr, body: &[Statement]) {
        let end = format!("{variable} end");
        let step = format!("{variable} step");
        self.expr(from);
        self.expr(to);
        self.define(&end, 0);
        self.define(variable, 0);
        self.variable(&end);
        self.variable(variable);
        self.op(Opcode::MathSub);
        self.op(Opcode::MathSign);
        self.define(&step, 0);
        let start = self.here();
        self.open_breakable();
        self.block(body);
        self.variable(variable);
        self.variable(&end);
        self.op(Opcode::Cmp);
        self.variable(&step);
        self.variable(variable);
        self.op(Opcode::MathAdd);
        self.define(variable, 0);
        self.jump_to(Opcode::Jne, start);
        self.close_breakable();
    }

    /// FOR of SporkHack, whose bounds are known at compile time.
    pub(super) fn constant_for_loop(&mut self, variable: &str, from: &Expr, to: &Expr, body: &[Statement]) {
        let (ExprKind::Integer(first), ExprKind::Integer(last)) = (&from.kind, &to.kind) else {
            return self.refuse();
        };
        self.expr(from);
        self.define(variable, 0);
        let start = self.here();
        self.block(body);
        let (step, again) = if first <= last { (1, Opcode::Jle) } else { (-1, Opcode::Jge) };
        self.integer(step);
        self.variable(variable);
        self.op(Opcode::MathAdd);
        self.op(Opcode::Copy);
        self.define(variable, 0);
        self.expr(to);
        self.op(Opcode::Cmp);
        self.jump_to(again, start);
    }
}
