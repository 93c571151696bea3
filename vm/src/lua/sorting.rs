//! `table.sort`, with counted steps and without a clock.
//!
//! It compares and moves the same elements in the same order as Lua 5.4 (`ltablib.c`), because the order function of a
//! level may draw. Only if a large list splits badly, Lua picks its pivots by the clock; here they are always the same.

use std::cmp::Ordering;

use mlua::{Function, Lua, MultiValue, Table, Value};

use super::meter::Meter;
use super::raised::{self, Named, kind};
use crate::limits::LUA_BYTES_A_STEP;

const NAMED: Named = Named { library: "table", name: "sort" };

/// Lists of fewer elements have their pivot in the middle (`RANLIMIT`).
const SMALL: i64 = 100;

/// Steps charged for a comparison, and for a call of the order function in addition to its own.
const COMPARISON_STEPS: u64 = 4;
const CALL_STEPS: u64 = 40;

/// Sorts the table that is the first argument.
pub(super) fn sort(lua: &Lua, meter: &Meter, given: &MultiValue) -> mlua::Result<MultiValue> {
    let table = match given.front() {
        Some(Value::Table(table)) => table,
        other => return Err(raised::wrong_type(lua, NAMED, 1, "table", other)),
    };
    let length = table.raw_len() as i64;
    if length > 1 {
        if length >= i64::from(i32::MAX) {
            return Err(raised::argument(lua, NAMED, 1, "array too big"));
        }
        let order = match given.get(1) {
            None | Some(Value::Nil) => None,
            Some(Value::Function(order)) => Some(order),
            other => return Err(raised::wrong_type(lua, NAMED, 2, "function", other)),
        };
        Sorting { lua, meter, table, order }.sort(1, length, false)?;
    }
    Ok(MultiValue::new())
}

struct Sorting<'a> {
    lua: &'a Lua,
    meter: &'a Meter,
    table: &'a Table,
    order: Option<&'a Function>,
}

impl Sorting<'_> {
    fn get(&self, at: i64) -> mlua::Result<Value> {
        self.table.raw_get(at)
    }

    fn set(&self, at: i64, value: Value) -> mlua::Result<()> {
        self.table.raw_set(at, value)
    }

    fn pay(&self, steps: u64) -> mlua::Result<()> {
        self.meter.pay(steps).map_err(|fault| raised::fault(self.lua, fault))
    }

    /// Returns true if `one` precedes `other` (`sort_comp`).
    fn precedes(&self, one: &Value, other: &Value) -> mlua::Result<bool> {
        if let Some(order) = self.order {
            self.pay(CALL_STEPS)?;
            let answer: Value = order.call((one, other))?;
            return Ok(!matches!(answer, Value::Nil | Value::Boolean(false)));
        }
        self.pay(COMPARISON_STEPS)?;
        Ok(match (one, other) {
            (Value::Integer(one), Value::Integer(other)) => one < other,
            (Value::Number(one), Value::Number(other)) => one < other,
            (&Value::Integer(one), &Value::Number(other)) => compare(one, other) == Some(Ordering::Less),
            (&Value::Number(one), &Value::Integer(other)) => compare(other, one) == Some(Ordering::Greater),
            (Value::String(one), Value::String(other)) => {
                let (one, other) = (one.as_bytes(), other.as_bytes());
                self.pay((one.len().min(other.len()) / LUA_BYTES_A_STEP) as u64)?;
                *one < *other
            }
            (one, other) => {
                let (one, other) = (kind(one), kind(other));
                let message = if one == other {
                    format!("attempt to compare two {one} values")
                } else {
                    format!("attempt to compare {one} with {other}")
                };
                return Err(mlua::Error::RuntimeError(message));
            }
        })
    }

    /// Sorts the elements from `low` to `high` (`auxsort`). Recursion is on the smaller part only.
    fn sort(&self, mut low: i64, mut high: i64, mut shifted: bool) -> mlua::Result<()> {
        while low < high {
            let (first, last) = (self.get(low)?, self.get(high)?);
            if self.precedes(&last, &first)? {
                self.set(low, last)?;
                self.set(high, first)?;
            }
            if high - low == 1 {
                break;
            }
            let middle = if high - low < SMALL || !shifted {
                (low + high) / 2
            } else {
                let quarter = (high - low) / 4;
                i64::from(u32::MAX) % (quarter * 2) + low + quarter
            };
            let (between, first) = (self.get(middle)?, self.get(low)?);
            if self.precedes(&between, &first)? {
                self.set(middle, first)?;
                self.set(low, between)?;
            } else {
                let last = self.get(high)?;
                if self.precedes(&last, &between)? {
                    self.set(middle, last)?;
                    self.set(high, between)?;
                }
            }
            if high - low == 2 {
                break;
            }
            let pivot = self.get(middle)?;
            let before_last = self.get(high - 1)?;
            self.set(middle, before_last)?;
            self.set(high - 1, pivot.clone())?;
            let middle = self.split(low, high, &pivot)?;
            let smaller = if middle - low < high - middle {
                self.sort(low, middle - 1, shifted)?;
                let smaller = middle - low;
                low = middle + 1;
                smaller
            } else {
                self.sort(middle + 1, high, shifted)?;
                let smaller = high - middle;
                high = middle - 1;
                smaller
            };
            if (high - low) / 128 > smaller {
                shifted = true;
            }
        }
        Ok(())
    }

    /// Puts the elements that precede the pivot before it, and returns its place (`partition`).
    fn split(&self, low: i64, high: i64, pivot: &Value) -> mlua::Result<i64> {
        let invalid = || raised::error(self.lua, "invalid order function for sorting");
        let (mut left, mut right) = (low, high - 1);
        loop {
            left += 1;
            let mut one = self.get(left)?;
            while self.precedes(&one, pivot)? {
                if left == high - 1 {
                    return Err(invalid());
                }
                left += 1;
                one = self.get(left)?;
            }
            right -= 1;
            let mut other = self.get(right)?;
            while self.precedes(pivot, &other)? {
                if right < left {
                    return Err(invalid());
                }
                right -= 1;
                other = self.get(right)?;
            }
            if right < left {
                self.set(high - 1, one)?;
                self.set(left, pivot.clone())?;
                return Ok(left);
            }
            self.set(left, other)?;
            self.set(right, one)?;
        }
    }
}

/// Compares numbers exactly; `None` if the second is not a number.
fn compare(one: i64, other: f64) -> Option<Ordering> {
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    if other.is_nan() {
        None
    } else if other >= BEYOND {
        Some(Ordering::Less)
    } else if other < -BEYOND {
        Some(Ordering::Greater)
    } else {
        let whole = other.floor();
        Some(one.cmp(&(whole as i64)).then(if other > whole { Ordering::Less } else { Ordering::Equal }))
    }
}
