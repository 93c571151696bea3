//! Lua levels with a known verdict.

use splc_driver::{Input, NoIncludes, Options, load};
use splc_equivalence::{Proof, Verdict};
use splc_vm::Prepared;

use super::verdict;

const HEAD: &str = "des.level_flags(\"noflip\")\ndes.map([[\n-----\n|...|\n|...|\n-----\n]])\n";

fn lua(body: &str) -> Prepared {
    let text = format!("{HEAD}{body}\n");
    let mut loaded = load(Input::new("x.lua", text.as_str()), &Options::default(), &mut NoIncludes).unwrap();
    assert!(!loaded.diagnostics.has_errors(), "{:#?}", loaded.diagnostics.iter().collect::<Vec<_>>());
    loaded.levels.remove(0).program
}

const MANY: &str = "for i = 1, 8 do des.monster() des.object() end\n";

#[test]
fn comments_and_unused_locals_change_nothing() {
    let function = "local function thing(x)\n   des.gold(5, x, 1)\nend\nthing(math.random(3))\nhell_tweaks(selection.area(1, 1, 3, 2))";
    for other in [
        format!("-- a comment\n{function}"),
        function.replace("   des", "   -- one\n   --[[ and\n   two ]]\n   des"),
        format!("local unused = {{ 1, \"two\", function() des.monster() end }}\n{function}"),
        function.replace('x', "column"),
    ] {
        let verdict = verdict(&lua(function), &lua(&other), 10);
        assert!(matches!(verdict, Verdict::Proven(Proof::SameCode, _)), "{other}: {verdict:?}");
    }
}

#[test]
fn the_same_statements_are_proven_whatever_the_loader_draws() {
    for (one, other) in [
        (
            "if percent(50) then if percent(50) then if percent(20) then des.gold(5, 1, 1) end end end",
            "if math.random(1, 20) == 7 then des.gold(5, 1, 1) end",
        ),
        ("if percent(25) then des.monster(\"newt\") end", "if nh.rn2(4) == 3 then des.monster(\"newt\") end"),
        (
            "local at = { { 1, 1 }, { 2, 1 }, { 3, 1 } } shuffle(at) des.trap(\"web\", at[1])",
            "des.trap(\"web\", ({ { 2, 1 }, { 3, 1 }, { 1, 1 } })[math.random(3)])",
        ),
        (
            "des.room({ type = \"zoo\", contents = function() if percent(50) then des.monster() end end })",
            "des.room({ type = \"zoo\", contents = function() if not percent(50) then des.monster() end end })",
        ),
        (
            "local floor = selection.area(1, 1, 3, 1) des.terrain(floor:percentage(50) | floor:grow(), \"L\")",
            "local floor = selection.area(1, 1, 3, 1) local half = floor:percentage(50) \
             local more = floor:grow() des.terrain(half | more, \"L\")",
        ),
    ] {
        let verdict = verdict(&lua(&format!("{MANY}{one}")), &lua(&format!("{MANY}{other}")), 10);
        assert!(matches!(verdict, Verdict::Proven(Proof::SameStatements, _)), "{one}: {verdict:?}");
    }
}

/// Each newt draws, so there are more paths than can be tried, but few states. What the script reads from the level is
/// part of a state, even if the level loses it again.
#[test]
fn a_script_of_many_draws_has_few_states() {
    let level = |chance: &str| {
        lua(&format!(
            "for x = 1, 2 do des.monster(\"newt\", x, 2) end\n\
             des.replace_terrain({{ region = {{ 1, 1, 1, 1 }}, fromterrain = \".\", toterrain = \"I\", chance = {chance} }})\n\
             local seen = nh.getmap(1, 1).mapchr\n\
             des.terrain(1, 1, \".\")\n\
             des.monster(\"newt\", 3, 1)\n\
             if seen == \"I\" then des.trap(\"web\", 2, 2) end"
        ))
    };
    let found = verdict(&level("50"), &level("(\"x\"):rep(50):len()"), 10);
    assert!(matches!(found, Verdict::Proven(Proof::EveryOutcome { outcomes: 16, .. }, _)), "{found:?}");
    let found = verdict(&level("50"), &level("51"), 10);
    assert!(matches!(found, Verdict::Different(_)), "{found:?}");
}

/// The scripts differ, or inspect results of the loader.
#[test]
fn other_statements_are_not_proven() {
    for (one, other) in [
        ("if percent(50) then des.gold(5, 1, 1) end", "if percent(51) then des.gold(5, 1, 1) end"),
        (
            "local s = selection.area(1, 1, 2, 2) des.terrain(s, \"L\")",
            "des.terrain(selection.area(1, 1, 2, 1), \"L\")",
        ),
        (
            "local s = selection.area(0, 0, 1, 1) des.map({ x = 5, y = 5, map = \"...\" }) des.terrain(s, \"L\")",
            "des.map({ x = 5, y = 5, map = \"...\" }) local s = selection.area(0, 0, 1, 1) des.terrain(s, \"L\")",
        ),
        (
            "local at = selection.rndcoord(selection.area(1, 1, 3, 1)) if at.x == 1 then des.gold(5, 1, 1) end",
            "local at = selection.rndcoord(selection.area(1, 1, 3, 1)) if at == 1 then des.gold(5, 1, 1) end",
        ),
        (
            "local s = selection.new() s:set(1, 1) des.terrain(s, \"L\")",
            "local s = selection.new() s:set(2, 1) des.terrain(s, \"L\")",
        ),
        ("pcall(des.trap, 1)", "pcall(des.trap, 2)"),
        (
            "des.monster({ id = \"newt\", inventory = function() des.object(\"*\") end })",
            "des.monster({ id = \"newt\", inventory = function() end })",
        ),
    ] {
        let verdict = verdict(&lua(&format!("{MANY}{one}")), &lua(&format!("{MANY}{other}")), 10);
        assert!(!matches!(verdict, Verdict::Proven(..)), "{one}: {verdict:?}");
    }
}
