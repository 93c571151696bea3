//! Statements that never run.
//!
//! A condition that depends on chance may simply never have come true. So a statement is reported only if its condition
//! was evaluated often enough to make that practically impossible. A condition on the game around the level (the hero,
//! the time) is never reported.

use splc_ir::program::Opcode;
use splc_ir::value::ValueType;
use splc_vm::Prepared;
use splc_vm::internals::Value;

/// Number of tries, as a multiple of the inverse probability: seven leaves a chance of one in a thousand.
const SURE: u64 = 7;
/// Assumed inverse probability of a value of which only its variation is known.
const UNKNOWN_CHANCE: u64 = 300;

/// The condition for a step to run.
enum Guard {
    /// The step is unreachable.
    None,
    /// A value of the game around the level.
    Game,
    /// Chance: at least one in the first number, each time that the step with the second number runs.
    Chance(u64, usize),
}

/// Finds the first statements of stretches that never ran. `runs` contains the number of times each step ran.
pub(crate) fn never(program: &Prepared, runs: &[u64]) -> Vec<usize> {
    let ran = |at: usize| runs.get(at).is_some_and(|&count| count > 0);
    let mut found = Vec::new();
    let mut at = 0;
    while at < program.ops.len() {
        if ran(at) {
            at += 1;
            continue;
        }
        let start = at;
        while at < program.ops.len() && !ran(at) {
            at += 1;
        }
        // It is obvious that the contents of a room without a place do not run.
        let before = start.checked_sub(1).map(|at| program.ops[at].code);
        if before.is_some_and(|code| matches!(code, Opcode::Room | Opcode::Subroom)) {
            continue;
        }
        // Report only the first statement of the stretch.
        let Some(statement) = (start..at).find(|&at| acts(program.ops[at].code)) else { continue };
        let sure = match guard(program, start, &ran) {
            Guard::None => true,
            Guard::Game => false,
            Guard::Chance(chance, guard) => runs[guard] >= SURE.saturating_mul(chance),
        };
        if sure {
            found.push(statement);
        }
    }
    found
}

/// Returns true if the step does nothing but change terrain or its flags.
pub(crate) fn changes_terrain(program: &Prepared, at: usize) -> bool {
    let code = program.ops.get(at).map(|op| op.code);
    matches!(code, Some(Opcode::Terrain | Opcode::ReplaceTerrain | Opcode::NonDiggable | Opcode::NonPasswall))
}

/// Returns true if an opcode changes the level.
fn acts(code: Opcode) -> bool {
    use Opcode::*;
    let signature_only = matches!(
        code,
        Null | Push
            | Exit
            | Pop
            | Copy
            | FramePush
            | FramePop
            | Call
            | Return
            | VarInit
            | ShuffleArray
            | ConvertType
            | CoreFunc
            | Cmp
            | Dec
            | Inc
            | MathSign
            | MathAdd
            | MathSub
            | MathMul
            | MathDiv
            | MathMod
            | Rn2
            | Dice
            | EndRoom
            | EndMonInvent
            | PopContainer
            | SelAdd
            | SelPoint
            | SelRect
            | SelFillRect
            | SelLine
            | SelRndLine
            | SelGrow
            | SelFlood
            | SelRndCoord
            | SelEllipse
            | SelFilter
            | SelGradient
            | SelComplement
    );
    !signature_only && !code.jumps()
}

/// Finds the condition for the step at `start`, which never ran.
fn guard(program: &Prepared, start: usize, ran: &impl Fn(usize) -> bool) -> Guard {
    let ops = &program.ops;
    let conditional = |code: Opcode| code.jumps() && !matches!(code, Opcode::Jmp | Opcode::Call);
    let target = |at: usize| match ops.get(at.checked_sub(1)?)?.value {
        Value::Number(ValueType::Integer, offset) => usize::try_from(at as i64 + offset).ok(),
        _ => None,
    };
    let before = start.checked_sub(1).filter(|&at| ran(at) && conditional(ops[at].code));
    let leads = |&at: &usize| ran(at) && ops[at].code.jumps() && target(at) == Some(start);
    let Some(jump) = before.or_else(|| (0..ops.len()).find(leads)) else { return Guard::None };
    // Go back over the computation of the condition, and over the conditions of other cases.
    let mut chance = 1_u64;
    for at in (0..jump).rev() {
        let op = ops[at];
        match op.code {
            Opcode::CoreFunc => return Guard::Game,
            Opcode::Rn2 => {
                let below = match at.checked_sub(1).map(|at| ops[at].value) {
                    Some(Value::Number(ValueType::Integer, below)) => below.unsigned_abs(),
                    _ => UNKNOWN_CHANCE,
                };
                chance = chance.max(below);
            }
            Opcode::Dice => chance = chance.max(UNKNOWN_CHANCE),
            Opcode::Push if matches!(op.value, Value::Variable(_)) => chance = chance.max(UNKNOWN_CHANCE),
            code if acts(code) || matches!(code, Opcode::VarInit | Opcode::EndRoom | Opcode::FramePop) => break,
            _ => {}
        }
    }
    Guard::Chance(chance, jump)
}
