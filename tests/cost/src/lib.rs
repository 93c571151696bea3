//! The inputs that grow, the operations that are counted on them, and the work of an operation.
//!
//! Work is the number and bytes of allocations, and in an instrumented build (see the program) the number of branches
//! taken. None of them depends on a clock, a processor or its load.

use std::cell::Cell;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use splc_backends::output::{JSON, LEVEL_FILE, LISTING, Output};
use splc_driver::games::Dialect;
use splc_driver::{Input, NoIncludes, Options, Target, Wanted, compile, dungeon, fix, format, lua, port};

/// The largest ratio of branches and of allocations for ten times the input. A loop in a loop makes it approach 100.
const MOST_STEPS: f64 = 14.0;
/// The largest ratio of allocated bytes. A vector that doubles in size allocates between one and two times what it
/// needs, so its ratio lies between 5 and 20.
const MOST_BYTES: f64 = 25.0;

/// Fewer allocations and bytes than these count as these: the ratio of a handful says nothing.
const LEAST_ALLOCATIONS: u64 = 100;
const LEAST_BYTES: u64 = 10_000;

thread_local! {
    static BRANCHES: Cell<u64> = const { Cell::new(0) };
}

/// Counts a branch that this thread takes.
pub fn count_branch() {
    BRANCHES.with(|branches| branches.set(branches.get() + 1));
}

/// The work for one input.
struct Work {
    branches: u64,
    allocations: u64,
    bytes: u64,
}

/// The growth of the work from an input to one of ten times the size.
pub struct Growth {
    /// The branches that the larger input takes; 0 in a build that is not instrumented.
    pub branches: u64,
    /// The ratios of branches, allocations and allocated bytes.
    pub ratios: [f64; 3],
}

impl Growth {
    /// Returns true if the work is in proportion to the input.
    pub fn is_in_proportion(&self) -> bool {
        let [branches, allocations, bytes] = self.ratios;
        branches <= MOST_STEPS && allocations <= MOST_STEPS && bytes <= MOST_BYTES
    }
}

/// An operation on inputs that have one property in common.
pub struct Case {
    /// The operation and the property.
    pub name: String,
    /// The smaller of the two sizes.
    pub size: usize,
    /// Makes the input of a size. This is not counted.
    pub input: Box<dyn Fn(usize) -> Vec<u8>>,
    /// The operation, which is counted.
    pub work: Box<dyn Fn(Vec<u8>)>,
}

impl Case {
    fn work(&self, size: usize) -> Work {
        let input = (self.input)(size);
        let begun = BRANCHES.get();
        let memory = allocation_counter::measure(|| (self.work)(black_box(input)));
        Work { branches: BRANCHES.get() - begun, allocations: memory.count_total, bytes: memory.bytes_total }
    }

    /// Measures the growth of the work from an input that is `smaller` times smaller than `size` to one of ten times
    /// that.
    pub fn growth(&self, smaller: usize) -> Growth {
        let size = self.size / smaller;
        // Tables that are built once per process are built now.
        self.work(1);
        let (one, ten) = (self.work(size), self.work(10 * size));
        let ratio = |one: u64, ten: u64| ten as f64 / one.max(1) as f64;
        let ratios = [
            ratio(one.branches, ten.branches),
            ratio(one.allocations.max(LEAST_ALLOCATIONS), ten.allocations),
            ratio(one.bytes.max(LEAST_BYTES), ten.bytes),
        ];
        Growth { branches: ten.branches, ratios }
    }
}

type Grow = fn(usize) -> String;

/// Inputs in the language of NetHack 3.4.3. Many of them are damaged: what follows a mistake is easily read too often.
const PARTS: &[(&str, Grow)] = &[
    ("junk", |size| "x".repeat(size * 10)),
    ("junk lines", |size| "x,y;\n".repeat(size)),
    ("commas", |size| format!("MONSTER:{}", ",".repeat(size * 10))),
    ("errors on one line", |size| "MONSTER:; ".repeat(size)),
    ("errors on many lines", |size| "MONSTER:;\n".repeat(size)),
    ("quotes", |size| "\"".repeat(size * 10 + 1)),
    ("brackets", |size| "[ ".repeat(size)),
    ("maps without an end", |size| "GEOMETRY:left,top\nMAP\n...\nNOMAP\n".repeat(size / 2)),
    ("a map of blank lines", |size| {
        format!("MAZE:\"m\",' '\nGEOMETRY:left,top\nMAP\n{}ENDMAP\n", "\n".repeat(size * 10))
    }),
    ("a wide map", |size| format!("MAZE:\"m\",' '\nGEOMETRY:left,top\nMAP\n{}\nENDMAP\n", ".".repeat(size * 10))),
    ("a wide and high map", |size| {
        let (wide, high) = (".".repeat(size), ".\n".repeat(size));
        format!("MAZE:\"m\",' '\nGEOMETRY:left,top\nMAP\n{wide}\n{high}ENDMAP\n")
    }),
    ("unknown names", |size| {
        format!("MAZE:\"m\",' '\nNOMAP\n{}", "MONSTER:'a',\"soldier bee\",random\n".repeat(size / 5))
    }),
    ("levels of one name", |size| "LEVEL:\"x\"\n".repeat(size)),
    ("flags", |size| format!("MAZE:\"m\",' '\nFLAGS:noteleport{}\n", ",noteleport".repeat(size * 10))),
    ("subrooms", |size| format!("LEVEL:\"m\"\n{}", "SUBROOM:\"zoo\",lit,(1,1),(2,2),\"x\"\n".repeat(size / 10))),
];

/// Correct levels of NetHack 3.4.3, each with a few of everything.
fn parts_levels(size: usize) -> String {
    let level = |number: usize| {
        format!(
            "MAZE:\"m{number}\",' '\nGEOMETRY:center,center\nMAP\n.....\n.....\nENDMAP\nMONSTER:'d',\"jackal\",(1,1)\n\
             # The treasure.\nOBJECT[50%]:'!',random,random\nTRAP:\"pit\",(2,1)\nDOOR:closed,(3,1)\n"
        )
    };
    (0..size / 10).map(level).collect()
}

/// Inputs in the language of UnNetHack, SporkHack and NetHack 3.6.
const SCRIPTS: &[(&str, Grow)] = &[
    ("junk", |size| "x".repeat(size * 10)),
    ("junk lines", |size| format!("LEVEL:\"a\"\n{}", "x,y;\n".repeat(size))),
    ("misspelt statements", |size| format!("LEVEL:\"a\"\n{}", "MONTSER: 'a', (1,1)\n".repeat(size))),
    ("missing quotes", |size| format!("LEVEL:\"a\"\n{}", "TRAP: pit, (1,1)\n".repeat(size))),
    ("unknown traps", |size| format!("LEVEL:\"a\"\n{}", "TRAP: \"xyzzy\", (1,1)\n".repeat(size))),
    ("unknown variables", |size| {
        format!("LEVEL:\"a\"\n{}", (0..size).map(|at| format!("GOLD: $c{at},(1,1)\n")).collect::<String>())
    }),
    ("unknown functions", |size| format!("LEVEL:\"a\"\nTRAP: (\n{}", "unknown()\n".repeat(size))),
    ("things", |size| {
        let things = "MONSTER:('d',\"jackal\"),(1,1)\nOBJECT:('!',\"water\"),random\nTRAP:\"pit\",(2,1)\n# A note.\n";
        format!("LEVEL:\"a\"\nNOMAP\n{}", things.repeat(size / 4))
    }),
    ("variables", |size| {
        let variables: String = (0..size / 2).map(|at| format!("$v{at} = {at}\nGOLD:$v{at},random\n")).collect();
        format!("LEVEL:\"a\"\nNOMAP\n{variables}")
    }),
    ("blocks", |size| {
        format!("LEVEL:\"a\"\nNOMAP\n{}", "IF [50%] {\nLOOP [3] {\nTRAP:random,random\n}\n}\n".repeat(size / 5))
    }),
    ("functions", |size| {
        let functions: String = (0..size / 4).map(|at| format!("FUNCTION f{at}() {{\nEXIT\n}}\n")).collect();
        let calls: String = (0..size / 4).map(|at| format!("f{at}()\n")).collect();
        format!("{functions}LEVEL:\"a\"\n{calls}")
    }),
    ("a long line", |size| format!("LEVEL:\"a\"\nNOMAP\n$a = {{ 1{} }}\n", ", 1".repeat(size))),
    ("comments", |size| format!("LEVEL:\"a\"\nNOMAP\n{}", "# A comment.\n\n".repeat(size))),
    ("levels", |size| {
        let level = |number: usize| format!("LEVEL:\"l{number}\"\nROOM:\"ordinary\",lit,random,random,random {{\n}}\n");
        (0..size / 3).map(level).collect()
    }),
    ("chains of functions", |size| {
        let function = |at: usize| match at.checked_sub(1) {
            None => "FUNCTION f0() {\nEXIT\n}\n".to_owned(),
            Some(before) => format!("FUNCTION f{at}() {{\nf{before}()\n}}\n"),
        };
        let functions: String = (0..=size / 4).map(function).collect();
        format!("{functions}LEVEL:\"a\"\nf{}()\n", size / 4)
    }),
    ("texts", |size| format!("LEVEL:\"a\"\nNOMAP\n{}", "MESSAGE:\"A text of some length.\"\n".repeat(size))),
    ("branches", |size| {
        let branch = "IF [50%] {\nGOLD:1,(1,1)\n} ELSE {\nGOLD:2,(1,1)\n}\n";
        format!("LEVEL:\"a\"\nNOMAP\n{}", branch.repeat(size / 5))
    }),
    ("maps", |size| {
        let map = "GEOMETRY:center,center\nMAP\n.....\n.....\nENDMAP\nTRAP:\"pit\",(2,1)\n";
        format!("LEVEL:\"a\"\n{}", map.repeat(size / 6))
    }),
    ("arrays", |size| {
        let arrays: String = (0..size / 5).map(|at| format!("$a{at} = {{ (1,1), (2,2) }}\nSHUFFLE:$a{at}\n")).collect();
        format!("LEVEL:\"a\"\nNOMAP\n{arrays}")
    }),
    ("nested blocks", |size| {
        let deep = format!("{}TRAP:random,random\n{}", "IF [50%] {\n".repeat(30), "}\n".repeat(30));
        format!("LEVEL:\"a\"\nNOMAP\n{}", deep.repeat(size / 60))
    }),
    ("long lines", |size| {
        let line = format!("$a = {{ 1{} }}\n", ", 1".repeat(60));
        format!("LEVEL:\"a\"\nNOMAP\n{}", line.repeat(size / 60))
    }),
    ("skipped lines", |size| format!("LEVEL:\"a\"\nTRAP: (\n{}", "xyz: 1\n".repeat(size))),
];

/// Descriptions of dungeons.
const DUNGEONS: &[(&str, Grow)] = &[
    ("levels", |size| {
        let levels: String = (0..size).map(|at| format!("LEVEL: \"l{at}\" \"none\" @ (2, 3)\n")).collect();
        format!("DUNGEON: \"Top\" \"T\" (25, 3)\n{levels}")
    }),
    ("chained levels", |size| {
        let level = |at: usize| format!("CHAINLEVEL: \"l{at}\" \"none\" \"l{}\" + (2, 3)\n", at - 1);
        let levels: String = (2..size).map(level).collect();
        format!(
            "DUNGEON: \"Top\" \"T\" (25, 3)\nLEVEL: \"l0\" \"none\" @ (2, 3)\nLEVEL: \"l1\" \"none\" @ (2, 3)\n{levels}"
        )
    }),
    ("dungeons", |size| {
        let branches: String = (0..size / 2).map(|at| format!("BRANCH: \"d{at}\" @ (2, 3)\n")).collect();
        let dungeons: String = (0..size / 2).map(|at| format!("DUNGEON: \"d{at}\" \"none\" (2, 3)\n")).collect();
        format!("DUNGEON: \"Top\" \"T\" (25, 3)\n{branches}{dungeons}")
    }),
];

/// Functions of an ordinary level that calls all of them.
fn called_functions(size: usize) -> String {
    let functions: String = (0..size).map(|at| format!("FUNCTION f{at}() {{\nMONSTER:'d',(1,1)\n}}\n")).collect();
    let calls: String = (0..size).map(|at| format!("f{at}()\n")).collect();
    format!("{functions}LEVEL:\"a\"\nROOM:\"ordinary\",lit,random,random,random {{\n{calls}}}\n")
}

/// A hundred mistakes that `splc fix` corrects, before many statements. It corrects no more than
/// `MAX_DIAGNOSTICS` mistakes at once and then compiles the file again, so their
/// number must not grow here.
fn mistakes(size: usize) -> String {
    let (mistakes, correct) = ("MONTSER: 'a', (1,1)\n".repeat(100), "MONSTER: 'a', (1,1)\n".repeat(size));
    format!("LEVEL:\"a\"\nNOMAP\n{mistakes}{correct}")
}

/// Lua scripts of NetHack 5.
const LUA: &[(&str, Grow)] = &[
    ("junk", |size| ")".repeat(size * 10)),
    ("statements", |size| "des.monster({ id = \"jackal\", x = 3, y = 4 })\n".repeat(size)),
    ("unknown names", |size| "des.mnster(\"nwet\", { 1 })\n".repeat(size)),
    ("variables", |size| (0..size).map(|at| format!("v{at} = {at}\ndes.gold(v{at})\n")).collect()),
    ("functions", |size| (0..size).map(|at| format!("function f{at}() des.gold() end\nf{at}()\n")).collect()),
    ("tables", |size| format!("local list = {{ {} }}\ndes.gold(list[1])\n", "{ 1, 2 }, ".repeat(size))),
    ("branches", |size| "if percent(50) then des.trap(\"pit\") else des.gold() end\n".repeat(size)),
    ("texts", |size| "des.message(\"A text.\" .. \"Another.\")\n".repeat(size)),
    ("a long line", |size| format!("local x = 1{}\n", " + 1".repeat(size))),
];

fn options(dialect: &str) -> Options {
    let dialect = Dialect::by_name(dialect).expect("the dialect exists");
    Options { wanted: Wanted { dialect: Some(dialect), ..Wanted::default() }, ..Options::default() }
}

/// Compiles one des-file of `dialect`; mistakes are part of the work.
fn compiles(dialect: &'static str, output: &'static Output) -> Box<dyn Fn(Vec<u8>)> {
    Box::new(move |text| {
        let compiled = compile(Input::new("x.des", text), output, options(dialect), &mut NoIncludes);
        drop(compiled.expect("the dialect has a target"));
    })
}

/// Ports one des-file of `dialect` to the usual game of the dialect `to`.
fn ports(dialect: &'static str, to: &'static str) -> Box<dyn Fn(Vec<u8>)> {
    Box::new(move |text| {
        let options = options(dialect);
        let catalog = Dialect::by_name(to).and_then(Dialect::default_target).expect("the dialect has a target");
        let to = Target::new(catalog, options.wanted.abi()).expect("the target has a version header");
        let requested = splc_port::Options::default();
        let ported = port::port(Input::new("x.des", text), &options, to, &requested, &mut NoIncludes);
        let ported = ported.expect("the dialect has a target");
        drop(ported);
    })
}

/// All cases.
pub fn all() -> impl Iterator<Item = Case> {
    let case = |name: String, size: usize, input: Grow, work: Box<dyn Fn(Vec<u8>)>| Case {
        name,
        size,
        input: Box::new(move |size| input(size).into_bytes()),
        work,
    };
    let mut all = Vec::new();
    for &(name, input) in PARTS {
        all.push(case(format!("compile, nethack343: {name}"), 1_000, input, compiles("nethack343", &LEVEL_FILE)));
    }
    all.push(case("compile, nethack343: levels".into(), 1_000, parts_levels, compiles("nethack343", &LEVEL_FILE)));
    all.push(case("port, nethack343 to 36: levels".into(), 500, parts_levels, ports("nethack343", "nethack36")));
    all.push(case("port, unnethack to 5: functions".into(), 300, called_functions, ports("unnethack", "nethack5")));
    for &(name, input) in DUNGEONS {
        let work = |text| {
            let read = dungeon::read(Input::new("dungeon.def", text), &options("nethack36"));
            drop(read.expect("the dialect has a target"));
        };
        all.push(case(format!("check, dungeon: {name}"), 1_000, input, Box::new(work)));
    }
    for &(name, input) in SCRIPTS {
        all.push(case(format!("compile, unnethack: {name}"), 1_000, input, compiles("unnethack", &LEVEL_FILE)));
    }
    let included = |size: usize| {
        let includes = "INCLUDE \"x.inc\"\n".repeat(size / 5);
        format!("{includes}LEVEL:\"a\"\nNOMAP\n")
    };
    let work = |text| {
        let mut number = 0;
        let mut includes = |_: &str, _: Option<&Path>, _: u64| {
            number += 1;
            let text = format!("FUNCTION f{number}() {{\nTRAP:\"pit\",(1,1)\n}}\n");
            Ok((PathBuf::from(format!("x{number}.inc")), text.into_bytes()))
        };
        let compiled = compile(Input::new("x.des", text), &LEVEL_FILE, options("unnethack"), &mut includes);
        assert!(!compiled.expect("the dialect has a target").judged.diagnostics.has_errors());
    };
    all.push(case("compile, unnethack: includes".into(), 1_000, included, Box::new(work)));
    let correct = SCRIPTS[7..].iter().filter(|(name, _)| *name != "skipped lines");
    for &(name, input) in correct {
        all.push(case(format!("listing: {name}"), 1_000, input, compiles("unnethack", &LISTING)));
        all.push(case(format!("JSON: {name}"), 1_000, input, compiles("unnethack", &JSON)));
        let work = |text| {
            let formatted = format::format(Input::new("x.des", text), &options("unnethack"), &mut NoIncludes);
            assert!(formatted.expect("the dialect has a target").bytes.is_some(), "the file is correct");
        };
        all.push(case(format!("fmt: {name}"), 1_000, input, Box::new(work)));
    }
    let work = |text| {
        let input = Input::new("x.des", text);
        drop(fix::correct(&input, &options("unnethack"), &mut NoIncludes).expect("the dialect has a target"));
    };
    all.push(case("fix: mistakes in a long file".into(), 1_000, mistakes, Box::new(work)));
    let mistaken: Grow = |size| format!("LEVEL:\"a\"\nNOMAP\n{}", "MONTSER: 'a', (1,1)\n".repeat(size));
    let work = |text| {
        let input = Input::new("x.des", text);
        let fixed = fix::correct(&input, &options("unnethack"), &mut NoIncludes).expect("the dialect has a target");
        assert!(!fixed.diagnostics.has_errors(), "every mistake has a certain correction");
    };
    all.push(case("fix: mistakes".into(), 400, mistaken, Box::new(work)));
    for (at, to) in [
        (7, "nethack36"),
        (7, "nethack5"),
        (8, "nethack36"),
        (9, "nethack5"),
        (16, "nethack5"),
        (19, "nethack36"),
        (20, "nethack5"),
    ] {
        let (name, input) = SCRIPTS[at];
        all.push(case(format!("port, unnethack to {to}: {name}"), 300, input, ports("unnethack", to)));
    }
    // One level each, so that one level file is read back.
    for &(name, input) in [&SCRIPTS[7], &SCRIPTS[8], &SCRIPTS[9], &SCRIPTS[11]] {
        let level_file = move |size| {
            let compiled =
                compile(Input::new("x.des", input(size)), &LEVEL_FILE, options("unnethack"), &mut NoIncludes);
            let compiled = compiled.expect("the dialect has a target");
            assert!(!compiled.judged.diagnostics.has_errors(), "{:?}", compiled.judged.diagnostics.iter().next());
            compiled.made.files.into_iter().next().expect("one level is one file").bytes
        };
        let work = |bytes| {
            let read = splc_driver::decompile(&Input::new("a.lev", bytes), &options("unnethack"));
            assert!(!read.expect("the dialect has a target").diagnostics.has_errors());
        };
        let name = format!("decompile: {name}");
        all.push(Case { name, size: 300, input: Box::new(level_file), work: Box::new(work) });
    }
    for &(name, input) in LUA {
        let options = || Options { wanted: Wanted { dialect: None, ..Wanted::default() }, ..Options::default() };
        let work = move |text| drop(lua::check(Input::new("x.lua", text), &options()).expect("Lua has a target"));
        all.push(case(format!("check, Lua: {name}"), 1_000, input, Box::new(work)));
    }
    all.into_iter()
}
