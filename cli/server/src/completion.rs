//! Completion: statements, operands by their type, names of the game and of the author.

use std::collections::HashSet;

use gen_lsp_types as lsp;
use serde_json::{Value, json};
use splc_frontends::vocabulary;
use splc_ir::catalog::{Catalog, Group, Species};
use splc_ir::level::{SpeciesName, ValueType};
use splc_ir::order::Order;
use splc_ir::visit::SpeciesRole;

use crate::dungeon;
use crate::items::{Item, List};
use crate::knowledge::{core_signature, flag, species, species_detail, species_text, terrain, type_name};
use crate::levels;
use crate::limits::MAX_ITEMS;
use crate::script;
use crate::server::Server;
use crate::signature::forms;
use crate::view::{Language, View};
use crate::words::{Context, Kind, context};

/// Returns the completions at `offset`.
pub(crate) fn completion(
    server: &mut Server,
    view: &View,
    offset: usize,
    parameters: lsp::CompletionParams,
) -> Option<lsp::CompletionResponse> {
    let mut list =
        List { items: Vec::new(), known: HashSet::new(), replace: offset..offset, snippets: server.client.snippets };
    let typed = parameters.context.and_then(|context| context.trigger_character);
    match view.language {
        Language::Lua => script::completion(view, offset, typed.as_deref() == Some(" "), &mut list),
        Language::Des => Des { server, view, catalog: view.catalog(), list: &mut list }.at(offset, typed.as_deref()),
        Language::Dungeon => dungeon::completion(server, view, offset, &mut list),
        Language::Other => {}
    }
    (!list.items.is_empty()).then(|| response(view, offset, list))
}

fn response(view: &View, offset: usize, list: List) -> lsp::CompletionResponse {
    let List { items, replace, snippets, .. } = list;
    // Clients require a range on the line of the cursor that contains it.
    let line = view.text.line(view.text.line_of(offset));
    let range = replace.start.clamp(line.start, offset)..replace.end.clamp(offset, line.end.max(offset));
    let range = view.range(range);
    let is_incomplete = items.len() > MAX_ITEMS;
    let item = |item: Item| {
        let Item { label, kind, detail, documentation, species, insert, snippet, rank } = item;
        let data =
            species.map(|role| json!({ "uri": view.uri, "monster": role == SpeciesRole::Monster, "name": label }));
        let (text, format) = match (snippet, insert) {
            (Some(snippet), _) if snippets => (snippet, Some(lsp::InsertTextFormat::Snippet)),
            (_, insert) => (insert.unwrap_or_else(|| label.clone()), None),
        };
        let documentation = documentation.map(|value| {
            lsp::Documentation::MarkupContent(lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value })
        });
        lsp::CompletionItem {
            sort_text: Some(format!("{rank}{label}")),
            filter_text: Some(label.clone()),
            label,
            kind: Some(kind),
            detail,
            documentation,
            insert_text_format: format,
            data,
            text_edit: Some(lsp::CompletionItemTextEdit::TextEdit(lsp::TextEdit { range, new_text: text })),
            ..Default::default()
        }
    };
    lsp::CompletionResponse::CompletionList(lsp::CompletionList {
        is_incomplete,
        items: items.into_iter().take(MAX_ITEMS).map(item).collect(),
        item_defaults: None,
        apply_kind: None,
    })
}

/// Adds the description of a monster or object to an item.
pub(crate) fn resolve(server: &Server, mut item: lsp::CompletionItem) -> lsp::CompletionItem {
    let describe = |data: &Value| {
        let view = server.view(&data.get("uri")?.as_str()?.into())?;
        let is_monster = data.get("monster")?.as_bool()?;
        let role = if is_monster { SpeciesRole::Monster } else { SpeciesRole::Object };
        let name = SpeciesName::Name(data.get("name")?.as_str()?.into());
        let found = species(view.catalog(), role, &name)?;
        Some(species_text(view.catalog(), role, found))
    };
    if let Some(value) = item.data.as_ref().and_then(describe) {
        let content = lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value };
        item.documentation = Some(lsp::Documentation::MarkupContent(content));
    }
    item
}

/// Quotes in which a value is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    /// None yet: the value brings its own.
    None,
    /// Within double quotes.
    Double,
    /// Within single quotes.
    Single,
}

/// Completion in a des-file.
struct Des<'a> {
    server: &'a Server,
    view: &'a View,
    catalog: &'a Catalog,
    list: &'a mut List,
}

impl<'a> Des<'a> {
    fn at(&mut self, offset: usize, typed: Option<&str>) {
        let text = self.view.text();
        let context = context(text, self.view.words(), offset);
        self.list.replace = context.word.clone();
        let quotes = match context.kind {
            Some(Kind::Comment | Kind::Map | Kind::Number) => return,
            Some(Kind::Text) => {
                let word = &text[context.word.clone()];
                let closed = word.len() > 1 && word.ends_with('"');
                self.list.replace = context.word.start + 1..if closed { context.word.end - 1 } else { offset };
                Quotes::Double
            }
            Some(Kind::Character) => Quotes::Single,
            _ => Quotes::None,
        };
        let Some(statement) = context.statement.clone() else {
            // A space before a statement is only indentation.
            if context.kind == Some(Kind::Variable) {
                self.variables(offset, |_| true);
            } else if quotes == Quotes::None && (typed.is_none() || context.kind.is_some()) && typed != Some(" ") {
                self.statements(&context);
            }
            return;
        };
        let keyword = &text[statement];
        match keyword {
            "INCLUDE" if quotes == Quotes::Double => self.files(),
            _ if context.in_brackets => {
                if matches!(keyword, "IF" | "MONSTER" | "OBJECT") {
                    self.list.add(
                        Item::new("50%", lsp::CompletionItemKind::Value).detail("chance").snippet("${1:50}%").rank(0),
                    );
                }
                self.values(offset, Some(ValueType::Integer));
            }
            _ if context.assigns => self.assigned(&context, offset, quotes),
            _ if self.view.names().functions.contains_key(keyword) || self.catalog.core_function(keyword).is_some() => {
                self.values(offset, None);
            }
            _ => match context.operand {
                Some(operand) => self.operand(keyword, operand, &context, offset, quotes),
                // After a statement without operands, or before a colon.
                None if context.kind == Some(Kind::Statement) => self.statements(&context),
                None => {}
            },
        }
    }

    /// Adds the statements, and the functions that can be called.
    fn statements(&mut self, context: &Context) {
        let catalog = self.catalog;
        let blocks: Vec<&str> = context.blocks.iter().map(|block| &self.view.text()[block.clone()]).collect();
        let follows_block = context.before.as_ref().is_some_and(|before| before.kind == Kind::Sign(b'}'));
        for word in vocabulary::statements(catalog) {
            let fits = match word {
                "CASE" | "DEFAULT" => blocks.last() == Some(&"SWITCH"),
                "BREAK" => blocks.iter().any(|block| ["SWITCH", "LOOP", "FOR"].contains(block)),
                "ELSE" => follows_block,
                "LEVEL" | "MAZE" | "INCLUDE" | "FLAGS" => blocks.is_empty(),
                _ => true,
            };
            if !fits {
                continue;
            }
            let syntax = vocabulary::syntax(word, catalog).unwrap_or(word);
            let form = forms(word, syntax).into_iter().next();
            let colon = form.as_ref().is_some_and(|form| form.syntax[word.len()..].starts_with(':'));
            let detail = form.as_ref().map_or(syntax, |form| form.syntax);
            let blank = if self.view.is_parts() { "" } else { " " };
            let plain = if colon { format!("{word}:{blank}") } else { word.to_owned() };
            let item = Item::new(word, lsp::CompletionItemKind::Keyword).detail(detail).insert(&plain);
            self.list.add(item.snippet(&snippet(word, detail, blank)));
        }
        let place = catalog.place_statements.iter().map(|word| word.as_ref());
        for word in place {
            self.list.add(
                Item::new(word, lsp::CompletionItemKind::Keyword)
                    .detail("statement of one place")
                    .insert(&format!("{word}: ")),
            );
        }
        let functions: Vec<_> = self
            .view
            .names()
            .functions
            .iter()
            .map(|(name, (parameters, _))| (name.clone(), parameters.clone()))
            .collect();
        for (name, parameters) in functions {
            let shown: Vec<String> =
                parameters.iter().map(|(name, ty)| format!("{name}: {}", type_name(*ty))).collect();
            let item = Item::new(&name, lsp::CompletionItemKind::Function)
                .detail(&format!("FUNCTION {name}({})", shown.join(", ")));
            self.list.add(item.insert(&format!("{name}()")).snippet(&format!("{name}($0)")));
        }
    }

    /// Adds the values of the right-hand side of an assignment.
    fn assigned(&mut self, context: &Context, offset: usize, quotes: Quotes) {
        let from = context.operands.first().copied().unwrap_or(offset).min(offset);
        let written = self.view.text()[from..offset].trim_start();
        let spec = ["monster", "object", "terrain", "selection"]
            .into_iter()
            .find(|word| written.starts_with(&format!("{word}:")));
        match spec {
            Some(spec) => self.spec("$", spec, context, offset, quotes),
            // The limits of a loop are numbers.
            None if quotes == Quotes::None
                && context.statement.as_ref().is_some_and(|word| &self.view.text()[word.clone()] == "FOR") =>
            {
                self.values(offset, Some(ValueType::Integer));
            }
            None if quotes == Quotes::None => {
                for word in ["monster", "object", "terrain", "selection"] {
                    let item = Item::new(word, lsp::CompletionItemKind::Keyword).detail("type of the value");
                    self.list.add(item.insert(&format!("{word}: ")));
                }
                self.values(offset, None);
            }
            None => {}
        }
    }

    /// Adds the values of an operand.
    fn operand(&mut self, keyword: &str, operand: usize, context: &Context, offset: usize, quotes: Quotes) {
        let Some(syntax) = vocabulary::syntax(keyword, self.catalog) else {
            // A statement of one place of a variant.
            return self.spec(keyword, "place", context, offset, quotes);
        };
        if keyword == "INIT_MAP" && operand == 0 && !self.view.is_parts() {
            return self.words(vocabulary::init_styles(self.catalog), "style");
        }
        for form in forms(keyword, syntax) {
            let last = form.operands.last().filter(|last| last.ends_with("..."));
            let Some(spec) = form.operands.get(operand).or(last) else { continue };
            for alternative in alternatives(spec) {
                self.spec(keyword, alternative, context, offset, quotes);
            }
        }
    }

    /// Adds the values of one alternative of an operand.
    fn spec(&mut self, keyword: &str, spec: &str, context: &Context, offset: usize, quotes: Quotes) {
        let inner = context.inner;
        let spec = spec.trim_end_matches('.').trim();
        match spec {
            _ if spec.starts_with('"') => self.named(keyword, spec.trim_matches('"'), context, offset, quotes),
            _ if spec.starts_with('\'') => {
                let is_class = spec == "'class'";
                match keyword {
                    "MONSTER" | "RANDOM_MONSTERS" if is_class => {
                        self.classes(SpeciesRole::Monster, quotes, keyword == "MONSTER")
                    }
                    _ if is_class => self.classes(SpeciesRole::Object, quotes, keyword != "RANDOM_OBJECTS"),
                    _ => self.terrain(quotes),
                }
            }
            "monster" => self.species(SpeciesRole::Monster, context, offset, quotes),
            "object" => self.species(SpeciesRole::Object, context, offset, quotes),
            "terrain" | "terrain to walk over" | "from" | "to" | "filling" => {
                self.terrain(quotes);
                self.variables(offset, |ty| ty == ValueType::MapCharacter);
            }
            _ if spec.starts_with('(') && spec.contains("\"monster\"") && inner.is_some() => {
                self.species(SpeciesRole::Monster, context, offset, quotes);
            }
            _ if quotes != Quotes::None => {}
            "place" | "region" | "selection" | "place on a map" if inner.is_none() => {
                self.place(spec, takes_selection(keyword), offset);
            }
            "place" | "region" | "selection" => self.values(offset, Some(ValueType::Integer)),
            // Between the parentheses of a place or size are numbers.
            _ if inner.is_some()
                && spec != "details"
                && keyword.starts_with(|first: char| first.is_ascii_uppercase()) =>
            {
                self.variables(offset, |ty| ty == ValueType::Integer);
            }
            "alignment" if keyword != "ROOM" => {
                self.words(self.catalog.words(Group::Alignment).collect(), "alignment");
                (0..3).for_each(|number| {
                    self.list.add(
                        Item::new(&format!("align[{number}]"), lsp::CompletionItemKind::EnumMember)
                            .detail("one of the three alignments, shuffled"),
                    )
                });
                self.words(vec!["random"], "");
            }
            "state" => {
                self.words(self.catalog.words(Group::DoorState).collect(), "door state");
                self.words(vec!["random"], "");
            }
            "direction" | "wall" => {
                self.words(self.catalog.words(Group::Direction).collect(), "direction");
                if spec == "wall" {
                    self.words(vec!["random"], "");
                }
            }
            "secret" => self.words(vec!["true", "false", "random"], "secret door or not"),
            _ if spec.starts_with("secret (") => self.words(vec!["true", "false", "random"], "secret door or not"),
            "flag" => {
                for word in self.catalog.words(Group::Flag) {
                    self.list.add(
                        Item::new(word, lsp::CompletionItemKind::EnumMember).detail(flag(word).unwrap_or("level flag")),
                    );
                }
            }
            "flags" => {
                for group in [Group::Filling, Group::Irregular, Group::Joined] {
                    self.words(self.catalog.words(group).collect(), "flag of a room");
                }
            }
            "details" => self.details(keyword),
            "smoothed" | "joined" | "walled" => self.words(vec!["true", "false"], spec),
            "$array" => self.arrays(offset),
            _ if spec.starts_with('(') => {
                if inner.is_none() {
                    self.place("region", false, offset);
                }
            }
            "random" => self.words(vec!["random"], ""),
            word if self.catalog.is_keyword(word) => self.words(vec![word], keyword),
            // Numbers and everything else.
            _ => self.variables(offset, |ty| ty == ValueType::Integer),
        }
    }

    fn details(&mut self, keyword: &str) {
        let catalog = self.catalog;
        let (words, groups): (Vec<&str>, &[(Group, &str)]) = if keyword == "MONSTER" {
            let groups = &[
                (Group::Attitude, "attitude"),
                (Group::Alertness, "alertness"),
                (Group::Appearance, "disguise"),
                (Group::Alignment, "alignment"),
            ];
            (vocabulary::monster_details(catalog), groups)
        } else {
            (vocabulary::object_details(catalog), &[(Group::Curse, "curse")])
        };
        for word in words {
            let takes_value = [
                "name",
                "quantity",
                "montype",
                "eroded",
                "recharged",
                "fleeing",
                "blinded",
                "paralyzed",
                "seen_traps",
                "align",
            ]
            .contains(&word);
            let item = Item::new(word, lsp::CompletionItemKind::Property).detail("detail");
            self.list.add(if takes_value && word != "align" { item.insert(&format!("{word}: ")) } else { item });
        }
        for (group, detail) in groups {
            self.words(catalog.words(*group).collect(), detail);
        }
    }

    fn words(&mut self, words: Vec<&str>, detail: &str) {
        for word in words {
            let rank = if word == "random" { 1 } else { 2 };
            self.list.add(Item::new(word, lsp::CompletionItemKind::EnumMember).detail(detail).rank(rank));
        }
    }

    /// Adds names that are written in double quotes.
    fn named(&mut self, keyword: &str, what: &str, context: &Context, offset: usize, quotes: Quotes) {
        if quotes == Quotes::Single {
            return;
        }
        let (names, detail): (Vec<String>, &str) = match (keyword, what) {
            ("TRAP", _) => (self.catalog.traps.iter().map(|(name, _)| name.to_string()).collect(), "trap"),
            ("MONSTER", "name") => {
                return self.names_of(SpeciesRole::Monster, class_before(self.view.text(), context, offset), quotes);
            }
            ("OBJECT" | "CONTAINER", "name") => {
                return self.names_of(SpeciesRole::Object, class_before(self.view.text(), context, offset), quotes);
            }
            ("PORTAL", "level") => (levels::names(self.server), "level"),
            (_, "type" | "room type") => {
                (self.catalog.rooms.iter().map(|(name, _)| name.to_string()).collect(), "room type")
            }
            (_, "parent") => {
                let rooms =
                    self.view.names().uses.iter().filter(|used| used.kind == crate::names::Kind::Room && used.defines);
                (rooms.map(|used| used.name.to_string()).collect(), "room")
            }
            _ => return,
        };
        for name in names {
            let item = Item::new(&name, lsp::CompletionItemKind::Value).detail(detail);
            self.list.add(if quotes == Quotes::None { item.insert(&format!("\"{name}\"")) } else { item });
        }
    }

    /// Adds the classes of monsters or objects as characters. In NetHack 3.4.3, the class comes before the name.
    fn classes(&mut self, role: SpeciesRole, quotes: Quotes, with_names: bool) {
        if quotes == Quotes::Double {
            return;
        }
        let (symbols, noun) = match role {
            SpeciesRole::Monster => (&self.catalog.monster_classes, "monster class"),
            SpeciesRole::Object => (&self.catalog.object_classes, "object class"),
        };
        for class in symbols.chars().filter(|class| !class.is_control()) {
            self.list.add(
                Item::new(&character(class, self.view.is_parts()), lsp::CompletionItemKind::EnumMember).detail(noun),
            );
        }
        if with_names && quotes == Quotes::None && self.view.is_parts() {
            for one in self.all(role) {
                let pair = format!("{},\"{}\"", character(one.class, true), one.name);
                self.list.add(self.species_item(role, one).insert(&pair));
            }
            self.words(vec!["random"], "");
        }
    }

    /// Returns the monsters or objects that have a name.
    fn all(&self, role: SpeciesRole) -> Vec<&'a Species> {
        let list: &'a [Species] = match role {
            SpeciesRole::Monster => &self.catalog.monsters,
            SpeciesRole::Object => &self.catalog.objects,
        };
        list.iter().filter(|one| !one.name.is_empty()).collect()
    }

    fn species_item(&self, role: SpeciesRole, one: &Species) -> Item {
        Item::new(&one.name, lsp::CompletionItemKind::Value).species(role).detail(&species_detail(role, one))
    }

    /// Adds names of monsters or objects, of `class` if given.
    fn names_of(&mut self, role: SpeciesRole, class: Option<char>, quotes: Quotes) {
        for one in self.all(role).into_iter().filter(|one| class.is_none_or(|class| class == one.class)) {
            let item = self.species_item(role, one);
            self.list.add(if quotes == Quotes::None { item.insert(&format!("\"{}\"", one.name)) } else { item });
        }
        if quotes == Quotes::None {
            self.words(vec!["random"], "");
        }
    }

    /// Adds monsters or objects of the script languages.
    fn species(&mut self, role: SpeciesRole, context: &Context, offset: usize, quotes: Quotes) {
        let class = class_before(self.view.text(), context, offset);
        match (quotes, context.inner) {
            (Quotes::Single, _) | (Quotes::None, Some((0, _))) => self.classes(role, quotes, false),
            (Quotes::Double, _) | (Quotes::None, Some(_)) => self.names_of(role, class, quotes),
            (Quotes::None, None) => {
                for one in self.all(role) {
                    let pair = format!("({}, \"{}\")", character(one.class, false), one.name);
                    self.list.add(self.species_item(role, one).insert(&pair));
                }
                self.classes(role, quotes, false);
                self.words(vec!["random"], "");
                let wanted = if role == SpeciesRole::Monster { ValueType::Monster } else { ValueType::Object };
                self.variables(offset, |ty| ty == wanted);
            }
        }
    }

    fn terrain(&mut self, quotes: Quotes) {
        if quotes == Quotes::Double {
            return;
        }
        for &(symbol, _) in self.catalog.terrain.iter() {
            let name = terrain(self.catalog, symbol).unwrap_or("");
            self.list.add(
                Item::new(&character(symbol, self.view.is_parts()), lsp::CompletionItemKind::EnumMember).detail(name),
            );
        }
    }

    /// Adds places, regions or, for statements about many squares, selections.
    fn place(&mut self, spec: &str, takes_selection: bool, offset: usize) {
        let catalog = self.catalog;
        if spec != "region" {
            self.list.add(
                Item::new("(x,y)", lsp::CompletionItemKind::Snippet)
                    .detail("a square")
                    .snippet("(${1:x},${2:y})")
                    .rank(1),
            );
            self.words(vec!["random"], "");
        }
        if spec != "place" && spec != "place on a map" {
            let item = Item::new("(x1,y1,x2,y2)", lsp::CompletionItemKind::Snippet).detail("a rectangle");
            self.list.add(item.snippet("(${1:x1},${2:y1},${3:x2},${4:y2})").rank(1));
        }
        if catalog.is_script() {
            let takes_selection = takes_selection || spec == "selection";
            if takes_selection {
                let words = vocabulary::selections(catalog);
                self.words(words.into_iter().filter(|word| *word != "random").collect(), "selection");
            } else if spec == "place" {
                self.words(vec!["rndcoord"], "a random square of a selection");
            }
            self.variables(offset, |ty| match ty {
                ValueType::Coordinate => spec != "region",
                ValueType::Region => spec == "region" || takes_selection,
                ValueType::Selection => takes_selection,
                _ => false,
            });
        } else {
            let names = self.view.names();
            let scope: Vec<_> = names
                .uses
                .iter()
                .filter(|used| used.defines)
                .filter_map(|used| match used.kind {
                    crate::names::Kind::Register(of) if of.is_place() => Some(format!("place[{}]", used.name)),
                    _ => None,
                })
                .collect();
            for register in scope {
                self.list.add(Item::new(&register, lsp::CompletionItemKind::Variable).detail("one of RANDOM_PLACES"));
            }
        }
    }

    /// Adds variables, and the functions of the game.
    fn values(&mut self, offset: usize, wanted: Option<ValueType>) {
        self.variables(offset, |ty| wanted.is_none_or(|wanted| wanted == ty));
        for function in self.catalog.core_functions.iter() {
            let detail = core_signature(&function.name, &function.parameters, function.result);
            let item = Item::new(&function.name, lsp::CompletionItemKind::Function).detail(&detail);
            let call = if function.parameters.is_empty() {
                function.name.to_string()
            } else {
                format!("{}($0)", function.name)
            };
            self.list.add(item.snippet(&call.replace('}', "\\}")));
        }
    }

    /// Adds the variables of a type that are visible at `offset`.
    fn variables(&mut self, offset: usize, fits: impl Fn(ValueType) -> bool) {
        let names = self.view.names();
        let scope = names.scope(offset);
        let visible =
            names.variables.iter().filter(|((known, _), variable)| *known == scope && fits(variable.ty.value));
        let mut found: Vec<(String, String, bool)> = visible
            .map(|((_, name), variable)| (name.to_string(), type_name(variable.ty), variable.ty.array))
            .collect();
        found.order();
        for (name, ty, is_array) in found {
            let item = Item::new(&name, lsp::CompletionItemKind::Variable).detail(&ty).rank(0);
            self.list.add(if is_array { item.snippet(&format!("\\{name}[${{1:0}}]")) } else { item });
        }
    }

    /// Adds the arrays that are visible at `offset`.
    fn arrays(&mut self, offset: usize) {
        let names = self.view.names();
        let scope = names.scope(offset);
        let mut found: Vec<_> =
            names.variables.iter().filter(|((known, _), variable)| *known == scope && variable.ty.array).collect();
        found.order_by_key(|((_, name), _)| name.as_str());
        for ((_, name), variable) in found {
            self.list.add(Item::new(name, lsp::CompletionItemKind::Variable).detail(&type_name(variable.ty)));
        }
    }

    /// Adds the files that an INCLUDE can name.
    fn files(&mut self) {
        let Ok(entries) = std::fs::read_dir(self.view.folder()) else { return };
        let mut names: Vec<String> =
            entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.order();
        let own = self.view.path.file_name().map(|name| name.to_string_lossy().into_owned());
        for name in names.into_iter().filter(|name| Some(name) != own.as_ref()) {
            if [".des", ".inc"].iter().any(|extension| name.ends_with(extension)) {
                self.list.add(Item::new(&name, lsp::CompletionItemKind::File));
            }
        }
    }
}

/// Returns the class before the name at `offset`: in parentheses, or as the operand before it.
fn class_before(text: &str, context: &Context, offset: usize) -> Option<char> {
    let from = match context.inner {
        Some((_, start)) => start + 1,
        None => *context.operands.iter().rev().nth(1)?,
    };
    let written = text.get(from..offset)?.trim_start();
    let mut characters = written.strip_prefix('\'')?.chars();
    let class = match (characters.next()?, characters.clone().next()) {
        ('\\', Some(escaped)) if characters.clone().nth(1) == Some('\'') => escaped,
        (class, _) => class,
    };
    Some(class)
}

/// Returns a character in single quotes.
fn character(character: char, escapes: bool) -> String {
    if escapes && character == '\'' { "'\\''".to_owned() } else { format!("'{character}'") }
}

/// Returns true if the places of a statement are a selection: any number of squares.
fn takes_selection(keyword: &str) -> bool {
    const ONE_SQUARE: [&str; 15] = [
        "ALTAR",
        "CONTAINER",
        "DRAWBRIDGE",
        "ENGRAVING",
        "GOLD",
        "GRAVE",
        "LADDER",
        "MAZEWALK",
        "MONSTER",
        "OBJECT",
        "SPILL",
        "STAIR",
        "TRAP",
        "WALLWALK",
        "GEOMETRY",
    ];
    !ONE_SQUARE.contains(&keyword)
}

/// Returns the alternatives of an operand: `"name"|random` has two.
fn alternatives(spec: &str) -> Vec<&str> {
    if spec.starts_with('(') { vec![spec] } else { spec.split('|').map(str::trim).collect() }
}

/// Returns the snippet for the statement `word` with this syntax.
fn snippet(word: &str, syntax: &str, blank: &str) -> String {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}");
    let (head, block) = match syntax.split_once(" {") {
        Some((head, _)) => (head, " {\n\t$0\n}"),
        None => (syntax, ""),
    };
    let head = head.split(';').next().unwrap_or(head);
    match word {
        "INCLUDE" => return "INCLUDE \"$1\"".to_owned(),
        "CASE" => return "CASE ${1:1}:\n\t$0".to_owned(),
        "DEFAULT" => return "DEFAULT:\n\t$0".to_owned(),
        "ELSE" => return "ELSE {\n\t$0\n}".to_owned(),
        "IF" => return "IF [${1:50%}] {\n\t$0\n}".to_owned(),
        "LOOP" => return "LOOP [${1:3}] {\n\t$0\n}".to_owned(),
        "FOR" => return "FOR \\$${1:variable} = ${2:1} TO ${3:3} {\n\t$0\n}".to_owned(),
        "SWITCH" => return "SWITCH [${1:2}] {\n\tCASE 0:\n\t\t$0\n\t\tBREAK\n\tCASE 1:\n\t\tBREAK\n}".to_owned(),
        "FUNCTION" => return "FUNCTION ${1:name}() {\n\t$0\n}".to_owned(),
        _ => {}
    }
    let form = forms(word, head).into_iter().next();
    let operands = form.map_or_else(Vec::new, |form| form.operands);
    if operands.is_empty() {
        return format!("{}{block}", escaped(head));
    }
    let is_word = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-' || byte == b'_')
    };
    let placeholder = |(number, spec): (usize, &&str)| {
        let choices = alternatives(spec);
        let number = number + 1;
        if choices.len() > 1
            && choices.iter().all(|choice| is_word(choice))
            && !choices.contains(&"position")
            && !choices.contains(&"size")
            && !choices.contains(&"alignment")
        {
            format!("${{{number}|{}|}}", choices.join(","))
        } else {
            // Of `"name"|random`, the first is the usual one; of `size|random`, the last is one that compiles.
            let choice = choices.iter().find(|choice| **choice == "random").unwrap_or(&choices[0]);
            format!("${{{number}:{}}}", escaped(choice))
        }
    };
    // Details and flags are optional.
    let needed = operands.iter().filter(|spec| !spec.ends_with("...") || spec.starts_with("flag") && word == "FLAGS");
    let shown: Vec<String> = needed.enumerate().map(placeholder).collect();
    let map = if word == "GEOMETRY" { "\nMAP\n$0\nENDMAP" } else { "" };
    format!("{word}:{blank}{}{block}{map}", shown.join(&format!(",{blank}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snippets_have_a_placeholder_for_each_operand() {
        assert_eq!(snippet("TRAP", "TRAP: \"name\"|random, place", " "), "TRAP: ${1:random}, ${2:place}");
        assert_eq!(snippet("STAIR", "STAIR: place, up|down", " "), "STAIR: ${1:place}, ${2|up,down|}");
        assert_eq!(snippet("NOMAP", "NOMAP", " "), "NOMAP");
        assert_eq!(snippet("SHUFFLE", "SHUFFLE: $array", " "), "SHUFFLE: ${1:\\$array}");
    }
}
