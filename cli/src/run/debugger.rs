//! `splc run --step`: steps through a level statement by statement.
//!
//! The debugger is an [`Observer`] of the machine. Before each step it decides whether to stop, and if so, reads
//! commands until one continues the run. At the end of the input the level runs to its end.

use std::collections::BTreeSet;
use std::io::{self, BufRead, IsTerminal, Read, Write};

use anstyle::{AnsiColor, Style};
use splc_ir::catalog::Catalog;
use splc_ir::source::{FileId, SourceMap, Span};
use splc_ir::wording::visible;
use splc_picture::Picture;
use splc_vm::{Complaint, Flow, Observer, Shown, StepKind, View};

use super::show;

/// Most values of an array that are shown.
const MOST_VALUES: usize = 20;
/// Number of lines before and after the current one that `l` shows.
const CONTEXT: usize = 5;
/// Most bytes of a command that are read at once.
const LONGEST_COMMAND: u64 = 1000;
/// Most characters of a source line that are shown.
const LINE_LENGTH: usize = 120;

const HELP: &str = "\
n, next        run to the next statement, stepping over functions
i, into        run to the next statement, stepping into functions
s, step        run to the next opcode, or the next thing created
c, continue    run to the next breakpoint
b LINE         set a breakpoint at this line; b alone lists them
d LINE         delete the breakpoint at this line
p, print       print the stack and the variables
m, map         print the level so far
l, list        list the source around the statement
q, quit        stop here
An empty line repeats the last command.
";

/// The condition for the next stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    /// At the next step.
    Step,
    /// At the next statement.
    Statement,
    /// At the next statement that is not in a function called from here.
    StatementOver,
    /// At a breakpoint.
    Breakpoint,
    /// Never, because the input has ended.
    End,
}

/// The file and line of a statement.
type Line = (FileId, usize);

/// A step that was executed.
struct Last {
    line: Option<Line>,
    span: Option<Span>,
    at: usize,
}

/// A debugger controlled by commands on `input`.
pub struct Debugger<'a, I, O> {
    input: I,
    output: O,
    sources: &'a SourceMap,
    catalog: &'a Catalog,
    breakpoints: BTreeSet<usize>,
    until: Until,
    /// The last executed step.
    last: Option<Last>,
    /// Number of active function calls at the last stop.
    depth: usize,
    /// The last command.
    command: String,
    prompts: bool,
    error: Option<io::Error>,
}

impl<'a, I: BufRead, O: Write> Debugger<'a, I, O> {
    /// Creates a debugger that stops at the given lines, and at the first statement if `at_start`.
    pub fn new(
        input: I,
        output: O,
        sources: &'a SourceMap,
        catalog: &'a Catalog,
        breakpoints: Vec<usize>,
        at_start: bool,
    ) -> Self {
        Debugger {
            input,
            output,
            sources,
            catalog,
            breakpoints: breakpoints.into_iter().collect(),
            until: if at_start { Until::Statement } else { Until::Breakpoint },
            last: None,
            depth: 0,
            command: String::new(),
            // Commands from a file need no prompt.
            prompts: io::stdin().is_terminal(),
            error: None,
        }
    }

    /// Returns the error that occurred while writing, if any.
    pub fn into_error(self) -> Option<io::Error> {
        self.error
    }

    /// Returns the source line of a step, or `None` for a level file.
    fn line(&self, view: &View<'_>) -> Option<Line> {
        let span = view.span().filter(|span| !self.sources.text(*span).is_empty())?;
        Some((span.file, self.sources.line_column(span.file, span.start).0))
    }

    /// Returns true if the debugger stops before this step.
    fn stops(&self, view: &View<'_>, line: Option<Line>) -> bool {
        // A new statement is another line, or the same line again in a loop. Without lines, every step is a statement.
        let whole = line.is_none() || view.step().is_some_and(StepKind::is_statement);
        // The effect of a statement comes after its values, which may be on further lines.
        let ends = |last: Option<Span>| match (last, view.span()) {
            (Some(value), Some(all)) => {
                value.file == all.file && all.start <= value.start && value.end <= all.end && all != value
            }
            _ => false,
        };
        let new = match &self.last {
            Some(last) => view.at() <= last.at || whole || (line != last.line && !ends(last.span)),
            None => true,
        };
        let broken =
            new && line.is_some_and(|(file, number)| file == FileId::default() && self.breakpoints.contains(&number));
        match self.until {
            Until::End => false,
            Until::Step => true,
            Until::Statement => new,
            Until::StatementOver => broken || (new && view.depth() <= self.depth),
            Until::Breakpoint => broken,
        }
    }

    /// Shows the current statement.
    fn show_place(&mut self, view: &View<'_>, line: Option<Line>) -> io::Result<()> {
        let step =
            view.step().map_or_else(String::new, |step| format!("{} {}: {}", step.noun(), view.at(), step.name()));
        match line {
            Some((file, number)) => {
                let name = visible(&self.sources.get(file).name).into_owned();
                let text = self.source_line(file, number);
                writeln!(self.output, "{name}:{number}: {text}")?;
                if self.until == Until::Step {
                    writeln!(self.output, "  {step}")?;
                }
                Ok(())
            }
            None => writeln!(self.output, "{step}"),
        }
    }

    /// Returns a source line, counted from 1, shortened.
    fn source_line(&self, file: FileId, number: usize) -> String {
        let line = self.sources.get(file).line(number).trim_end();
        visible(&line.chars().take(LINE_LENGTH).collect::<String>()).into_owned()
    }

    /// Reads commands until one continues the run.
    fn ask(&mut self, view: &View<'_>, line: Option<Line>) -> io::Result<Flow> {
        self.show_place(view, line)?;
        loop {
            if self.prompts {
                write!(self.output, "(splc) ")?;
            }
            self.output.flush()?;
            let mut bytes = Vec::new();
            // A read error ends the input, like its end.
            if !matches!(self.input.by_ref().take(LONGEST_COMMAND).read_until(b'\n', &mut bytes), Ok(1..)) {
                self.until = Until::End;
                return Ok(Flow::Continue);
            }
            let mut command = String::from_utf8_lossy(&bytes).into_owned();
            if command.trim().is_empty() {
                command.clone_from(&self.command);
            } else {
                self.command.clone_from(&command);
            }
            let mut words = command.split_whitespace();
            let (word, operand) = (words.next().unwrap_or("h"), words.next());
            self.until = match word {
                "n" | "next" => Until::StatementOver,
                "i" | "into" => Until::Statement,
                "s" | "step" => Until::Step,
                "c" | "continue" => Until::Breakpoint,
                "q" | "quit" => return Ok(Flow::Stop),
                _ => {
                    self.look(word, operand, view, line)?;
                    continue;
                }
            };
            self.depth = view.depth();
            return Ok(Flow::Continue);
        }
    }

    /// Executes a command that does not continue the run.
    fn look(&mut self, word: &str, operand: Option<&str>, view: &View<'_>, line: Option<Line>) -> io::Result<()> {
        match word {
            "p" | "print" => self.print(view),
            "m" | "map" => {
                let picture = show::picture(&Picture::of(view.level(), self.catalog));
                write!(self.output, "{picture}")
            }
            "l" | "list" => self.list(line),
            "b" | "break" | "d" | "delete" => match operand.map(str::parse::<usize>) {
                Some(Ok(number)) => {
                    let last = self.sources.iter().next().map_or(0, |(_, source)| source.line_count());
                    if number == 0 || number > last {
                        return writeln!(self.output, "the des-file has lines 1 to {last}");
                    }
                    if word.starts_with('b') {
                        self.breakpoints.insert(number);
                        let text = self.source_line(FileId::default(), number);
                        writeln!(self.output, "breakpoint at line {number}: {text}")
                    } else if self.breakpoints.remove(&number) {
                        writeln!(self.output, "deleted the breakpoint at line {number}")
                    } else {
                        writeln!(self.output, "no breakpoint at line {number}")
                    }
                }
                Some(Err(_)) => writeln!(self.output, "expected a line number"),
                None => {
                    let lines: Vec<String> = self.breakpoints.iter().map(usize::to_string).collect();
                    let lines = if lines.is_empty() { "none".to_owned() } else { lines.join(", ") };
                    writeln!(self.output, "breakpoints: {lines}")
                }
            },
            "h" | "help" | "?" => write!(self.output, "{HELP}"),
            _ => writeln!(self.output, "unknown command '{}'; h lists the commands", visible(word)),
        }
    }

    fn print(&mut self, view: &View<'_>) -> io::Result<()> {
        let values = |values: &[Shown], catalog: &Catalog| {
            let shown: Vec<String> =
                values.iter().take(MOST_VALUES).map(|value| visible(&value.describe(catalog)).into_owned()).collect();
            let more = values.len().saturating_sub(MOST_VALUES);
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            format!("{}{more}", shown.join(", "))
        };
        if view.step().is_some_and(StepKind::is_statement) {
            return writeln!(self.output, "this level is not a script: it has no variables");
        }
        if view.depth() > 0 {
            writeln!(self.output, "in a function, at depth {}", view.depth())?;
        }
        let stack = view.stack();
        let top = stack.len().saturating_sub(MOST_VALUES);
        let shown = if stack.is_empty() { "empty".to_owned() } else { values(&stack[top..], self.catalog) };
        writeln!(self.output, "stack ({}): {shown}", stack.len())?;
        for (name, content) in view.variables() {
            let name = visible(&name).into_owned();
            let text = values(&content, self.catalog);
            // Variables set by the script have the mark `$`; internal variables have another.
            let mark = if name.starts_with('$') { "" } else { "$" };
            match content.len() {
                1 => writeln!(self.output, "{mark}{name} = {text}")?,
                _ => writeln!(self.output, "{mark}{name} = {{ {text} }}")?,
            }
        }
        Ok(())
    }

    fn list(&mut self, line: Option<Line>) -> io::Result<()> {
        let Some((file, number)) = line else { return writeln!(self.output, "no source") };
        let source = self.sources.get(file);
        // The text after the last line end is not a line.
        let last = source.line_count() - usize::from(source.text.ends_with('\n'));
        let here = Style::new().fg_color(Some(AnsiColor::Green.into())).bold();
        for shown in number.saturating_sub(CONTEXT).max(1)..=last.min(number + CONTEXT) {
            let text = self.source_line(file, shown);
            let stop = if file == FileId::default() && self.breakpoints.contains(&shown) { '*' } else { ' ' };
            if shown == number {
                writeln!(self.output, "{here}>{stop}{shown:>5}  {text}{here:#}")?;
            } else {
                writeln!(self.output, "{}", format!(" {stop}{shown:>5}  {text}").trim_end())?;
            }
        }
        Ok(())
    }
}

impl<I: BufRead, O: Write> Observer for Debugger<'_, I, O> {
    fn complaint(&mut self, complaint: Complaint) {
        if let Err(error) = writeln!(self.output, "  ! {}", complaint.message().1) {
            self.error.get_or_insert(error);
        }
    }

    fn step(&mut self, view: &View<'_>) -> Flow {
        let line = self.line(view);
        let stops = self.stops(view, line);
        self.last = Some(Last { line, span: view.span(), at: view.at() });
        if !stops {
            return Flow::Continue;
        }
        match self.ask(view, line) {
            Ok(flow) => flow,
            Err(error) => {
                self.error.get_or_insert(error);
                Flow::Stop
            }
        }
    }
}
