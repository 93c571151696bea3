//! Benchmark of splc as people use it: whole processes, from start to exit, compared with another compiler.
//!
//! ```text
//! cargo bench --bench whole_process -- [--splc PROGRAM] [--dialect D] [--des FOLDER] [--against LEV_COMP] [--runs N]
//! ```
//!
//! `--splc` is the program to measure. The default is the one built for the tests, which is linked like any other
//! program; `target/dist/splc`, built by `cargo build --profile dist`, is the fast one. `--des` is a folder of
//! des-files (default: the UnNetHack corpus). `--against` is a game's own `lev_comp`, which is run on the same files in
//! its own folder. Times are the minimum and the median over the runs. CPU time is user plus system time. Besides the
//! files of the folder, two generated files with 100 and with 10,000 levels are compiled: the second should take 100
//! times as long as the first.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use splc_tests::corpus;
use splc_tests::reference::files;
use tempfile::TempDir;

/// The command line options.
struct Options {
    splc: PathBuf,
    dialect: String,
    des: PathBuf,
    against: Option<PathBuf>,
    runs: usize,
}

impl Options {
    fn parse() -> Self {
        let mut options = Options {
            splc: env!("CARGO_BIN_EXE_splc_under_test").into(),
            dialect: "unnethack".into(),
            des: corpus("unnethack"),
            against: None,
            runs: 50,
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().unwrap_or_else(|| panic!("{argument} needs a value"));
            match argument.as_str() {
                "--splc" => options.splc = PathBuf::from(value()).canonicalize().expect("--splc is a program"),
                "--dialect" => options.dialect = value(),
                "--des" => options.des = value().into(),
                "--against" => {
                    options.against = Some(PathBuf::from(value()).canonicalize().expect("--against is a program"))
                }
                "--runs" => options.runs = value().parse().expect("--runs is a number"),
                // Cargo adds this.
                "--bench" => {}
                other => panic!("unknown argument {other}"),
            }
        }
        options
    }
}

/// A compiler to measure.
struct Compiler {
    name: &'static str,
    program: PathBuf,
    arguments: Vec<String>,
    /// Its output folder.
    folder: TempDir,
}

/// The result of one measurement: minimum and median.
#[derive(Clone, Copy)]
struct Times {
    wall: [Duration; 2],
    cpu: [Duration; 2],
}

/// CPU time of all processes that have been waited for.
fn cpu() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap();
    let micros = |time: nix::sys::time::TimeVal| Duration::new(time.tv_sec() as u64, time.tv_usec() as u32 * 1000);
    micros(usage.user_time()) + micros(usage.system_time())
}

/// Peak memory of any process that has been waited for, in KiB.
fn peak() -> i64 {
    getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss()
}

impl Compiler {
    fn new(name: &'static str, program: PathBuf, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        Compiler { name, program, arguments, folder: TempDir::new().unwrap() }
    }

    /// Runs it on `inputs` once. Returns true if it accepted them.
    fn run(&self, inputs: &[&Path]) -> bool {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).args(inputs).current_dir(self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().expect("the compiler runs").success()
    }

    /// Runs `batches` one after another, `runs` times. The times are those of all batches together.
    fn measure(&self, batches: &[Vec<&Path>], runs: usize) -> Times {
        let (mut wall, mut used) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            let (begun, before) = (Instant::now(), cpu());
            for inputs in batches {
                self.run(inputs);
            }
            wall.push(begun.elapsed());
            used.push(cpu() - before);
        }
        wall.sort();
        used.sort();
        Times { wall: [wall[0], wall[runs / 2]], cpu: [used[0], used[runs / 2]] }
    }

    fn report(&self, what: &str, batches: &[Vec<&Path>], runs: usize) -> Times {
        let times = self.measure(batches, runs);
        let show = |[least, median]: [Duration; 2]| {
            format!("{:>9.3} {:>9.3}", least.as_secs_f64() * 1e3, median.as_secs_f64() * 1e3)
        };
        println!("{what:<44} {:<10} {}   {}", self.name, show(times.wall), show(times.cpu));
        times
    }
}

/// Writes a des-file with `count` realistic levels.
fn generated(folder: &Path, count: usize) -> PathBuf {
    let mut text = String::new();
    for at in 0..count {
        let _ = write!(
            text,
            "LEVEL: \"l{at}\"\nFLAGS: noteleport\nGEOMETRY: center,center\nMAP\n-----------\n|.........|\n|.........+\n-----------\nENDMAP\n\
             $place = {{ (1,1),(5,2),(9,1) }}\nSHUFFLE: $place\nREGION: (0,0,10,3), lit, \"ordinary\"\nDOOR: closed, (10,2)\n\
             LOOP [3] {{\n  [50%]: MONSTER: ('o',\"hill orc\"), random, hostile\n}}\nOBJECT: ('*',\"diamond\"), $place[0]\n\
             IF [30%] {{\n  TRAP: \"pit\", $place[1]\n}} ELSE {{\n  ENGRAVING: $place[2], dust, \"level {at}\"\n}}\n\n"
        );
    }
    let path = folder.join(format!("{count}-levels.des"));
    std::fs::write(&path, text).unwrap();
    path
}

fn main() {
    let options = Options::parse();
    let all = files(&options.des, ".des");
    assert!(!all.is_empty(), "no des-files in {}", options.des.display());
    let splc = Compiler::new("splc", options.splc, &["--dialect", &options.dialect]);
    let other = options.against.map(|program| Compiler::new("other", program, &[]));
    let compilers: Vec<&Compiler> = std::iter::once(&splc).chain(&other).collect();
    let rejected: Vec<&PathBuf> = all.iter().filter(|path| !splc.run(&[path.as_path()])).collect();
    assert!(rejected.is_empty(), "splc rejects {rejected:?}");

    let smallest = all.iter().min_by_key(|path| std::fs::metadata(path).unwrap().len()).unwrap();
    let largest = all.iter().max_by_key(|path| std::fs::metadata(path).unwrap().len()).unwrap();
    splc.run(&[largest]);
    println!("peak memory of splc: {} KiB for {}", peak(), largest.display());
    println!(
        "\n{:<44} {:<10} {:>9} {:>9}   {:>9} {:>9}",
        "milliseconds", "", "wall min", "median", "CPU min", "median"
    );
    let runs = options.runs.max(1);
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let one_by_one: Vec<Vec<&Path>> = all.iter().map(|path| vec![path.as_path()]).collect();
    for compiler in &compilers {
        compiler.report(&format!("the smallest file, {}", name(smallest)), &[vec![smallest]], runs * 4);
    }
    for compiler in &compilers {
        compiler.report(&format!("the largest file, {}", name(largest)), &[vec![largest]], runs);
    }
    for compiler in &compilers {
        compiler.report(&format!("{} files, a process for each", all.len()), &one_by_one, runs.div_ceil(5));
    }
    // The games' compilers are not designed for this; some crash.
    splc.report(
        &format!("{} files in one process", all.len()),
        &[all.iter().map(PathBuf::as_path).collect()],
        runs.div_ceil(5),
    );

    let folder = TempDir::new().unwrap();
    let (few, many) = (generated(folder.path(), 100), generated(folder.path(), 10_000));
    assert!(splc.run(&[&few]) && splc.run(&[&many]), "the generated files are accepted");
    println!();
    let few = splc.report("100 generated levels", &[vec![&few]], runs);
    let many = splc.report("10,000 generated levels", &[vec![&many]], runs.div_ceil(10).max(3));
    println!(
        "10,000 levels take {:.1} times the CPU time of 100",
        many.cpu[0].as_secs_f64() / few.cpu[0].as_secs_f64()
    );
    println!("peak memory of splc: {} KiB for 10,000 levels", peak());
}
