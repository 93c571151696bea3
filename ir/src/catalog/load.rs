//! Catalogs loaded at run time, from a catalog file and the catalog it extends.

use std::path::{Component, Path};

use super::file::{self, Problems};
use super::{ALL, Catalog, Format, Group, Name, Numbers, OwnWord, Shared};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, did_you_mean};
use crate::limits::MAX_CATALOG_DEPTH;
use crate::source::{FileId, SourceMap, Span};

/// The catalogs available to one run of a program: built-in and loaded.
#[derive(Clone, Debug, Default)]
pub struct Catalogs {
    loaded: Vec<Shared>,
}

/// Source of a catalog file's parent, if the parent is neither built in nor loaded.
pub trait Beside {
    /// Reads the file `name` next to the file `from`; returns its display name and its bytes.
    ///
    /// # Errors
    /// The reason it cannot be read, as a message.
    fn read(&mut self, name: &str, from: &str) -> Result<(String, Vec<u8>), String>;

    /// Returns true if the file `name` is not in the folder of the file `from`, or below. It may be any file of the
    /// user, so its text is not shown.
    fn is_outside(&self, name: &str, _from: &str) -> bool {
        !Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    }
}

/// A source without files.
pub struct NothingBeside;

impl Beside for NothingBeside {
    fn read(&mut self, _: &str, _: &str) -> Result<(String, Vec<u8>), String> {
        Err("catalogs that extend others are not available here".to_owned())
    }
}

impl Catalogs {
    /// Returns every catalog, the most recently loaded first.
    pub fn iter(&self) -> impl Iterator<Item = Shared> {
        let built_in = ALL.iter().copied().map(Shared::from);
        self.loaded.iter().rev().cloned().chain(built_in)
    }

    /// Returns the loaded catalogs, in order.
    pub fn loaded(&self) -> &[Shared] {
        &self.loaded
    }

    /// Returns the catalog called `name`.
    pub fn by_name(&self, name: &str) -> Option<Shared> {
        self.iter().find(|catalog| catalog.name == name)
    }

    /// Loads the catalog file `file` of `sources`. Returns the catalog and adds it to the loaded ones, unless it has
    /// errors. Errors go to `diagnostics`.
    ///
    /// `extends = "parent"` refers to a catalog that is already available or, failing that, to the file `parent.toml`
    /// next to this one.
    pub fn load(
        &mut self,
        sources: &mut SourceMap,
        file: FileId,
        beside: &mut dyn Beside,
        diagnostics: &mut Diagnostics,
    ) -> Option<Shared> {
        // From the file up to an available ancestor, then back down.
        let mut chain = vec![file];
        let mut names = vec![own_name(sources, file)];
        let mut parent: Option<Catalog> = None;
        let mut last = file;
        // The first file whose text is not shown, and the place that refers to it.
        let mut hidden: Option<(FileId, Span)> = None;
        while let Some((name, place)) = file::parent(&sources.get(last).text) {
            let span = hidden.map_or(Span::new(last, place.start, place.end), |(_, shown)| shown);
            let circle = names.iter().flatten().any(|known| *known == name);
            if (circle || chain.len() > MAX_CATALOG_DEPTH) && hidden.is_some() {
                diagnostics.push(not_shown(sources, span));
                return None;
            }
            if circle || chain.len() > MAX_CATALOG_DEPTH {
                let message = if circle {
                    format!("the catalog \"{name}\" extends itself")
                } else {
                    format!("catalogs extend one another more than {MAX_CATALOG_DEPTH} deep")
                };
                diagnostics.push(Diagnostic::new(Code::CatalogParent, span, message));
                return None;
            }
            if let Some(known) = self.by_name(&name) {
                parent = Some((*known).clone());
                break;
            }
            let wanted = if name.ends_with(".toml") { name.clone() } else { format!("{name}.toml") };
            let is_outside = beside.is_outside(&wanted, &sources.get(last).name);
            match beside.read(&wanted, &sources.get(last).name) {
                Ok((shown, bytes)) => {
                    if is_outside && hidden.is_none() {
                        hidden = Some((FileId(sources.len() as u32), span));
                    }
                    last = sources.add(shown, None, bytes);
                    let own = own_name(sources, last);
                    if own.is_some() && names.contains(&own) {
                        if hidden.is_some() {
                            diagnostics.push(not_shown(sources, span));
                            return None;
                        }
                        let message = format!("the catalog \"{name}\" extends itself");
                        diagnostics.push(Diagnostic::new(Code::CatalogParent, span, message));
                        return None;
                    }
                    chain.push(last);
                    names.push(own);
                }
                Err(_) if hidden.is_some() => {
                    diagnostics.push(not_shown(sources, span));
                    return None;
                }
                Err(problem) => {
                    let known: Vec<Shared> = self.iter().collect();
                    let message = format!("unknown parent catalog \"{name}\"");
                    let mut diagnostic =
                        Diagnostic::new(Code::CatalogParent, span, message).with_note(format!("{wanted}: {problem}"));
                    diagnostic.help = did_you_mean(&name, known.iter().map(|known| known.name.as_ref()));
                    diagnostics.push(diagnostic);
                    return None;
                }
            }
        }
        for &file in chain.iter().rev() {
            let mut problems = Problems::default();
            let draft = file::read(&sources.get(file).text, parent.take(), &mut problems);
            let fine = problems.list.is_empty();
            if let (false, Some((_, shown))) = (fine, hidden.filter(|&(first, _)| file >= first)) {
                diagnostics.push(not_shown(sources, shown));
                return None;
            }
            for problem in problems.list {
                let span = Span::new(file, problem.place.start, problem.place.end);
                let code = match problem.kind {
                    file::Kind::Syntax => Code::CatalogSyntax,
                    file::Kind::Entry => Code::CatalogEntry,
                    file::Kind::Conflict => Code::CatalogConflict,
                };
                let mut diagnostic = Diagnostic::new(code, span, problem.message);
                diagnostic.help = problem.help;
                diagnostics.push(diagnostic);
            }
            if !fine {
                return None;
            }
            parent = Some(draft);
        }
        let mut catalog = parent?;
        let mut words: Vec<Name> = des_files().flat_map(|catalog| catalog.all_keywords().iter().cloned()).collect();
        words.sort_unstable();
        words.dedup();
        catalog.make_index(&words);
        catalog.index.own_words = own_words(&catalog).into();
        let catalog = Shared::from(catalog);
        self.loaded.push(catalog.clone());
        Some(catalog)
    }
}

/// Returns the error for a parent catalog in another folder, whose text is not shown.
fn not_shown(sources: &SourceMap, span: Span) -> Diagnostic {
    let message = format!("{} is in another folder, and cannot be read as a catalog", sources.text(span));
    Diagnostic::new(Code::CatalogParent, span, message)
        .with_help("check that file with `splc catalog validate` to see its errors")
}

/// Returns the name that the catalog file gives itself.
fn own_name(sources: &SourceMap, file: FileId) -> Option<String> {
    file::own_name(&sources.get(file).text)
}

/// Returns the built-in games whose levels are des-files. Words of NetHack 5 mean nothing to the compilers.
fn des_files() -> impl Iterator<Item = &'static Catalog> {
    ALL.iter().copied().filter(|catalog| catalog.has_level_files())
}

/// Returns the words of `catalog` that no built-in game's lexer recognises, with their meanings, sorted.
fn own_words(catalog: &Catalog) -> Vec<(Name, OwnWord)> {
    // The lexer for levels of parts recognises only the words of its own dialect.
    let is_any = catalog.format != Format::Parts;
    let is_known =
        |word: &str| des_files().any(|known| (is_any || known.format == Format::Parts) && known.is_keyword(word));
    let part_is_known = |table: fn(&Catalog) -> &Numbers, part: &str| {
        part == "end" || des_files().any(|catalog| table(catalog).iter().any(|(known, _)| known == part))
    };
    let of = |group: Group| catalog.words[group as usize].iter().map(|(word, _)| word);
    let unknown = |group: Group| of(group).filter(|word| !is_known(word));
    let mut words: Vec<(Name, OwnWord)> = unknown(Group::Flag).map(|word| (word.clone(), OwnWord::Flag)).collect();
    words.extend(of(Group::DoorDetail).map(|word| (word.clone(), OwnWord::DoorDetail)));
    words.extend(catalog.place_statements.iter().map(|word| (word.clone(), OwnWord::Statement)));
    for group in [Group::Curse, Group::Engraving, Group::Light, Group::PlaceCheck, Group::ObjectFlag] {
        words.extend(unknown(group).map(|word| (word.clone(), OwnWord::Of(group))));
    }
    for (kind, table) in [
        (OwnWord::MonsterDetail, (|catalog| &catalog.monster_parts) as fn(&Catalog) -> &_),
        (OwnWord::ObjectDetail, |catalog| &catalog.object_parts),
    ] {
        let parts = table(catalog).iter().map(|(part, _)| part);
        let own = parts.filter(|part| !part_is_known(table, part) && !is_known(part));
        words.extend(own.map(|part| (part.clone(), kind)));
    }
    words.sort_by(|(one, _), (other, _)| one.cmp(other));
    words.dedup_by(|(one, _), (other, _)| one == other);
    words
}
