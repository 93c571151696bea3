//! The work that a level may still cause: its own steps, and that of the functions and operators it uses.
//!
//! Lua's hook counts steps only. A single step can call a function that copies a megabyte, or compare two long texts.
//! Functions whose cost depends on their arguments are therefore charged when they are called, and the cost of
//! operators is estimated: each step counts for more, the longer the texts and the more memory in use. The game's own
//! limit concerns the steps of a call; a level that would not reach it is not stopped because of the estimate, which
//! counts only for the level as a whole.

use std::cell::Cell;

use crate::error::Fault;
use crate::limits::{
    LUA_BYTES_A_STEP, LUA_CALL_COST, LUA_CALL_STEPS, LUA_CALLS, LUA_COLLECTION_STEPS, LUA_DRAW_STEPS,
    LUA_MEMORY_A_STEP, LUA_STEPS_AT_ONCE,
};
use crate::lua_plan::TextCost;

/// Number of steps that a level may still take.
#[derive(Debug)]
pub(crate) struct Meter {
    /// In the current call of a level function.
    call: Cell<i64>,
    /// In total, with all work for the level.
    all: Cell<i64>,
    /// Limit of a call.
    most: i64,
    /// The longest texts of the level.
    texts: Cell<TextCost>,
    /// Number of random numbers charged.
    draws: Cell<u64>,
}

impl Meter {
    /// Converts `fuel`, the number of opcodes that an older game's script may run, to a limit on steps.
    pub fn new(fuel: u64) -> Self {
        let most = i64::try_from(fuel.saturating_mul(LUA_CALL_STEPS)).unwrap_or(i64::MAX);
        Meter {
            call: Cell::new(most),
            all: Cell::new(most.saturating_mul(LUA_CALLS)),
            most,
            texts: Cell::default(),
            draws: Cell::new(0),
        }
    }

    /// Makes the full limit of a level available again, if less than half of it is left.
    pub fn renew(&self) -> bool {
        let full = self.most.saturating_mul(LUA_CALLS);
        let low = self.all.get() < full / 2;
        if low {
            self.all.set(full);
        }
        low
    }

    /// Returns true if a call, or the whole level, has taken more than half of its steps.
    pub fn is_half_spent(&self) -> bool {
        self.call.get() < self.most / 2 || self.all.get() < self.most.saturating_mul(LUA_CALLS) / 2
    }

    /// Begins a call of a level function, which has its full limit again (`nhl_pcall`).
    pub fn refill(&self) {
        self.call.set(self.most);
        // Charge for the call itself, so that nested functions that do next to nothing end too.
        self.all.set(self.all.get().saturating_sub(LUA_CALL_COST));
    }

    /// Charges the steps counted by Lua, with so many bytes of memory in use.
    ///
    /// # Errors
    /// The limit that is reached.
    pub fn spend(&self, memory: usize) -> Result<(), Fault> {
        let steps = i64::from(LUA_STEPS_AT_ONCE);
        self.call.set(self.call.get().saturating_sub(steps));
        let heavier = (memory / LUA_MEMORY_A_STEP) as i64 + self.texts.get().steps();
        self.charge(steps * (1 + heavier))
    }

    /// Charges for an operation that is a single step for Lua.
    ///
    /// # Errors
    /// The limit that is reached.
    pub fn pay(&self, steps: u64) -> Result<(), Fault> {
        let steps = i64::try_from(steps).unwrap_or(i64::MAX);
        self.call.set(self.call.get().saturating_sub(steps));
        self.charge(steps)
    }

    /// Charges for work that the game does for the level, and does not count.
    ///
    /// # Errors
    /// The limit that is reached.
    pub fn work(&self, steps: u64) -> Result<(), Fault> {
        self.charge(i64::try_from(steps).unwrap_or(i64::MAX))
    }

    /// Charges for the random numbers drawn since the last call; there are `draws` so far.
    ///
    /// # Errors
    /// The limit that is reached.
    pub fn draw(&self, draws: u64) -> Result<(), Fault> {
        self.work(draws.saturating_sub(self.draws.replace(draws)).saturating_mul(LUA_DRAW_STEPS))
    }

    /// Charges for a full collection of garbage.
    ///
    /// # Errors
    /// The limit that is reached.
    pub fn collect(&self) -> Result<(), Fault> {
        self.work(LUA_COLLECTION_STEPS)
    }

    /// Charges for a new text of the level.
    ///
    /// # Errors
    /// The limit that is reached.
    pub fn text(&self, text: &[u8]) -> Result<(), Fault> {
        if text.len() >= LUA_BYTES_A_STEP {
            self.know(TextCost::of(text));
        }
        self.pay((text.len() / LUA_BYTES_A_STEP) as u64)
    }

    /// Records that the level has a text.
    pub fn know(&self, text: TextCost) {
        self.texts.set(self.texts.get().max(text));
    }

    /// Bytes of the longest text of the level.
    pub fn longest(&self) -> usize {
        self.texts.get().bytes
    }

    /// The limit that is reached, or that of steps.
    pub fn fault(&self) -> Fault {
        if self.call.get() > 0 && self.all.get() <= 0 { Fault::Work } else { Fault::Steps }
    }

    fn charge(&self, steps: i64) -> Result<(), Fault> {
        self.all.set(self.all.get().saturating_sub(steps));
        if self.call.get() > 0 && self.all.get() > 0 { Ok(()) } else { Err(self.fault()) }
    }
}
