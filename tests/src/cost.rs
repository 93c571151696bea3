//! What work costs, in a measure that does not depend on what else the machine does: instructions, or, where the
//! system counts none for us, processor time of this thread, from which only ratios are taken.

use std::hint::black_box;

/// Ten times the input may cost this many times the work: tables that double and caches that overflow add something,
/// a loop in a loop makes it a hundred.
const MOST_INSTRUCTIONS: f64 = 14.0;
/// The same of processor time, which other programs disturb.
const MOST_TIME: f64 = 45.0;
/// Less processor time than this, in nanoseconds, is no measure of anything.
const LEAST_TIME: u64 = 200_000;

/// Instructions that `work` executes, those of the processes that it starts and waits for among them; `None` if the
/// system counts none for us (no Linux, a virtual machine, a container).
pub fn instructions(work: impl FnOnce()) -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        use perf_event::{Builder, events::Hardware};
        let mut builder = Builder::new().kind(Hardware::INSTRUCTIONS);
        builder.inherit(true);
        let mut counter = builder.build().ok();
        let begun = counter.as_mut().is_some_and(|counter| counter.enable().is_ok());
        work();
        let mut counter = counter.filter(|_| begun)?;
        counter.disable().ok()?;
        counter.read().ok().filter(|&count| count > 0)
    }
    #[cfg(not(target_os = "linux"))]
    {
        work();
        None
    }
}

/// Nanoseconds of the processor that this thread takes for `work`.
fn processor_time(work: impl FnOnce()) -> u64 {
    #[cfg(unix)]
    {
        use nix::time::{ClockId, clock_gettime};
        let now = || clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("a thread has a clock");
        let begun = now();
        work();
        let took = now() - begun;
        took.tv_sec() as u64 * 1_000_000_000 + took.tv_nsec() as u64
    }
    #[cfg(not(unix))]
    {
        let begun = std::time::Instant::now();
        work();
        begun.elapsed().as_nanos() as u64
    }
}

/// Does `work` on what `input` makes of `size` and of ten times that, and expects the second to cost about ten times
/// the first. The making is not counted.
///
/// # Panics
/// If it costs more.
#[track_caller]
pub fn is_in_proportion<T, R>(name: &str, size: usize, input: impl Fn(usize) -> T, work: impl Fn(T) -> R) {
    let run = |size: usize| {
        let input = input(size);
        let mut time = 0;
        let count = instructions(|| time = processor_time(|| drop(black_box(work(black_box(input))))));
        (count, time)
    };
    // What is made once a process is made now.
    run(1);
    let (few, many) = (run(size), run(10 * size));
    if let ((Some(few), _), (Some(many), _)) = (few, many) {
        let ratio = many as f64 / few as f64;
        println!("{name}: {few} instructions, {many} for ten times as much: {ratio:.1}");
        assert!(ratio < MOST_INSTRUCTIONS, "{name}: {few} instructions, but {many} for ten times as much");
        return;
    }
    // The least of some runs is the one that was disturbed least.
    let least = |size: usize| (0..5).map(|_| run(size).1).min().unwrap_or(0).max(LEAST_TIME);
    let (few, many) = (least(size), least(10 * size));
    let ratio = many as f64 / few as f64;
    println!("{name}: {few} ns of the processor, {many} for ten times as much: {ratio:.1}");
    assert!(ratio < MOST_TIME, "{name}: {few} ns of the processor, but {many} for ten times as much");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(numbers: &[u64]) -> u64 {
        numbers.iter().fold(0, |sum, number| sum ^ black_box(number))
    }

    #[test]
    fn one_loop_is_in_proportion() {
        is_in_proportion("a loop", 20_000, |size| vec![1; size], |numbers: Vec<u64>| sum(&numbers));
    }

    #[test]
    #[should_panic(expected = "for ten times as much")]
    fn a_loop_in_a_loop_is_not() {
        let work = |numbers: Vec<u64>| numbers.iter().map(|_| sum(&numbers)).fold(0, |sum, number| sum ^ number);
        is_in_proportion("a loop in a loop", 300, |size| vec![1; size], work);
    }
}
