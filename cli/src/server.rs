//! `splc server`: a language server on the standard input and output.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use splc_driver::games::Dialect;
use splc_driver::{Includes, Options, Wanted};
use splc_ir::catalog::Catalogs;
use splc_ir::diagnostic::{Code, LintLevels};
use splc_server::{Environment, serve_on_standard_streams};

use crate::catalogs;
use crate::explain;
use crate::input::FilesOnDisk;
use crate::options::groups::CatalogFiles;
use crate::options::values::dialect;
use crate::outcome::Outcome;
use crate::project::{self, Known};

/// `splc server`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Language of all des-files [default: recognised for each file]
    #[arg(long, value_name = "DIALECT", value_parser = dialect)]
    pub dialect: Option<&'static Dialect>,

    /// Game of all files, e.g. unnethack-6.0.4
    #[arg(long, value_name = "TARGET")]
    pub target: Option<String>,

    /// What is known of further games.
    #[command(flatten)]
    pub catalogs: CatalogFiles,

    /// Use the standard input and output, which is the only way. Some editors pass this option
    #[arg(long, hide = true)]
    pub stdio: bool,
}

/// Serves an editor until it disconnects.
pub fn run(arguments: &Arguments) -> Outcome {
    let (catalog, catalogs) = (arguments.catalogs.target.clone(), arguments.catalogs.known.clone());
    let wanted = Wanted { dialect: arguments.dialect, catalog, catalogs, ..Wanted::default() };
    if let Err(problem) = wanted.target() {
        eprintln!("error: {problem}");
        return Outcome::Trouble;
    }
    let environment = Environment {
        options: Options { wanted, lints: LintLevels::default() },
        includes: || Box::new(FilesOnDisk) as Box<dyn Includes + Send>,
        explain: |code| explain::explain(&[explain::Topic::Code(code)]),
        project,
        page,
    };
    match serve_on_standard_streams(environment) {
        Ok(()) => Outcome::Fine,
        Err(error) => {
            eprintln!("error: {error}");
            Outcome::Trouble
        }
    }
}

/// Returns the game and the lints of the project of the file at `path`.
fn project(path: &Path) -> Result<Option<(Wanted, LintLevels)>, String> {
    let Some(file) = path.parent().and_then(splc_project::find) else { return Ok(None) };
    let of_project = |trouble: project::Trouble| format!("{}: {}", file.display(), trouble.text());
    let Known { project, .. } = project::read(&file).map_err(of_project)?;
    let paths: Vec<PathBuf> = project.settings.catalogs.iter().map(|path| project.at(path.get_ref())).collect();
    let mut known = Catalogs::default();
    let mut problems = Vec::new();
    let read = catalogs::load(&paths, &mut known, |diagnostics, _| problems.extend(diagnostics.into_vec()));
    let first = read.err().map(|problem| problem.map(|problem| *problem).or(problems.into_iter().next()));
    if let Some(problem) = first {
        let problem = problem.map(|problem| problem.message.to_string()).unwrap_or_default();
        return Err(format!("{}: a catalog cannot be read: {problem}", file.display()));
    }
    let wanted = project.wanted(known).map_err(|problem| format!("{}: {}", file.display(), problem.message))?;
    let lints = project.lints_of(path).unwrap_or_else(|| project.lints());
    Ok(Some((wanted, lints)))
}

/// Returns a file with the explanation of `code`, in the folder for files that can be made again.
fn page(code: Code) -> Option<PathBuf> {
    let folder = cache()?.join("splc").join(concat!("codes-", env!("CARGO_PKG_VERSION")));
    let path = folder.join(format!("{}.txt", code.as_str()));
    if !path.is_file() {
        fs::create_dir_all(&folder).ok()?;
        fs::write(&path, explain::explain(&[explain::Topic::Code(code)])).ok()?;
    }
    Some(path)
}

/// Returns the folder of the user for files that can be made again.
fn cache() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    variable("XDG_CACHE_HOME")
        .or_else(|| variable("LOCALAPPDATA"))
        .or_else(|| {
            variable("HOME").map(|home| home.join(if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" }))
        })
        .filter(|path| path != Path::new("/"))
}

#[cfg(test)]
mod tests {
    use splc_ir::diagnostic::LintLevel;

    use super::*;

    #[test]
    fn a_project_file_sets_game_and_lints() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("dat/x.des");
        fs::create_dir(folder.path().join("dat")).unwrap();
        let write = |text: &str| fs::write(folder.path().join("splc.toml"), text).unwrap();
        write("target = \"nethack-3.6.7\"\n[lints]\nragged-map = \"deny\"\n");
        let (wanted, lints) = project(&file).unwrap().unwrap();
        assert_eq!(wanted.catalog.unwrap().name, "nethack-3.6.7");
        assert_eq!(lints.get(Code::RaggedMap), Some(LintLevel::Deny));
        write("catalogs = [\"missing.toml\"]\n");
        assert!(project(&file).unwrap_err().contains("missing.toml"));
        write("tagret = 1\n");
        assert!(project(&file).unwrap_err().contains("unknown field `tagret`"));
    }
}
