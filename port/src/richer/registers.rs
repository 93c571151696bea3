//! Rewrites RANDOM_PLACES, RANDOM_OBJECTS and RANDOM_MONSTERS as shuffled arrays.

use std::collections::HashMap;

use splc_ir::catalog::{Catalog, Format, Match};
use splc_ir::level::*;
use splc_ir::source::{Span, Spanned, Text};
use splc_ir::visit::{VisitMut, walk_mut};

use crate::tree::{levels, parts};
use crate::work::Work;

/// The arrays that replace the registers of each type, with their lengths, latest last.
#[derive(Default)]
struct Arrays(HashMap<RegisterKind, Vec<(Text, usize)>>);

impl Arrays {
    fn of(&mut self, of: RegisterKind) -> &mut Vec<(Text, usize)> {
        self.0.entry(of).or_default()
    }

    /// Returns the number of arrays whose names share this type's prefix.
    fn called_alike(&self, of: RegisterKind) -> usize {
        self.0
            .iter()
            .filter(|(known, _)| **known == of || known.is_place() && of.is_place())
            .map(|(_, all)| all.len())
            .sum()
    }

    /// Returns the array that contains register `index`. Registers past the end of a list keep their earlier part's
    /// values.
    fn holding(&mut self, of: RegisterKind, index: i32) -> Option<Text> {
        let index = usize::try_from(index).ok()?;
        self.of(of).iter().rev().find(|(_, count)| index < *count).map(|(name, _)| name.clone())
    }
}

/// Returns the array name for the `count`-th list of a type. Variable names in NetHack 3.6 consist of letters only.
fn array_name(of: RegisterKind, count: usize) -> Text {
    let mut name = Text::const_new(match of {
        RegisterKind::Object => "$object",
        RegisterKind::Monster => "$monster",
        _ => "$place",
    });
    let mut number = count;
    while number > 0 {
        name.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    name
}

/// Replaces registers with arrays, and their uses with array elements.
pub(crate) fn registers(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        let mut arrays = Arrays::default();
        let mut body = Vec::new();
        // Registers treat a level of rooms as a single part.
        for part in parts(&mut level.body) {
            let (lists, mut rest): (Vec<_>, Vec<_>) =
                part.into_iter().partition(|statement| matches!(statement.kind, StatementKind::Registers { .. }));
            // Notes on random regions are attached to the statements that use them.
            rest.retain(|statement| {
                let gone = matches!(&statement.kind, StatementKind::LevelRegion(region) if matches!(region.kind, LevelRegionKind::Register(_)));
                if gone {
                    work.same(statement.span, "the random region is removed: its uses are replaced");
                }
                !gone
            });
            let mut defined = Vec::new();
            let lists_of_places =
                (0..=u8::MAX).map(RegisterKind::places).filter(|of| lists.iter().any(|list| is_list_of(list, *of)));
            let kinds = [RegisterKind::Object].into_iter().chain(lists_of_places).chain([RegisterKind::Monster]);
            for kind in kinds {
                for list in lists.iter().filter(|list| is_list_of(list, kind)) {
                    defined.extend(define(work, list, kind, &mut arrays));
                }
            }
            // After the MAP, or at the beginning of the level.
            let first = rest.iter().take_while(|statement| is_head(statement)).count();
            rest.splice(first..first, defined);
            for statement in &mut rest {
                Uses { work, arrays: &mut arrays, here: Span::NOWHERE }.statement(statement);
            }
            body.extend(rest);
        }
        level.body = body;
    }
}

fn is_head(statement: &Statement) -> bool {
    matches!(
        statement.kind,
        StatementKind::Map(_)
            | StatementKind::InitMap(_)
            | StatementKind::Message { .. }
            | StatementKind::LevelRegion(_)
    )
}

fn is_list_of(statement: &Statement, kind: RegisterKind) -> bool {
    matches!(statement.kind, StatementKind::Registers { of, .. } if of == kind)
}

fn define(work: &mut Work<'_>, list: &Statement, of: RegisterKind, arrays: &mut Arrays) -> Vec<Statement> {
    let StatementKind::Registers { values, .. } = &list.kind else { return Vec::new() };
    if values.is_empty() {
        work.same(list.span, "an empty list of registers does nothing");
        return Vec::new();
    }
    let name = array_name(of, arrays.called_alike(of));
    arrays.of(of).push((name.clone(), values.len()));
    work.same(list.span, format!("the registers become the shuffled array {name}"));
    let ty = match of {
        RegisterKind::Object => ValueType::Object,
        RegisterKind::Monster => ValueType::Monster,
        _ => ValueType::Coordinate,
    };
    let variable = Spanned::new(name, Span::NOWHERE);
    let mut values = values.clone();
    // The compiler stores classes from the last to the first. Scripts of NetHack 5 must preserve every draw.
    if matches!(of, RegisterKind::Object | RegisterKind::Monster) && work.to.format == Format::Lua {
        values.reverse();
        work.same(list.span, "its values are reversed, as in the level file");
    }
    let value = Definition::Array { ty, values };
    [StatementKind::Define { variable: variable.clone(), value }, StatementKind::Shuffle { variable }]
        .map(|kind| Statement { kind, span: list.span })
        .into()
}

/// Rewrites the uses of registers.
struct Uses<'w, 'a, 'r> {
    work: &'w mut Work<'a>,
    arrays: &'r mut Arrays,
    here: Span,
}

impl Uses<'_, '_, '_> {
    fn value(&mut self, of: RegisterKind, index: i32) -> ExprKind {
        let Some(name) = self.arrays.holding(of, index) else {
            // The game finds it empty and uses any class, or the corner.
            self.work.differs(
                self.here,
                match of {
                    RegisterKind::Region => "a place in a random region becomes a random place",
                    _ => "the register is never set; replaced with something random",
                },
            );
            return match of {
                RegisterKind::Object => ExprKind::Object(SpeciesName::Random),
                RegisterKind::Monster => ExprKind::Monster(SpeciesName::Random),
                _ => ExprKind::RandomCoordinate { humidity: Vec::new() },
            };
        };
        self.work.same(self.here, format!("the register becomes {name}[{index}]"));
        let ty = match of {
            RegisterKind::Object => ValueType::Object,
            RegisterKind::Monster => ValueType::Monster,
            _ => ValueType::Coordinate,
        };
        let index = Expr { kind: ExprKind::Integer(index), span: Span::NOWHERE };
        ExprKind::Variable(Variable { name, index: Some(Box::new(index)), ty: Type::of(ty) })
    }
}

/// Looks up an object by its exact name only, as the compiler of 3.4.3 does next to a register.
fn object_by_name(catalog: &Catalog, name: &str) -> Option<SpeciesName> {
    let (number, how) = catalog.object(name, None)?;
    let object = catalog.objects.get(number as usize).filter(|_| how == Match::Exact)?;
    Some(SpeciesName::ClassAndName(object.class, Text::from(name)))
}

impl VisitMut for Uses<'_, '_, '_> {
    fn statement(&mut self, statement: &mut Statement) {
        let outer = std::mem::replace(&mut self.here, statement.span);
        walk_mut::statement(self, statement);
        self.here = outer;
    }

    fn expression(&mut self, expression: &mut Expr) {
        match &expression.kind {
            ExprKind::Register { of, index } => expression.kind = self.value(*of, index.node),
            ExprKind::NamedRegister { of, index, name } => {
                // For a register that was never set, the game creates a random object.
                let found = match of {
                    RegisterKind::Object if self.arrays.holding(*of, index.node).is_some() => {
                        object_by_name(self.work.from, name)
                    }
                    _ => None,
                };
                expression.kind = match found {
                    Some(object) => {
                        self.work.same(self.here, "a name next to a register of objects overrides the register");
                        ExprKind::Object(object)
                    }
                    None => {
                        self.work.same(self.here, "the game ignores a name next to a register");
                        self.value(*of, index.node)
                    }
                };
            }
            _ => walk_mut::expression(self, expression),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn arrays_have_names_of_letters_and_no_two_the_same() {
        let names: HashSet<Text> = (0..1000).map(|count| array_name(RegisterKind::Place, count)).collect();
        assert_eq!(names.len(), 1000);
        assert!(names.iter().all(|name| name[1..].chars().all(|letter| letter.is_ascii_lowercase())));
        assert_eq!(array_name(RegisterKind::Object, 0), "$object");
    }
}
