//! Complaints of a loader, with their steps.

use crate::limits::MAX_REMARKS;
use crate::observer::{Complaint, Flow, Observer};
use crate::view::View;

/// A complaint with its step and number of occurrences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The complaint.
    pub complaint: Complaint,
    /// Number of the step; one past the last while the level is being finished.
    pub at: usize,
    /// Number of times it was reported at that step.
    pub count: u64,
}

/// Collects complaints.
#[derive(Clone, Debug, Default)]
pub struct Remarks {
    at: usize,
    remarks: Vec<Remark>,
}

impl Remarks {
    /// Creates an empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Clears the collection.
    pub fn clear(&mut self) {
        self.at = 0;
        self.remarks.clear();
    }

    /// Complaints, in the order of their first occurrence.
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
