//! Commented templates for new levels, one for each dialect and kind of level.
//!
//! The files (`templates/<dialect>/<kind>.des`) compile unchanged. Their level is called `template`.

/// A kind of level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A map on a background.
    Maze,
    /// Rooms and corridors.
    Rooms,
}

/// A template for a level.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// Its dialect.
    pub dialect: &'static str,
    /// Its kind of level.
    pub kind: Kind,
    /// Its text.
    pub text: &'static str,
}

macro_rules! templates {
    ($($dialect:literal),*) => {&[$(
        Template {
            dialect: $dialect,
            kind: Kind::Maze,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/templates/", $dialect, "/maze.des")),
        },
        Template {
            dialect: $dialect,
            kind: Kind::Rooms,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/templates/", $dialect, "/rooms.des")),
        },
    )*]};
}

// Defines `pub const ALL`, with an entry for each folder of `templates`.
include!(concat!(env!("OUT_DIR"), "/templates.rs"));

/// Returns the template of `dialect` and `kind`.
pub fn template(dialect: &str, kind: Kind) -> Option<&'static Template> {
    ALL.iter().find(|template| template.dialect == dialect && template.kind == kind)
}

impl Template {
    /// Returns the text with its level renamed to `name`. The name is not checked.
    pub fn named(&self, name: &str) -> String {
        self.text.replace("\"template\"", &format!("\"{name}\"")).replace("template.des", &format!("{name}.des"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_into_the_text() {
        for template in ALL {
            let text = template.named("mylevel");
            assert_eq!(text.matches("\"mylevel\"").count(), 1, "{} {:?}", template.dialect, template.kind);
            assert!(!text.contains("template"));
        }
    }

    #[test]
    fn templates_are_detected_as_their_dialect() {
        for template in ALL {
            let guess = crate::detect::detect(template.text);
            let open = guess.certainty == crate::detect::Certainty::Open;
            assert!(guess.dialect == template.dialect || open, "{}: {guess:?}", template.dialect);
        }
    }
}
