//! `splc gen`: prints random levels, for testing games and compilers.

use clap::Args;
use splc_backends::des;
use splc_driver::Wanted;
use splc_driver::games::Dialect;
use splc_generate::{self as generate, Choices};
use splc_ir::diagnostic::{Code, Diagnostic};

use crate::arguments::groups::CatalogFiles;
use crate::arguments::values::dialect;
use crate::outcome::Outcome;
use crate::output::print;
use crate::report::{ColorChoice, Ending, MessageFormat, Reporter};

/// `splc gen`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Language of the level
    #[arg(long, value_name = "DIALECT", value_parser = dialect)]
    pub dialect: Option<&'static Dialect>,

    /// Game that the level is for [default: the latest of the dialect]
    #[arg(long, value_name = "TARGET")]
    pub target: Option<String>,

    /// What is known of further games.
    #[command(flatten)]
    pub catalogs: CatalogFiles,

    /// Which level of all
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// About how many statements it has
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=generate::MAX_SIZE as u64))]
    pub size: u64,

    /// How diagnostics are written
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,

    /// Whether diagnostics are coloured
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
}

/// Prints the level.
pub fn run(asked: &Arguments) -> Outcome {
    let mut reporter = Reporter::new(asked.message_format, asked.color);
    let outcome = source(asked).map_or_else(
        |problem| {
            reporter.report_alone(*problem);
            Outcome::Trouble
        },
        |text| print(&text),
    );
    reporter.finish(Ending::Checking);
    outcome
}

fn source(asked: &Arguments) -> Result<String, Box<Diagnostic>> {
    let wrong = |message: String| Box::new(Diagnostic::new(Code::Usage, None, message));
    let (catalog, catalogs) = (asked.catalogs.target.clone(), asked.catalogs.known.clone());
    let wanted = Wanted { dialect: asked.dialect, catalog, catalogs, ..Wanted::default() };
    let target = wanted.target().map_err(|problem| Box::new(Diagnostic::from(problem)))?;
    let target = target.ok_or_else(|| {
        let problem = *wrong("a level of which language?".to_owned());
        Box::new(problem.with_help("say --dialect or --target; `splc targets` lists them"))
    })?;
    let catalog = target.catalog();
    let module = generate::module(catalog, &mut Choices::of_seed(asked.seed), asked.size as usize);
    let text = des::print(&module, catalog).map_err(|problems| {
        // Generated levels can always be written; anything else is a bug in splc.
        wrong(format!("this level cannot be written: {problems:?}"))
    })?;
    let head = format!("# Made up by splc gen --target {} --seed {} --size {}\n", catalog.name, asked.seed, asked.size);
    Ok(head + &text)
}
