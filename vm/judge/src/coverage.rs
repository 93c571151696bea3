//! Statements that never run.
//!
//! What depends on chance may just not have come up, so a statement counts only if its condition was decided often
//! enough for that to be all but impossible; what depends on the game around the level (who plays, what time it is)
//! does not count at all.

use splc_ir::program::Opcode;
use splc_ir::value::ValueType;
use splc_vm::Prepared;
use splc_vm::internals::Value;

/// So often something of one chance in one has to be tried: seven times leaves one in a thousand.
const SURE: u64 = 7;
/// What a value counts as of which nothing is known but that it varies: one chance in so many.
const UNKNOWN_CHANCE: u64 = 300;

/// What decides whether a step runs.
enum Guard {
    /// Nothing can lead there.
    None,
    /// A value of the game around the level.
    Game,
    /// Chance: at least one in so many, each time that the step of that number runs.
    Chance(u64, usize),
}

/// Steps that begin a stretch of which nothing ever ran, given how often each step ran.
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
        // What is in a room that finds no place goes without saying.
        let before = start.checked_sub(1).map(|at| program.ops[at].code);
        if before.is_some_and(|code| matches!(code, Opcode::Room | Opcode::Subroom)) {
            continue;
        }
        // The first statement of the stretch stands for all of it.
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

/// Whether an opcode changes the level.
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

/// What decides whether the step at `start`, which never ran, runs.
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
    // Back over what makes the condition, and over the conditions of other cases.
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
