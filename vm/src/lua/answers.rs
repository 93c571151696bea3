//! The game's answers to a script so far, from which the state of a run is computed.
//!
//! The state of Lua itself cannot be read, but it follows from the values that the script got: Lua draws nothing and
//! reads nothing else. So two runs of a script are in the same state if they have made as many calls, got the same
//! answers, and have the same level.

use splc_ir::order::Order;
use std::hash::Hash;

use mlua::{AnyUserData, MultiValue, Value};

use super::objects::Handle;
use super::running::{Run, Shared};
use super::selector::Selector;
use crate::digest::Digest;
use crate::observer::Observer;

/// Maximum nesting of tables in an answer.
const MAX_DEPTH: usize = 8;

/// The answers of a run.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// Digest of all answers, in order.
    digest: u128,
    /// Number of calls.
    calls: u64,
    /// Number of running functions of the game that may know more about the level than the script and the level do.
    pub(super) hidden: u32,
    /// Set after an answer that cannot be hashed.
    is_unknown: bool,
}

impl Answers {
    fn add(&mut self, hash: impl FnOnce(&mut Digest) -> Option<()>) {
        let mut digest = Digest::default();
        self.digest.hash(&mut digest);
        self.is_unknown |= hash(&mut digest).is_none();
        self.digest = digest.finish128();
    }

    /// Adds values that the script gets.
    pub(super) fn get(&mut self, values: &MultiValue) {
        self.add(|digest| {
            values.len().hash(digest);
            values.iter().try_for_each(|value| add(value, 0, digest))
        });
    }
}

/// Adds a value to a digest. Returns `None` if it is none of those that the game's functions give.
fn add(value: &Value, depth: usize, digest: &mut Digest) -> Option<()> {
    match value {
        Value::Nil => 0_u8.hash(digest),
        Value::Boolean(truth) => (1_u8, truth).hash(digest),
        Value::Integer(number) => (2_u8, number).hash(digest),
        Value::Number(number) => (3_u8, number.to_bits()).hash(digest),
        Value::String(text) => (4_u8, &*text.as_bytes()).hash(digest),
        Value::Table(table) if depth < MAX_DEPTH => {
            let mut entries = Vec::new();
            for pair in table.pairs::<Value, Value>() {
                let (key, value) = pair.ok()?;
                let mut of_key = Digest::default();
                add(&key, MAX_DEPTH, &mut of_key)?;
                entries.push((of_key.finish128(), value));
            }
            entries.order_by_key(|(key, _)| *key);
            (5_u8, entries.len()).hash(digest);
            for (key, value) in entries {
                key.hash(digest);
                add(&value, depth + 1, digest)?;
            }
        }
        Value::UserData(data) => add_data(data, digest)?,
        _ => return None,
    }
    Some(())
}

/// Adds a selection or an object to a digest.
fn add_data(data: &AnyUserData, digest: &mut Digest) -> Option<()> {
    if let Ok(selector) = data.borrow::<Selector>() {
        (6_u8, &*selector).hash(digest);
    } else {
        let Handle(object) = *data.borrow::<Handle>().ok()?;
        (7_u8, object).hash(digest);
    }
    Some(())
}

/// A call of a function of the game, with the selections and objects among its arguments.
pub(super) struct Call(Vec<AnyUserData>);

impl Call {
    /// Begins a call. Returns `None` if nobody needs the state of the run, which is reported otherwise.
    pub(super) fn begin(run: Shared<'_, '_>, arguments: &MultiValue) -> Option<Call> {
        let mut run = run.borrow_mut();
        run.answers.as_mut()?.calls += 1;
        run.report_state();
        let data = arguments.iter().filter_map(|argument| argument.as_userdata().cloned());
        Some(Call(data.collect()))
    }

    /// Ends a call with its answer. A function may also change the selections that it gets.
    pub(super) fn end(self, run: Shared<'_, '_>, answer: &mlua::Result<MultiValue>) {
        let mut run = run.borrow_mut();
        let Some(answers) = &mut run.answers else { return };
        match answer {
            Ok(values) => answers.get(values),
            Err(error) => answers.add(|digest| {
                error.to_string().hash(digest);
                Some(())
            }),
        }
        answers.add(|digest| self.0.iter().try_for_each(|data| add_data(data, digest)));
    }
}

impl Run<'_> {
    /// Reports to the observer all state that determines the rest of the run, except its draws, if it is known.
    pub(super) fn report_state(&mut self) {
        if !self.loader.observer.wants_state() {
            return;
        }
        // No `..`: a new field must be considered here.
        let Run {
            loader,
            prepared: _,
            memory: _,
            rooms,
            failed,
            depth,
            joined,
            wishes,
            fatal: _,
            nested,
            meter,
            finished,
            // Used within a call.
            calling: _,
            recorder: _,
            transcript: _,
            answers,
        } = self;
        let Some(answers) = answers.as_ref().filter(|answers| answers.hidden == 0 && !answers.is_unknown) else {
            return;
        };
        // The limits of a level could end one of two runs in the same state.
        if meter.is_half_spent() {
            return;
        }
        let mut digest = Digest::default();
        loader.digest(&mut digest);
        (&rooms[..*depth], &failed[..*depth], joined, wishes, nested, finished).hash(&mut digest);
        (answers.digest, answers.calls).hash(&mut digest);
        loader.observer.state(digest.finish128());
    }
}
