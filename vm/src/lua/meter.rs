//! How long a level may run.

use std::cell::Cell;

use crate::limits::{LUA_CALL_COST, LUA_CALL_STEPS, LUA_CALLS, LUA_STEPS_AT_ONCE};

/// How many steps of Lua a level may still take.
#[derive(Debug)]
pub(crate) struct Meter {
    /// In this call of a function of the level.
    call: Cell<i64>,
    /// In all.
    all: Cell<i64>,
    /// What a call may take.
    most: i64,
}

impl Meter {
    /// The steps of a level that may take so much `fuel`, which is what an older game's script may run in opcodes.
    pub fn new(fuel: u64) -> Self {
        let most = i64::try_from(fuel.saturating_mul(LUA_CALL_STEPS)).unwrap_or(i64::MAX);
        Meter { call: Cell::new(most), all: Cell::new(most.saturating_mul(LUA_CALLS)), most }
    }

    /// A function of the level is called: it may take so many steps again (`nhl_pcall`).
    pub fn refill(&self) {
        self.call.set(self.most);
        // A call takes time of its own, so that functions in functions that do next to nothing come to an end.
        self.all.set(self.all.get() - LUA_CALL_COST);
    }

    /// Takes the steps that were counted; false if there are no more.
    pub fn spend(&self) -> bool {
        self.pay(u64::from(LUA_STEPS_AT_ONCE))
    }

    /// Takes as many steps as something costs that Lua does in one; false if there are no more.
    pub fn pay(&self, steps: u64) -> bool {
        let steps = i64::try_from(steps).unwrap_or(i64::MAX / 2);
        self.call.set(self.call.get() - steps);
        self.all.set(self.all.get() - steps);
        self.call.get() > 0 && self.all.get() > 0
    }
}
