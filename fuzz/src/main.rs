//! Runs the targets with random inputs, and prints a table. Inputs that fail are shrunk and written to a folder.
//!
//! ```text
//! cargo run --profile fuzz -p splc-fuzz -- --for 60 --save target/fuzz
//! ```

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use std::{fs, panic};

use clap::Parser;
use splc_fuzz::{Case, TARGETS, Target, random};

/// The longest that one execution may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The number of characters that are printed of a message.
const MAX_MESSAGE: usize = 150;

/// Runs the targets with random inputs.
#[derive(Parser)]
struct Arguments {
    /// Targets to run [default: all]
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,

    /// Seconds for each target
    #[arg(long = "for", value_name = "SECONDS", default_value_t = 10)]
    seconds: u64,

    /// Executions of each target, instead of a time
    #[arg(long, value_name = "N")]
    executions: Option<u64>,

    /// First seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: u64,

    /// Folder for inputs that fail
    #[arg(long, value_name = "FOLDER", default_value = "target/fuzz")]
    save: PathBuf,

    /// Saved cases to run instead of random ones, with one target
    #[arg(long, value_name = "FILE", num_args = 1..)]
    input: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(unknown) = arguments.targets.iter().find(|name| splc_fuzz::target(name).is_none()) {
        eprintln!("unknown target `{unknown}`");
        return ExitCode::from(2);
    }
    let chosen =
        |target: &&Target| arguments.targets.is_empty() || arguments.targets.iter().any(|name| name == target.name);
    if !arguments.input.is_empty() {
        let target = TARGETS.iter().find(chosen);
        for (target, file) in
            target.into_iter().flat_map(|target| arguments.input.iter().map(move |file| (target, file)))
        {
            match fs::read(file).map(|content| Case::read(&content)) {
                Ok(Some(case)) => println!("{}: {}", file.display(), (target.check)(&case)),
                Ok(None) => eprintln!("{}: not a saved case", file.display()),
                Err(error) => eprintln!("{}: {error}", file.display()),
            }
        }
        return ExitCode::SUCCESS;
    }
    // The place of a panic appears in the table; its text would hide the table.
    panic::set_hook(Box::new(|_| {}));
    // A promise that says nothing about most cases is hardly tested.
    println!("{:<12} {:>12} {:>12} {:>8} {:>8}", "target", "executions", "tested", "seconds", "faults");
    let mut faults = 0;
    for &target in TARGETS.iter().filter(chosen) {
        faults += fuzz(target, &arguments);
    }
    if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs one target on all threads and prints its line. Returns the number of distinct faults.
fn fuzz(target: Target, arguments: &Arguments) -> usize {
    let begun = Instant::now();
    let (next, tested) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let messages: Arc<Mutex<Vec<(String, u64)>>> = Arc::default();
    let workers: Vec<_> = (0..arguments.threads)
        .map(|_| {
            let (next, tested, messages) = (Arc::clone(&next), Arc::clone(&tested), Arc::clone(&messages));
            let (first, seconds, most) = (arguments.seed, arguments.seconds, arguments.executions);
            // Parsers nest as deep as their limits allow.
            thread::Builder::new().stack_size(64 << 20).spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let over = most.map_or(begun.elapsed().as_secs() >= seconds, |most| number >= most);
                    if over {
                        return;
                    }
                    let seed = first.wrapping_add(number);
                    let started = Instant::now();
                    let result = random::case(target, seed)
                        .and_then(|case| case.map_or(Ok(false), |case| random::run(target, &case)));
                    if result == Ok(true) {
                        tested.fetch_add(1, Ordering::Relaxed);
                    }
                    let slow = started.elapsed() > PATIENCE;
                    let message = match result {
                        Err(message) => message,
                        Ok(_) if slow => "too slow".to_owned(),
                        Ok(_) => continue,
                    };
                    let Ok(mut known) = messages.lock() else { return };
                    let kind = random::kind(&message);
                    if !known.iter().any(|(known, _)| random::kind(known) == kind) {
                        known.push((message, seed));
                    }
                }
            })
        })
        .collect();
    for worker in workers.into_iter().flatten() {
        let _ = worker.join();
    }
    let found = messages.lock().map(|mut found| std::mem::take(&mut *found)).unwrap_or_default();
    let (count, seconds) = (next.load(Ordering::Relaxed), begun.elapsed().as_secs());
    let tested = tested.load(Ordering::Relaxed);
    println!("{:<12} {count:>12} {tested:>12} {seconds:>8} {:>8}", target.name, found.len());
    for (message, seed) in &found {
        let folder = arguments.save.join(target.name);
        let file = folder.join(format!("seed-{seed}"));
        // A fault of a generator has no case.
        let case = random::case(target, *seed).ok().flatten().map(|case| random::shrunk(target, case, message));
        let bytes = case.map_or_else(|| random::bytes(*seed), |case| case.write());
        let saved = fs::create_dir_all(&folder).and_then(|()| fs::write(&file, bytes));
        let note = saved.map_or_else(|error| format!("not saved: {error}"), |()| file.display().to_string());
        let message: String = message.lines().next().unwrap_or_default().chars().take(MAX_MESSAGE).collect();
        println!("    {message} ({note})");
    }
    found.len()
}
