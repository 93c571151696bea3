//! Variable definitions: `$variable = value`.

use super::values::example;
use super::{Found, Resolver};
use crate::catalog::{Catalog, Feature};
use crate::diagnostic::{Code, Diagnostic};
use crate::level::*;
use crate::source::{Spanned, Text};

/// Returns true if a definition of this type names its type, as in `$x = monster: "newt"`. Other types are inferred.
fn says_its_type(ty: ValueType) -> bool {
    !matches!(ty, ValueType::Integer | ValueType::String | ValueType::Coordinate | ValueType::Region)
}

/// Returns the character of a value that is one: a class, or terrain.
fn character(value: &Expr) -> Option<char> {
    match value.kind {
        ExprKind::MapCharacter { character, light: None } => Some(character),
        _ => None,
    }
}

/// Returns the keyword of the type that an array was likely meant to have. `classes` are its characters, if all values
/// are characters.
fn of_values(first: &ValueType, classes: Option<&[char]>, catalog: &Catalog) -> String {
    let word = match (first, classes) {
        (ValueType::Selection, _) => "selection",
        (ValueType::Object, _) => "object",
        (_, Some(classes)) if classes.iter().all(|&class| catalog.terrain(class).is_some()) => "terrain",
        (_, Some(classes)) if !classes.iter().all(|&class| catalog.monster_class(class).is_some()) => "object",
        _ => "monster",
    };
    type_word(word, catalog)
}

/// Returns the keyword of a type. Some games have it in capitals only.
fn type_word(word: &str, catalog: &Catalog) -> String {
    if catalog.is_keyword(word) { word.to_owned() } else { word.to_ascii_uppercase() }
}

impl Resolver<'_> {
    pub(super) fn definition(&mut self, name: &Spanned<Text>, definition: &mut Definition) -> Found {
        if self.catalog.has(Feature::VariableCopies)
            && let Definition::Value {
                ty: ValueType::Integer,
                value: Expr { kind: ExprKind::Variable(Variable { name: source, index: None, .. }), span },
            } = definition
        {
            let source = Spanned::new(source.clone(), *span);
            return self.copy(name, source, definition);
        }
        match definition {
            Definition::Value { ty, value } => {
                if says_its_type(*ty) {
                    self.value(value, *ty);
                    if self.catalog.has(Feature::ValuesWithoutVariables) {
                        self.written_out(value, *ty);
                    }
                    return Some(Type::of(*ty));
                }
                let found = self.infer(value)?;
                let word = match found.value {
                    _ if found.array => "",
                    ValueType::MapCharacter
                        if matches!(value.kind, ExprKind::MapCharacter { character, light: None }
                            if self.catalog.terrain(character).is_none()
                                && self.catalog.monster_class(character).is_some()) =>
                    {
                        "monster"
                    }
                    ValueType::Monster => "monster",
                    ValueType::Object => "object",
                    ValueType::MapCharacter => "terrain",
                    ValueType::Selection => "selection",
                    other => {
                        *ty = other;
                        if self.catalog.has(Feature::ValuesWithoutVariables) {
                            self.old_value(value, other);
                        }
                        return Some(found);
                    }
                };
                let help = match word {
                    "" => "write an index, as in $x[0]".to_owned(),
                    word => format!("write {} = {}: ...", name.node, type_word(word, self.catalog)),
                };
                let message = format!("{} needs its type before it", found.describe());
                self.push(Diagnostic::new(Code::TypeMismatch, value.span, message).with_help(help));
                None
            }
            Definition::Array { ty, values } => {
                if says_its_type(*ty) {
                    for value in values.iter_mut() {
                        self.literal(value, *ty);
                    }
                    return Some(Type::array(*ty));
                }
                if self.mixes_names(values) {
                    return None;
                }
                let mut whole: Found = None;
                let classes: Option<Vec<char>> = values.iter().map(character).collect();
                for value in values.iter_mut() {
                    match whole {
                        None => {
                            let found = self.infer(value)?;
                            let fits = matches!(
                                found.value,
                                ValueType::Integer | ValueType::String | ValueType::Coordinate | ValueType::Region
                            );
                            if found.array || !fits {
                                let monster = self.is_monster(value).then(|| type_word("monster", self.catalog));
                                let what = if monster.is_some() { "a monster".to_owned() } else { found.describe() };
                                let message = match classes.is_some() && monster.is_none() {
                                    true => "an array of characters needs a type".to_owned(),
                                    false => format!("{what} cannot be an element of this array"),
                                };
                                self.push(Diagnostic::new(Code::TypeMismatch, value.span, message).with_help(format!(
                                    "write the type of its values: {} = {}: {{ ... }}",
                                    name.node,
                                    monster.unwrap_or_else(|| of_values(
                                        &found.value,
                                        classes.as_deref(),
                                        self.catalog
                                    ))
                                )));
                                // The type of the values is unknown, so their names are not checked.
                                values.iter_mut().for_each(|value| value.kind = ExprKind::Error);
                                return None;
                            }
                            *ty = found.value;
                            whole = Some(Type::array(found.value));
                            self.literal_only(value, found.value);
                            if self.catalog.has(Feature::ValuesWithoutVariables)
                                && matches!(found.value, ValueType::Integer | ValueType::String)
                            {
                                self.old_value(value, found.value);
                            }
                        }
                        Some(known) => self.literal(value, known.value),
                    }
                }
                whole
            }
            Definition::Copy { variable, ty } => {
                let found = self.use_variable(&variable.node, variable.span);
                *ty = found.unwrap_or(*ty);
                found
            }
        }
    }

    /// Returns true for a class and a name that only a monster has.
    fn is_monster(&self, value: &Expr) -> bool {
        let ExprKind::Object(SpeciesName::ClassAndName(class, name)) = &value.kind else { return false };
        self.catalog.monster(name, Some(*class)).is_some() && self.catalog.object(name, Some(*class)).is_none()
    }

    /// Returns true, and reports it, if an array has classes and names, but no type: `{ "newt", 'o' }`.
    fn mixes_names(&mut self, values: &[Expr]) -> bool {
        let class = |value: &&Expr| matches!(value.kind, ExprKind::MapCharacter { light: None, .. });
        let is_name = |value: &Expr| matches!(value.kind, ExprKind::String(_));
        let Some(first) = values.iter().find(class).filter(|_| values.iter().any(is_name)) else { return false };
        let [monster, object] = ["monster", "object"].map(|word| type_word(word, self.catalog));
        self.push(
            Diagnostic::new(Code::TypeMismatch, first.span, "an array of classes and names needs its type")
                .with_help(format!("write $x = {monster}: {{ ... }}, or $x = {object}: {{ ... }}")),
        );
        true
    }

    /// Resolves `$name = $source`, which in SporkHack copies the whole variable, arrays included.
    fn copy(&mut self, name: &Spanned<Text>, source: Spanned<Text>, definition: &mut Definition) -> Found {
        if name.node == source.node {
            self.push(
                Diagnostic::new(Code::TypeMismatch, source.span, format!("'{}' is set to itself", name.node))
                    .with_help("copy another variable, or remove the line"),
            );
            return None;
        }
        let ty = self.use_variable(&source.node, source.span);
        *definition = Definition::Copy { ty: ty.unwrap_or(Type::of(ValueType::Integer)), variable: source };
        ty
    }

    /// Checks a variable's value against SporkHack's rules: numbers without variables, a single string, literal places
    /// and regions.
    fn old_value(&mut self, value: &Expr, ty: ValueType) {
        match ty {
            ValueType::Integer => self.no_variable(value),
            ValueType::String if !matches!(value.kind, ExprKind::String(_)) => {
                let message = format!("{} can set a variable only to a single string", self.catalog.title);
                self.push(
                    Diagnostic::new(Code::WrongDialect, value.span, message)
                        .with_help("write the string in double quotes, or join strings where they are used"),
                );
            }
            _ => self.written_out(value, ty),
        }
    }

    /// Resolves an element of an array. Numbers and strings may be computed; other types must be literals (lev_comp:
    /// `encodecoord_list` and related rules).
    fn literal(&mut self, value: &mut Expr, ty: ValueType) {
        self.value(value, ty);
        self.literal_only(value, ty);
        if self.catalog.has(Feature::ValuesWithoutVariables) && matches!(ty, ValueType::Integer | ValueType::String) {
            self.old_value(value, ty);
        }
    }

    fn literal_only(&mut self, value: &Expr, ty: ValueType) {
        let computed = match &value.kind {
            ExprKind::Variable(_) | ExprKind::SelectedCoordinate(_) | ExprKind::ComputedCoordinate { .. } => true,
            // A region in an array may come from a core function.
            ExprKind::CoreCall(_) => ty != ValueType::Region,
            _ => false,
        };
        if computed && !matches!(ty, ValueType::Integer | ValueType::String) {
            self.push(
                Diagnostic::new(
                    Code::TypeMismatch,
                    value.span,
                    format!("{} in an array must be literal", ty.describe()),
                )
                .with_help(format!("write {}", example(ty))),
            );
        }
    }
}
