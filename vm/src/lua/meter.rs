//! The step limit of a level.

use std::cell::Cell;

use crate::limits::{LUA_CALL_COST, LUA_CALL_STEPS, LUA_CALLS, LUA_STEPS_AT_ONCE};

/// Number of Lua steps that a level may still take.
#[derive(Debug)]
pub(crate) struct Meter {
    /// In the current call of a level function.
    call: Cell<i64>,
    /// In total.
    all: Cell<i64>,
    /// Limit of a call.
    most: i64,
}

impl Meter {
    /// Converts `fuel`, the number of opcodes that an older game's script may run, to a limit on steps.
    pub fn new(fuel: u64) -> Self {
        let most = i64::try_from(fuel.saturating_mul(LUA_CALL_STEPS)).unwrap_or(i64::MAX);
        Meter { call: Cell::new(most), all: Cell::new(most.saturating_mul(LUA_CALLS)), most }
    }

    /// Begins a call of a level function, which has its full limit again (`nhl_pcall`).
    pub fn refill(&self) {
        self.call.set(self.most);
        // Charge for the call itself, so that nested functions that do next to nothing end too.
        self.all.set(self.all.get() - LUA_CALL_COST);
    }

    /// Charges the steps counted by Lua. Returns false if none are left.
    pub fn spend(&self) -> bool {
        self.pay(u64::from(LUA_STEPS_AT_ONCE))
    }

    /// Charges for an operation that is a single step for Lua. Returns false if no steps are left.
    pub fn pay(&self, steps: u64) -> bool {
        let steps = i64::try_from(steps).unwrap_or(i64::MAX / 2);
        self.call.set(self.call.get() - steps);
        self.all.set(self.all.get() - steps);
        self.call.get() > 0 && self.all.get() > 0
    }
}
