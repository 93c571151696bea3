//! What a loader complained about, and at which step.

use crate::limits::MAX_REMARKS;
use crate::observer::{Complaint, Flow, Observer};
use crate::view::View;

/// A complaint, where it was made, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remark {
    /// What was wrong.
    pub complaint: Complaint,
    /// Number of the step; one past the last once the level is being finished.
    pub at: usize,
    /// How often it was said there.
    pub count: u64,
}

/// Collects complaints.
#[derive(Clone, Debug, Default)]
pub struct Remarks {
    at: usize,
    remarks: Vec<Remark>,
}

impl Remarks {
    /// None so far.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.at = 0;
        self.remarks.clear();
    }

    /// The complaints, in the order in which they were first made.
    pub fn list(&self) -> &[Remark] {
        &self.remarks
    }
}

impl Observer for Remarks {
    fn complaint(&mut self, complaint: Complaint) {
        let same = |remark: &&mut Remark| remark.at == self.at && remark.complaint == complaint;
        if let Some(remark) = self.remarks.iter_mut().find(same) {
            remark.count += 1;
        } else if self.remarks.len() < MAX_REMARKS {
            self.remarks.push(Remark { complaint, at: self.at, count: 1 });
        }
    }

    fn step(&mut self, view: &View<'_>) -> Flow {
        self.at = view.at();
        Flow::Continue
    }

    fn finishing(&mut self, view: &View<'_>) {
        self.at = view.at();
    }
}
