//! The target named by `SPLC_FUZZ_TARGET`, guided by the code that an input reaches.
#![no_main]

use std::env;
use std::sync::OnceLock;

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use splc_fuzz::{Target, target};

static TARGET: OnceLock<Target> = OnceLock::new();

fuzz_target!(
    init: {
        let name = env::var("SPLC_FUZZ_TARGET").unwrap_or_default();
        let Some(target) = target(&name) else { panic!("SPLC_FUZZ_TARGET must name a target, not `{name}`") };
        let _ = TARGET.set(target);
    },
    |data: &[u8]| {
        if let Some(target) = TARGET.get() {
            if let Ok(case) = (target.build)(&mut Unstructured::new(data)) {
                (target.check)(&case);
            }
        }
    }
);
