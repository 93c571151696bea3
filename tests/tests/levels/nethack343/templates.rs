//! The templates of `splc new`.

use splc_frontends::templates::{ALL, Kind, template};

use super::compile;

#[test]
fn templates_compile_without_messages() {
    assert_eq!(ALL.len(), 8);
    for kind in [Kind::Maze, Kind::Rooms] {
        let text = template("nethack343", kind).unwrap().named("mine");
        let compiled = compile(text.as_bytes(), "lp64le");
        assert_eq!(compiled.diagnostics, [], "{kind:?}");
        assert_eq!(compiled.levels.len(), 1);
        assert_eq!(compiled.levels[0].0, "mine");
    }
}
