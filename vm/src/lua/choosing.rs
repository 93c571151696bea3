//! The exact probabilities of themed rooms and fills.
//!
//! The function that chooses is run, but what it draws is decided from outside, and the function of the entry that it
//! chooses only reports itself. There are two ways:
//!
//! - **Loops that keep the last hit.** `themerms.lua` goes through its entries and replaces its choice whenever
//!   `nh.rn2(total) < frequency`. [`splc_lua::chooser`] finds such draws in the syntax tree: nothing in the loop reads
//!   what a hit assigns, so the draws are independent of each other, and only the last hit counts. A draw there gives a
//!   [`Deferred`] number; its comparison reveals the probability of a hit. One run without hits measures all draws,
//!   and one run for each draw shows the entry that it chooses. The probability that a draw is the last hit is a
//!   product of fractions.
//! - **Anything else.** The function is run once for every outcome of its draws, as long as there are not too many.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use mlua::{Error, Function, Lua, MetaMethod, MultiValue, Table, UserData, UserDataMethods, Value};

use super::raised::mistake;
use super::running::Shared;
use super::{selections, theme_tables};
use crate::level::Kind;
use crate::limits::{CHOICE_BUDGETS, MAX_CHOICE_DRAWS, MAX_CHOICE_RUNS};
use crate::lua_errors;
use crate::themes::{Choice, Filled, Fraction, Unknown};

/// The state of the runs, known to the functions that draw.
#[derive(Default)]
pub(super) struct Choosing {
    way: Way,
    /// Lines of the level, from 1, with a draw that only its comparison uses.
    lines: Vec<usize>,
    /// The draws of the current run: the number of outcomes, and the hits among them or the outcome taken.
    draws: Vec<(u32, u32)>,
    /// The entry chosen in the current run.
    picked: Option<(Kind, usize)>,
    /// A number was drawn that is not compared yet. If it never is, the level has used it in another way.
    pending: bool,
    /// A draw that the way does not cover.
    lost: bool,
    /// Too many draws in one run.
    endless: bool,
    fields: BTreeSet<String>,
}

/// The way in which draws are decided.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Way {
    /// Each draw of a loop misses, except for the one with this index.
    Deferred(Option<usize>),
    /// Draws have these outcomes, and then 0.
    Outcomes(Vec<u32>),
}

impl Default for Way {
    fn default() -> Self {
        Way::Deferred(None)
    }
}

type State = Rc<RefCell<Choosing>>;

/// A number drawn from 0 to `below - 1`, of which only a comparison is known.
struct Deferred {
    below: u32,
}

impl UserData for Deferred {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_function(MetaMethod::Lt, |lua, (left, right): (Value, Value)| compare(lua, &left, &right));
        methods.add_meta_function(MetaMethod::Le, |lua, _: (Value, Value)| Err::<bool, _>(not_covered(lua)));
    }
}

/// Decides `nh.rn2(below) < hits`.
fn compare(lua: &Lua, left: &Value, right: &Value) -> mlua::Result<bool> {
    let below = match left {
        Value::UserData(drawn) => drawn.borrow::<Deferred>().ok().map(|drawn| drawn.below),
        _ => None,
    };
    let hits = match *right {
        Value::Integer(number) => Some(number),
        Value::Number(number) if number.fract() == 0.0 => Some(number as i64),
        _ => None,
    };
    let (Some(below), Some(hits), Some(state)) = (below, hits, lua.app_data_ref::<State>()) else {
        return Err(not_covered(lua));
    };
    let mut state = state.borrow_mut();
    state.pending = false;
    let hits = hits.clamp(0, below.into()) as u32;
    let hit = match state.way {
        Way::Deferred(wanted) => hits == below || hits > 0 && wanted == Some(state.draws.len()),
        Way::Outcomes(_) => false,
    };
    state.draws.push((below, hits));
    Ok(hit)
}

fn not_covered(lua: &Lua) -> Error {
    if let Some(state) = lua.app_data_ref::<State>() {
        state.borrow_mut().lost = true;
    }
    mistake("this draw is not covered")
}

/// Decides a draw of a run that computes a choice; `None` in any other run.
pub(super) fn drawn(lua: &Lua, below: i32, line: impl FnOnce() -> usize) -> Option<mlua::Result<Value>> {
    let state = lua.app_data_ref::<State>()?;
    let Ok(below) = u32::try_from(below) else { return Some(Ok(Value::Integer(0))) };
    if below == 0 {
        return Some(Ok(Value::Integer(0)));
    }
    let mut state = state.borrow_mut();
    let deferred = matches!(state.way, Way::Deferred(_));
    if deferred && !state.pending && state.lines.contains(&line()) {
        state.pending = true;
        return Some(lua.create_userdata(Deferred { below }).map(Value::UserData));
    }
    state.endless = !deferred && state.draws.len() >= MAX_CHOICE_DRAWS;
    if deferred || state.endless {
        state.lost = true;
        return Some(Err(mistake("this draw is not covered")));
    }
    let at = state.draws.len();
    let outcome = match &state.way {
        Way::Outcomes(outcomes) => outcomes.get(at).copied().unwrap_or(0),
        Way::Deferred(_) => 0,
    };
    state.draws.push((below, outcome));
    Some(Ok(Value::Integer(outcome.into())))
}

/// Records the entry chosen. Returns false if the run does not compute a choice.
pub(super) fn picked(lua: &Lua, kind: Kind, number: usize) -> bool {
    let Some(state) = lua.app_data_ref::<State>() else { return false };
    state.borrow_mut().picked = Some((kind, number));
    true
}

/// One run of the function that chooses.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Outcome {
    draws: Vec<(u32, u32)>,
    picked: Option<usize>,
    error: Option<String>,
    lost: bool,
}

/// Computes the probabilities of the rooms, or of the fills for a room. `lines` are the lines of the draws in loops
/// that keep the last hit.
pub(super) fn choose(
    lua: &Lua,
    run: Shared<'_, '_>,
    note: &Function,
    filled: Option<Filled>,
    lines: &[usize],
) -> mlua::Result<Choice> {
    theme_tables::watch(lua, note)?;
    if let Value::Function(before) = lua.globals().get::<Value>("pre_themerooms_generate")? {
        before.call::<()>(())?;
    }
    let kind = if filled.is_some() { Kind::Fill } else { Kind::Room };
    let count = theme_tables::list(lua)?.of(kind).len();
    let name = if filled.is_some() { "themeroom_fill" } else { "themerooms_generate" };
    let Value::Function(chooser) = lua.globals().get::<Value>(name)? else {
        return Err(mistake(format!("this file has no function '{name}'")));
    };
    let state: State = Rc::new(RefCell::new(Choosing { lines: lines.to_vec(), ..Choosing::default() }));
    lua.set_app_data(Rc::clone(&state));
    let mut chooser = Chooser { lua, run, state, function: chooser, kind, filled, budgets: CHOICE_BUDGETS };
    let mut choice = match chooser.last_hit(count)? {
        Some(choice) => choice,
        None => chooser.every_outcome(count)?,
    };
    choice.fields = chooser.state.borrow().fields.iter().cloned().collect();
    lua.remove_app_data::<State>();
    Ok(choice)
}

struct Chooser<'a, 's, 'r> {
    lua: &'a Lua,
    run: Shared<'s, 'r>,
    state: State,
    function: Function,
    kind: Kind,
    filled: Option<Filled>,
    /// Number of further budgets.
    budgets: u32,
}

impl Chooser<'_, '_, '_> {
    /// Returns true if all runs so far have used up the budgets.
    fn is_exhausted(&mut self) -> bool {
        if self.budgets > 0 && self.run.borrow().meter.renew() {
            self.budgets -= 1;
        }
        self.budgets == 0
    }

    fn outcome(&mut self, way: Way) -> mlua::Result<Outcome> {
        {
            let mut state = self.state.borrow_mut();
            state.way = way;
            state.draws.clear();
            (state.picked, state.pending, state.lost, state.endless) = (None, false, false, false);
        }
        let room = match self.filled {
            Some(filled) => Value::Table(self.room(filled)?),
            None => Value::Nil,
        };
        self.run.borrow().meter.refill();
        let end = self.function.call::<MultiValue>(room);
        if let Some((fault, line)) = self.run.borrow().fatal.clone() {
            return Err(Error::external(lua_errors::Thrown { fault, line }));
        }
        let state = self.state.borrow();
        let picked = state.picked.filter(|(kind, _)| *kind == self.kind).map(|(_, number)| number);
        let error = match end {
            Err(error) if state.picked.is_none() => Some(lua_errors::fault(&error).0.to_string()),
            _ => None,
        };
        Ok(Outcome { draws: state.draws.clone(), picked, error, lost: state.lost || state.pending })
    }

    /// The table for the room that is filled, which notes the fields that are read.
    fn room(&self, filled: Filled) -> mlua::Result<Table> {
        let (lua, Filled { width, height, lit }) = (self.lua, filled);
        let known = selections::numbers(lua, &[("width", width.into()), ("height", height.into())])?;
        let corners = [("x1", 3), ("y1", 3), ("x2", 2 + i64::from(width)), ("y2", 2 + i64::from(height))];
        known.raw_set("region", selections::numbers(lua, &corners)?)?;
        for (key, truth) in [("lit", lit), ("irregular", false), ("needjoining", true)] {
            known.raw_set(key, truth)?;
        }
        known.raw_set("type", "themed")?;
        let (room, watching) = (lua.create_table()?, lua.create_table()?);
        let state = Rc::clone(&self.state);
        watching.raw_set(
            "__index",
            lua.create_function(move |_, (_, key): (Value, Value)| {
                if let Value::String(key) = &key {
                    state.borrow_mut().fields.insert(key.to_string_lossy());
                }
                known.raw_get::<Value>(key)
            })?,
        )?;
        room.set_metatable(Some(watching))?;
        Ok(room)
    }

    /// Computes a choice by loops that keep the last hit. `None` if the function draws in another way.
    fn last_hit(&mut self, count: usize) -> mlua::Result<Option<Choice>> {
        let base = self.outcome(Way::Deferred(None))?;
        if base.lost || base.error.is_some() {
            return Ok(None);
        }
        // The draws after the last certain hit decide; it is chosen if all of them miss.
        let certain = base.draws.iter().rposition(|(below, hits)| hits == below);
        let mut choice =
            Choice { entries: vec![Fraction::ZERO; count], none: Some(Fraction::ZERO), ..Choice::default() };
        let mut rest = Fraction::ONE;
        for at in (certain.map_or(0, |at| at + 1)..base.draws.len()).rev() {
            let (below, hits) = base.draws[at];
            if hits == 0 {
                continue;
            }
            if self.is_exhausted() {
                return Ok(Some(unknown(Unknown::TooLong)));
            }
            let taken = self.outcome(Way::Deferred(Some(at)))?;
            if taken.lost || taken.draws != base.draws {
                return Ok(Some(unknown(Unknown::NotRepeatable)));
            }
            let hit = Fraction::new(hits.into(), below.into()).and_then(|hit| rest.times(hit));
            let missed = Fraction::new((below - hits).into(), below.into()).and_then(|missed| rest.times(missed));
            let (Some(hit), Some(missed)) = (hit, missed) else { return Ok(Some(unknown(Unknown::TooLarge))) };
            rest = missed;
            if !choice.add(&taken, hit) {
                return Ok(Some(unknown(Unknown::TooLarge)));
            }
        }
        if !choice.add(&base, rest) {
            return Ok(Some(unknown(Unknown::TooLarge)));
        }
        let again = self.outcome(Way::Deferred(None))?;
        Ok(Some(if again == base { choice } else { unknown(Unknown::NotRepeatable) }))
    }

    /// Computes a choice by running the function for every outcome of its draws.
    fn every_outcome(&mut self, count: usize) -> mlua::Result<Choice> {
        let mut choice =
            Choice { entries: vec![Fraction::ZERO; count], none: Some(Fraction::ZERO), ..Choice::default() };
        let mut next = Some(Vec::new());
        for _ in 0..MAX_CHOICE_RUNS {
            let Some(outcomes) = next.take() else { return Ok(choice) };
            if self.is_exhausted() {
                return Ok(unknown(Unknown::TooLong));
            }
            let taken = self.outcome(Way::Outcomes(outcomes.clone()))?;
            let as_before = taken.draws.iter().zip(&outcomes).all(|((_, outcome), before)| outcome == before);
            if self.state.borrow().endless {
                return Ok(unknown(Unknown::TooManyOutcomes));
            }
            if taken.lost || !as_before || taken.draws.len() < outcomes.len() {
                return Ok(unknown(Unknown::NotRepeatable));
            }
            let one = |chance: Fraction, &(below, _): &(u32, u32)| chance.times(Fraction::new(1, below.into())?);
            let chance = taken.draws.iter().try_fold(Fraction::ONE, one);
            if !chance.is_some_and(|chance| choice.add(&taken, chance)) {
                return Ok(unknown(Unknown::TooLarge));
            }
            // The next outcomes in order: the last draw that has another outcome takes it.
            if let Some(at) = taken.draws.iter().rposition(|&(below, outcome)| outcome + 1 < below) {
                let mut outcomes: Vec<u32> = taken.draws[..=at].iter().map(|&(_, outcome)| outcome).collect();
                outcomes[at] += 1;
                next = Some(outcomes);
            }
        }
        Ok(if next.is_none() { choice } else { unknown(Unknown::TooManyOutcomes) })
    }
}

fn unknown(reason: Unknown) -> Choice {
    Choice { unknown: Some(reason), ..Choice::default() }
}

impl Choice {
    /// Adds a probability to the entry of an outcome. Returns false if the sum is too large.
    fn add(&mut self, outcome: &Outcome, chance: Fraction) -> bool {
        if chance != Fraction::ZERO && self.error.is_none() {
            self.error.clone_from(&outcome.error);
        }
        let sum = match outcome.picked.and_then(|number| self.entries.get_mut(number)) {
            Some(entry) => entry,
            None => self.none.get_or_insert(Fraction::ZERO),
        };
        match sum.plus(chance) {
            Some(more) => {
                *sum = more;
                true
            }
            None => false,
        }
    }
}
