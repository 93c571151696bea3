//! Tests of levels in the background.
//!
//! A thread of its own runs levels with many seeds. The next change of any file cancels it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};
use splc_driver::session::{Session, Token};
use splc_driver::test::{Found, Plan, test};
use splc_ir::source::SourceMap;
use splc_vm::{Progress, Settings};

use crate::limits::SEEDS;

/// A file to test.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub path: PathBuf,
    pub version: i32,
}

/// The findings of a test.
pub(crate) struct Outcome {
    pub path: PathBuf,
    pub version: i32,
    pub found: Vec<Found>,
    pub sources: SourceMap,
}

/// The thread that tests levels.
pub(crate) struct Worker {
    jobs: Sender<(u64, Job)>,
    pub outcomes: Receiver<Outcome>,
    shared: Arc<Shared>,
}

/// The job that is running.
#[derive(Default)]
struct Shared {
    /// Jobs with a smaller number are cancelled.
    first: AtomicU64,
    running: Mutex<(Token, Arc<Progress>)>,
}

impl Worker {
    /// Starts the thread. It ends when the worker is dropped.
    pub fn start(session: Arc<Session>) -> Self {
        let (jobs, requested) = unbounded::<(u64, Job)>();
        let (finished, outcomes) = unbounded();
        let shared = Arc::new(Shared::default());
        let state = Arc::clone(&shared);
        thread::spawn(move || {
            for (number, job) in requested {
                let (token, progress) = (Token::default(), Arc::new(Progress::default()));
                *state.running.lock().unwrap_or_else(PoisonError::into_inner) = (token.clone(), Arc::clone(&progress));
                // It may have been cancelled before it was registered as running.
                if number < state.first.load(Ordering::SeqCst) {
                    continue;
                }
                let outcome = run(&session, &job, &token, &progress);
                if number < state.first.load(Ordering::SeqCst) {
                    continue;
                }
                if outcome.is_some_and(|outcome| finished.send(outcome).is_err()) {
                    return;
                }
            }
        });
        Worker { jobs, outcomes, shared }
    }

    /// Cancels all jobs so far.
    pub fn cancel(&self) {
        self.shared.first.fetch_add(1, Ordering::SeqCst);
        let running = self.shared.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.0.cancel();
        running.1.stop();
    }

    /// Tests the levels of a file after those of earlier jobs.
    pub fn test(&self, job: Job) {
        // If the thread is gone, levels are not tested.
        let _ = self.jobs.send((self.shared.first.load(Ordering::SeqCst), job));
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.cancel();
    }
}

fn run(session: &Session, job: &Job, token: &Token, progress: &Progress) -> Option<Outcome> {
    let levels = session.levels(&job.path, token).ok()?;
    let loaded = (*levels).clone().prepare();
    let lints = &session.options().lints;
    let plan = Plan {
        settings: Settings::default(),
        seeds: 1..=SEEDS,
        threads: 1,
        needs: Default::default(),
        vary: Default::default(),
    };
    let mut found = Vec::new();
    for level in &loaded.levels {
        if token.is_cancelled() {
            return None;
        }
        found.extend(test(&loaded, level, &plan, lints, progress));
    }
    (!token.is_cancelled()).then(|| Outcome {
        path: job.path.clone(),
        version: job.version,
        found,
        sources: loaded.sources,
    })
}
