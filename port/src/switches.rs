//! SWITCH between scripts: some games always draw a number below its value, others only for a plain number (SporkHack
//! 0.7.0 and NetHack 3.6.7, `lev_comp.y`).
//!
//! Relies on the compilers' treatment of cases: each falls through to the next unless BREAK ends it.

use std::collections::BTreeMap;

use num_integer::{gcd, lcm};
use splc_ir::catalog::Feature;
use splc_ir::level::*;
use splc_ir::source::{Span, Spanned};
use splc_ir::visit::{Visit, VisitMut, walk, walk_mut};

use crate::work::Work;

/// The number of outcomes that give each number.
type Weights = BTreeMap<i32, u64>;

/// The maximum number of dice outcomes considered.
const MOST_OUTCOMES: u64 = 10_000;

/// The maximum number of cases of a rewritten SWITCH, if the target has no limit.
const MOST_CASES: u64 = 100;

/// Rewrites a SWITCH on dice as one on a plain number with the same chances, and a SWITCH on a variable, below which
/// the target would draw, as IFs.
pub(crate) fn switches(work: &mut Work<'_>, module: &mut Module) {
    if work.from.has(Feature::SwitchAlwaysDraws) != work.to.has(Feature::SwitchAlwaysDraws) {
        Switches { work, here: Span::NOWHERE }.module(module);
    }
}

struct Switches<'w, 'a> {
    work: &'w mut Work<'a>,
    here: Span,
}

impl VisitMut for Switches<'_, '_> {
    fn statement(&mut self, statement: &mut Statement) {
        let inner = if statement.span.is_nowhere() { self.here } else { statement.span };
        let outer = std::mem::replace(&mut self.here, inner);
        walk_mut::statement(self, statement);
        if let StatementKind::Switch { value, cases } = &mut statement.kind
            && !value.is_constant()
        {
            let draws = self.work.from.has(Feature::SwitchAlwaysDraws);
            if let Some((total, weights)) = weights(value, draws)
                && let Some(weighted) = self.weighted(cases, total, &weights)
            {
                let title = self.work.from.title.clone();
                let what = match draws {
                    true => {
                        format!("{title} draws again, below the dice roll: the chances are those of the second draw")
                    }
                    false => "the dice roll becomes a draw below a number, with the same chances".to_owned(),
                };
                self.work.same(self.here, what);
                value.kind = ExprKind::Integer(total);
                *cases = weighted;
            } else if let (false, Some(conditions)) = (draws, conditions(value, cases)) {
                let title = self.work.to.title.clone();
                self.work.same(self.here, format!("it becomes IFs: {title} would draw below the value of a SWITCH"));
                for end in cases.iter().filter_map(|case| case.body.last().filter(|end| is_break(end))) {
                    self.work.same(end.span, "a block of an IF ends without BREAK");
                }
                statement.kind = conditions;
            } else {
                let (one, other) = if draws { (self.work.from, self.work.to) } else { (self.work.to, self.work.from) };
                let what = format!("{} draws below the value of this SWITCH, and {} does not", one.title, other.title);
                self.work.differs(self.here, what);
            }
        }
        self.here = outer;
    }
}

impl Switches<'_, '_> {
    /// Returns cases of a draw below `total` with the given `weights`, or `None` if the target allows fewer.
    fn weighted(&mut self, cases: &[Case], total: i32, weights: &Weights) -> Option<Vec<Case>> {
        let most = match u64::try_from(self.work.to.limits.switch_cases) {
            Ok(most @ 1..) => most,
            _ => MOST_CASES,
        };
        let labels = cases.iter().filter_map(|case| weights.get(&case.value?.node)).sum::<u64>();
        if labels > most {
            return None;
        }
        let mut weighted: Vec<Case> = Vec::new();
        let mut never = Vec::new();
        let (mut next, mut beyond) = (0, total);
        let mut seen: Vec<i32> = Vec::new();
        let mut comes_through = false;
        for case in cases {
            let number = |number| Some(Spanned::new(number, Span::NOWHERE));
            let mut case = case.clone();
            if let Some(value) = case.value {
                let known = seen.contains(&value.node);
                seen.push(value.node);
                let weight = weights.get(&value.node).filter(|_| !known).map_or(0, |&weight| weight as i32);
                if weight > 0 {
                    // They all fall through to the block of the last one.
                    weighted.extend((next..next + weight - 1).map(|label| Case {
                        value: number(label),
                        body: Vec::new(),
                        span: Span::NOWHERE,
                    }));
                    case.value = number(next + weight - 1);
                    next += weight;
                } else if comes_through {
                    case.value = number(beyond);
                    beyond += 1;
                } else {
                    never.push(case);
                    continue;
                }
            }
            comes_through = !ends(&case.body);
            weighted.push(case);
        }
        if weighted.len() as u64 > most {
            return None;
        }
        for statement in never.iter().flat_map(|case| &case.body) {
            NeverComes(self.work).statement(statement);
        }
        Some(weighted)
    }
}

/// Notes that statements are never executed.
struct NeverComes<'w, 'a>(&'w mut Work<'a>);

impl<'tree> Visit<'tree> for NeverComes<'_, '_> {
    fn statement(&mut self, statement: &'tree Statement) {
        let what = format!("it is removed: the SWITCH of {} never takes its CASE", self.0.from.title);
        self.0.same(statement.span, what);
        walk::statement(self, statement);
    }
}

/// Returns true if control never falls through the end of the block.
fn ends(body: &[Statement]) -> bool {
    matches!(body.last(), Some(Statement { kind: StatementKind::Break | StatementKind::Exit, .. }))
}

/// Returns the total and the weights of the numbers that a SWITCH chooses from, if `value` depends on dice alone. With
/// `draws`, it chooses a number below the result of the dice.
fn weights(value: &Expr, draws: bool) -> Option<(i32, Weights)> {
    let mut thrown = outcomes(value)?;
    if draws {
        if thrown.keys().any(|&number| number < 1) {
            return None;
        }
        let common = thrown.keys().try_fold(1_u64, |common, &number| {
            let common = lcm(common, number as u64);
            (common <= MOST_OUTCOMES).then_some(common)
        })?;
        let mut drawn = Weights::new();
        for (number, weight) in thrown {
            for below in 0..number {
                *drawn.entry(below).or_default() += weight * (common / number as u64);
            }
        }
        thrown = drawn;
    }
    let shared = thrown.values().fold(0, |shared, &weight| gcd(shared, weight)).max(1);
    thrown.values_mut().for_each(|weight| *weight /= shared);
    let total = i32::try_from(thrown.values().sum::<u64>()).ok()?;
    Some((total, thrown))
}

/// Returns the possible results of dice and plain numbers, with their numbers of outcomes.
fn outcomes(value: &Expr) -> Option<Weights> {
    Some(match &value.kind {
        ExprKind::Group(inner) => outcomes(inner)?,
        ExprKind::Integer(number) => Weights::from([(*number, 1)]),
        ExprKind::Dice { count, sides } => {
            let (&count, &sides) = (count, sides);
            if !(1..=MOST_OUTCOMES as i32).contains(&sides) || !(1..=MOST_OUTCOMES as i32).contains(&count) {
                return None;
            }
            let one: Weights = (1..=sides).map(|number| (number, 1)).collect();
            let sum = |sum: Weights, _| combined(&sum, &one, i32::checked_add);
            (1..count).try_fold(one.clone(), sum)?
        }
        ExprKind::Chain { first, rest } => {
            let mut left = outcomes(first)?;
            for (operator, right) in rest {
                let compute = match operator {
                    Operator::Add => i32::checked_add,
                    Operator::Subtract => i32::checked_sub,
                    Operator::Multiply => i32::checked_mul,
                    _ => return None,
                };
                left = combined(&left, &outcomes(right)?, compute)?;
            }
            left
        }
        _ => return None,
    })
}

/// Combines two results, or returns `None` if there are too many outcomes.
fn combined(left: &Weights, right: &Weights, compute: fn(i32, i32) -> Option<i32>) -> Option<Weights> {
    let ways = |weights: &Weights| weights.values().sum::<u64>();
    if ways(left).checked_mul(ways(right))? > MOST_OUTCOMES {
        return None;
    }
    let mut made = Weights::new();
    for (&one, &weight) in left {
        for (&other, &times) in right {
            *made.entry(compute(one, other)?).or_default() += weight * times;
        }
    }
    Some(made)
}

/// Rewrites a SWITCH on a variable as IFs, if each case ends with its only BREAK.
fn conditions(value: &Expr, cases: &[Case]) -> Option<StatementKind> {
    if !matches!(value.kind, ExprKind::Variable(_)) || cases.iter().all(|case| case.value.is_none()) {
        return None;
    }
    let mut blocks = Vec::with_capacity(cases.len());
    for (at, case) in cases.iter().enumerate() {
        let (inside, is_closed) = match case.body.split_last() {
            Some((end, inside)) if is_break(end) => (inside, true),
            _ => (case.body.as_slice(), at + 1 == cases.len()),
        };
        if !is_closed || inside.iter().any(Statement::has_break) {
            return None;
        }
        blocks.push((case.value, inside.to_vec()));
    }
    let default = blocks.iter().position(|(number, _)| number.is_none()).map(|at| blocks.remove(at).1);
    let mut otherwise = default;
    for (number, then) in blocks.into_iter().rev() {
        let right = Expr { kind: ExprKind::Integer(number?.node), span: Span::NOWHERE };
        let condition = Condition::Compare { left: value.clone(), comparison: Comparison::Equal, right };
        let kind = StatementKind::If { condition, then, otherwise };
        otherwise = Some(vec![Statement { kind, span: Span::NOWHERE }]);
    }
    otherwise?.pop().map(|statement| statement.kind)
}

fn is_break(statement: &Statement) -> bool {
    matches!(statement.kind, StatementKind::Break)
}
