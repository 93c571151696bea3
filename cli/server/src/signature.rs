//! Signature help: the operands of a statement, the parameters of a function.

use gen_lsp_types as lsp;
use splc_frontends::vocabulary;

use crate::knowledge::{core_signature, type_name};
use crate::script;
use crate::view::{Language, View, information};
use crate::words::{Kind, context};

/// Returns the signature of the statement or call at `offset`, with the operand there.
pub(crate) fn help(view: &View, offset: usize) -> Option<lsp::SignatureHelp> {
    match view.language {
        Language::Des => statement(view, offset),
        Language::Lua => script::signature(view, offset),
        Language::Dungeon | Language::Other => None,
    }
}

/// A form of a statement: its syntax, and the ranges of its operands in that.
pub(crate) struct Form<'a> {
    pub syntax: &'a str,
    pub operands: Vec<&'a str>,
}

/// Returns the forms of the statement `keyword` with this `syntax`: each begins with the keyword.
pub(crate) fn forms<'a>(keyword: &str, syntax: &'a str) -> Vec<Form<'a>> {
    let is_start = |at: usize| {
        let after = syntax.as_bytes().get(at + keyword.len());
        (at == 0 || syntax.as_bytes()[at - 1] == b' ')
            && !after.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    let starts: Vec<usize> = syntax.match_indices(keyword).map(|(at, _)| at).filter(|&at| is_start(at)).collect();
    let ends = starts.iter().skip(1).copied().chain([syntax.len()]);
    let one = |(&start, end): (&usize, usize)| {
        let text = syntax[start..end].trim_end();
        let text = text.strip_suffix("or with a curse and an enchantment").unwrap_or(text).trim_end();
        let text = text.strip_suffix(" or").unwrap_or(text).trim_end_matches([',', ' ']);
        form(text.split(", then ").next().unwrap_or(text))
    };
    starts.iter().zip(ends).map(one).collect()
}

fn form(syntax: &str) -> Form<'_> {
    let list = syntax.split_once(':').map_or("", |(_, list)| list);
    let (mut operands, mut depth, mut quoted, mut start) = (Vec::new(), 0_i32, false, 0);
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => depth -= 1,
            b',' if depth == 0 => {
                operands.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    // The block of a statement is not an operand.
    let last = list[start..].split(" { ").next().unwrap_or("").trim();
    if !last.is_empty() {
        operands.push(last);
    }
    Form { syntax, operands }
}

fn statement(view: &View, offset: usize) -> Option<lsp::SignatureHelp> {
    let context = context(view.text(), view.words(), offset);
    if matches!(context.kind, Some(Kind::Comment | Kind::Map)) {
        return None;
    }
    let keyword = &view.text()[context.statement.clone()?];
    let names = view.names();
    if let Some((parameters, _)) = names.functions.get(keyword) {
        let shown: Vec<String> = parameters.iter().map(|(name, ty)| format!("{name}: {}", type_name(*ty))).collect();
        let active = context.inner.map(|(number, _)| number);
        return Some(one(format!("{keyword}({})", shown.join(", ")), shown, active));
    }
    if let Some(function) = view.catalog().core_function(keyword) {
        let label = core_signature(keyword, &function.parameters, function.result);
        return Some(one(label, Vec::new(), None));
    }
    let operand = context.operand?;
    let syntax = vocabulary::syntax(keyword, view.catalog())?;
    let forms = forms(keyword, syntax);
    let signatures: Vec<lsp::SignatureInformation> = forms
        .iter()
        .map(|form| {
            information(
                form.syntax.to_owned(),
                form.operands.iter().map(|one| (*one).to_owned()).collect(),
                Some(operand),
            )
        })
        .collect();
    let fits = forms.iter().position(|form| operand < form.operands.len()).unwrap_or(0);
    Some(lsp::SignatureHelp {
        signatures,
        active_signature: Some(fits as u32),
        active_parameter: Some(lsp::ActiveParameter::Int(operand as u32)),
    })
}

/// Returns the help for a single signature.
pub(crate) fn one(label: String, parameters: Vec<String>, active: Option<usize>) -> lsp::SignatureHelp {
    lsp::SignatureHelp {
        signatures: vec![information(label, parameters, active)],
        active_signature: Some(0),
        active_parameter: active.map(|active| lsp::ActiveParameter::Int(active as u32)),
    }
}

#[cfg(test)]
mod tests {
    use super::forms;

    #[test]
    fn operands_are_split_at_commas_outside_parentheses() {
        let of = |syntax: &'static str| {
            let keyword = syntax.split([':', ' ', ',']).next().unwrap();
            forms(keyword, syntax).into_iter().map(|form| form.operands).collect::<Vec<_>>()
        };
        assert_eq!(of("TRAP: \"name\"|random, place"), [["\"name\"|random", "place"]]);
        assert_eq!(
            of("STAIR: place, up|down, or STAIR: region, region, up|down"),
            [vec!["place", "up|down"], vec!["region", "region", "up|down"]]
        );
        assert_eq!(of("NON_DIGGABLE: (x1,y1,x2,y2)"), [["(x1,y1,x2,y2)"]]);
        assert_eq!(of("CONTAINER: object, place, details... { contents }"), [["object", "place", "details..."]]);
        assert_eq!(
            of("DOOR:state,place on a map, DOOR:secret,state,wall,position in a room"),
            [vec!["state", "place on a map"], vec!["secret", "state", "wall", "position in a room"]]
        );
        assert_eq!(of("NOMAP"), [Vec::<&str>::new()]);
        assert_eq!(of("WALLIFY, or WALLIFY: selection"), [vec![], vec!["selection"]]);
    }
}
