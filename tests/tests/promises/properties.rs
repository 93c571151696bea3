//! Properties of any input: nothing panics, and written levels can be read back.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseResult;
use splc_driver::{Input, Options, lua};
use splc_ir::abi::{self, Abi};
use splc_ir::catalog::{self, Catalog, Format};
use splc_ir::program::{Op, Opcode, Operand, Program};
use splc_ir::source::{FileId, Span};
use splc_ir::value::ValueType;
use splc_tests::reference::files;
use splc_tests::{compile, corpus, workspace};

/// Returns the games with opcodes.
fn catalogs() -> Vec<&'static Catalog> {
    catalog::ALL.iter().copied().filter(|catalog| catalog.format == Format::Opcodes).collect()
}

/// Returns texts of the corpus, cut into pieces for random files.
fn pieces() -> Vec<String> {
    let mut pieces: Vec<String> = [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ",",
        ":",
        "'",
        "\"",
        "\n",
        "MAP\n",
        "ENDMAP\n",
        "$",
        "%",
        "\u{e9}",
        "\0",
        "\r\n",
        "99999999999",
        "#",
    ]
    .map(str::to_owned)
    .to_vec();
    for folder in std::fs::read_dir(workspace().join("corpus")).unwrap().flatten() {
        if !folder.path().is_dir() {
            continue;
        }
        for file in files(&folder.path(), ".des") {
            let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
            pieces.extend(text.split_inclusive('\n').map(str::to_owned));
            pieces.extend(text.split_inclusive([' ', ',', '(', ')', ':']).map(str::to_owned));
        }
    }
    pieces.sort();
    pieces.dedup();
    pieces
}

/// Generates files of the corpora with one piece replaced by another.
fn damaged_corpus() -> impl Strategy<Value = Vec<u8>> {
    let folders = ["unnethack", "nethack36", "sporkhack"].map(corpus);
    let corpus: Vec<Vec<u8>> = folders
        .iter()
        .flat_map(|folder| files(folder, ".des"))
        .map(|file| std::fs::read(file).unwrap())
        .filter(|bytes| !bytes.is_empty())
        .collect();
    (select(corpus), any::<prop::sample::Index>(), 0..60_usize, select(pieces())).prop_map(
        |(mut bytes, at, length, piece)| {
            let start = at.index(bytes.len());
            let end = (start + length).min(bytes.len());
            bytes.splice(start..end, piece.into_bytes());
            bytes
        },
    )
}

fn operand() -> impl Strategy<Value = Operand> {
    let typed = select(vec![
        ValueType::Coordinate,
        ValueType::Region,
        ValueType::MapCharacter,
        ValueType::Monster,
        ValueType::Object,
    ]);
    prop_oneof![
        any::<i32>().prop_map(|number| Operand::Integer(number.into())),
        "[ -~]{0,40}".prop_map(|text| Operand::String(Some(text.into()))),
        "\\$[a-z]{1,9}".prop_map(|name| Operand::Variable(name.into())),
        (typed, any::<i32>()).prop_map(|(tag, number)| Operand::Raw(tag, number.into())),
    ]
}

fn program() -> impl Strategy<Value = (&'static Catalog, Program)> {
    select(catalogs()).prop_flat_map(|catalog| {
        let plain: Vec<Opcode> = catalog.opcodes.iter().copied().filter(|&code| code != Opcode::Push).collect();
        let op = prop_oneof![
            select(plain).prop_map(|code| Op { code, operand: None, span: Span::default() }),
            operand().prop_map(|operand| Op { code: Opcode::Push, operand: Some(operand), span: Span::default() }),
        ];
        prop::collection::vec(op, 0..200).prop_map(move |ops| (catalog, Program { ops, ..Program::default() }))
    })
}

/// Returns the machines for which `catalog` knows a build.
fn machines(catalog: &Catalog) -> Vec<&'static Abi> {
    abi::ALL.iter().filter(|abi| catalog.header(abi.name).is_some()).collect()
}

/// Compiles `bytes`. Every reported place must be in the text, a rejected text must produce no level, and the bytes of
/// an accepted one must be readable.
fn judge(bytes: Vec<u8>, catalog: &'static Catalog) -> TestCaseResult {
    let compiled = compile(bytes, None, catalog);
    for diagnostic in compiled.diagnostics.iter() {
        if let Some(span) = diagnostic.span {
            let text = &compiled.sources.get(span.file).text;
            prop_assert!(text.get(span.start as usize..span.end as usize).is_some(), "{:?}", diagnostic);
        }
    }
    prop_assert!(compiled.programs.is_empty() || !compiled.diagnostics.has_errors());
    let abi = machines(catalog)[0];
    let header = catalog.header(abi.name).unwrap();
    for program in &compiled.programs {
        let bytes = splc_backends::opcodes::encode(program, catalog, abi, header).unwrap();
        let read = splc_frontends::opcode_stream::read(&bytes, "level", FileId(0), catalog, abi);
        let count = read.map(|read| read.program.ops.len()).map_err(|error| error.message);
        prop_assert_eq!(count, Ok(program.ops.len()));
    }
    Ok(())
}

/// Tokens of Lua, and names that levels use.
const OF_LUA: &[&str] = &[
    "(", ")", "[", "]", "{", "}", ",", ";", ":", "::", ".", "..", "...", "=", "==", "~=", "<", "#", "-", "+", "*", "~",
    "and", "or", "not", "if", "then", "else", "elseif", "end", "do", "while", "for", "in", "repeat", "until",
    "function", "local", "return", "goto", "break", "nil", "true", "false", "des", "map", "monster", "object", "x",
    "id", "contents", "1", "0x", "1e", "2.5", "\"newt\"", "'", "\"", "[[", "]]", "--", "--[[", "\n", "\n", "@", "\\",
    "\u{e9}", "\0",
];

/// A level in Lua with a bit of everything.
const SCRIPT: &str = r#"-- a cellar
des.level_init({ style = "solidfill", fg = " " })
des.level_flags("mazelevel", "noflip")
des.map({ map = [[
-----
|...|
-----
]], halign = "center" })
local places = { { 1,1 }, { x = 3, y = 1 }, ["last"] = { 2, 1 } }
shuffle(places)
for i = 1, #places - 1 do
   des.monster({ id = "newt", coord = places[i], peaceful = i % 2 })
end
local function some(what, n)
   if percent(30) and n > 1 or not what then
      return nil
   elseif n == 2 then
      n = n .. "x"
   else
      repeat n = n + 1 until n >= 5
   end
   while n ~= 0 do n = n // 2; if n < 1 then break end end
   goto done
   ::done::
   return what, n
end
des.object("newt", 1,1)
des.object({ id = "chest", contents = function(chest)
   des.object("!", some(1, 2))
end })
local area = selection.area(0,0, 4,2):filter_mapchar('.') & selection.new()
area:iterate(function(x, y) des.terrain({ x, y }, "L") end)
des.trap("pit", 3, 1)
"#;

/// Returns the words of [`SCRIPT`], and the blanks between them.
fn words_of_script() -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let kind = |character: char| match character {
        _ if character.is_alphanumeric() || character == '_' => 0,
        ' ' => 1,
        _ => 2,
    };
    for character in SCRIPT.chars() {
        match words.last_mut() {
            Some(last) if kind(character) < 2 && last.ends_with(|before| kind(before) == kind(character)) => {
                last.push(character);
            }
            _ => words.push(character.to_string()),
        }
    }
    words
}

/// Checks a script. If reading does not terminate, the test fails before it uses all memory.
fn judge_script(text: String) -> TestCaseResult {
    let script = lua::check(Input::new("x.lua", text), &Options::default()).unwrap();
    for diagnostic in script.diagnostics.iter() {
        if let Some(span) = diagnostic.span {
            let text = &script.sources.get(span.file).text;
            prop_assert!(text.get(span.start as usize..span.end as usize).is_some(), "{:?}", diagnostic);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(splc_tests::cases(256)))]

    #[test]
    fn any_damage_to_a_script_is_checked(
        edits in prop::collection::vec((any::<prop::sample::Index>(), select(OF_LUA), any::<bool>()), 1..5),
    ) {
        let mut words = words_of_script();
        for (at, word, replaces) in edits {
            let at = at.index(words.len());
            words.splice(at..at + usize::from(replaces), [word.to_owned()]);
        }
        judge_script(words.concat())?;
    }

    #[test]
    fn any_words_of_lua_are_checked(words in prop::collection::vec(select(OF_LUA), 0..60)) {
        judge_script(words.join(" "))?;
    }

    #[test]
    fn any_bytes_are_checked(bytes in prop::collection::vec(any::<u8>(), 0..2000), catalog in select(catalogs())) {
        judge(bytes, catalog)?;
    }

    #[test]
    fn any_pieces_are_checked(pieces in prop::collection::vec(select(pieces()), 0..200), catalog in select(catalogs())) {
        judge(pieces.concat().into_bytes(), catalog)?;
    }

    #[test]
    fn any_damage_is_checked(bytes in damaged_corpus(), catalog in select(catalogs())) {
        judge(bytes, catalog)?;
    }

    #[test]
    fn written_levels_are_read_back((catalog, program) in program(), abi in any::<prop::sample::Index>()) {
        let abi = *abi.get(&machines(catalog));
        let header = catalog.header(abi.name).unwrap();
        let bytes = splc_backends::opcodes::encode(&program, catalog, abi, header).unwrap();
        let read = splc_frontends::opcode_stream::read(&bytes, "level", FileId(0), catalog, abi).unwrap();
        // The reader may replace numbers by names, so compare the encoded bytes.
        let again = splc_backends::opcodes::encode(&read.program, catalog, abi, header).unwrap();
        prop_assert_eq!(bytes, again);
        prop_assert_eq!(read.program.ops.len(), program.ops.len());
    }
}
