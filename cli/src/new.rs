//! `splc new`: writes a template to start a level from.

use std::path::Path;

use splc_frontends::templates::{self, Kind};
use splc_ir::catalog::Catalog;
use splc_ir::check::level_name;
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::source::Charset;

use crate::arguments::{LevelKind, New};
use crate::outcome::Outcome;
use crate::output;
use crate::report::{Ending, Reporter};

/// Writes the template as NAME.des in the current folder, or to the path given by `-o`.
pub fn run(new: &New) -> Outcome {
    let mut reporter = Reporter::new(new.message_format, new.color);
    let outcome = match write(new) {
        Ok(()) => Outcome::Fine,
        Err(problem) => {
            reporter.report_alone(*problem);
            Outcome::Trouble
        }
    };
    reporter.finish(Ending::Writing);
    outcome
}

fn write(new: &New) -> Result<(), Box<Diagnostic>> {
    let refuse = |message: String| Box::new(Diagnostic::new(Code::Usage, None, message));
    let catalog: &'static Catalog =
        new.dialect.default_target().ok_or_else(|| refuse(format!("{} has no known game", new.dialect.name)))?;
    if let Err(error) = level_name(&new.name, catalog, Charset::Utf8) {
        return Err(Box::new(refuse(error.to_string()).with_help(error.help())));
    }
    let template = templates::template(new.dialect.name, new.kind.into())
        .ok_or_else(|| refuse(format!("no such template for {}", new.dialect.name)))?;
    let text = template.named(&new.name);
    if new.output.as_deref() == Some(Path::new("-")) {
        return output::write_standard(text.as_bytes());
    }
    let path = new.output.clone().unwrap_or_else(|| Path::new(&format!("{}.des", new.name)).to_owned());
    if path.exists() {
        let message = format!("{} already exists", path.display());
        return Err(Box::new(refuse(message).with_help("choose another name or remove the file")));
    }
    output::write_file(&path, text.as_bytes())
}

impl From<LevelKind> for Kind {
    fn from(kind: LevelKind) -> Self {
        match kind {
            LevelKind::Maze => Kind::Maze,
            LevelKind::Rooms => Kind::Rooms,
        }
    }
}
