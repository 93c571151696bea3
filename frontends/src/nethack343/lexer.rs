//! Lexer that splits text into tokens like `lev_comp` of NetHack 3.4.3.
//!
//! The longest match wins, and words need no boundary (`unlitx` is `unlit` and an `x`). `#` begins a comment only in
//! the first column, and the comment needs its line end. A line `MAP` begins a map: the following lines of map
//! characters are its rows, until ENDMAP. Any other text inside a map is split into tokens as usual.
//!
//! Source: NetHack 3.4.3, `util/lev_comp.l`.

use logos::Logos;
use splc_ir::catalog::{Catalog, Feature, OwnWord};
use splc_ir::limits::{MAX_MAP_BYTES, MAX_MAP_ROWS, MAX_STATEMENT_TOKENS};
use splc_ir::parts::Layouts;
use splc_ir::source::Charset;
use splc_ir::words::*;

/// A token.
// With a tag of four bytes, tokens are copied in whole words. Otherwise a copy waits for bytes just written.
#[repr(u32)]
#[derive(Logos, Clone, Debug, PartialEq)]
#[allow(missing_docs)] // each variant is the word it carries
pub enum Token<'s> {
    #[token("MESSAGE")]
    Message,
    #[token("MAZE")]
    Maze,
    #[token("NOMAP")]
    NoMap,
    #[token("LEVEL")]
    Level,
    #[token("INIT_MAP")]
    InitMap,
    #[token("FLAGS")]
    Flags,
    #[token("GEOMETRY")]
    Geometry,
    #[token("OBJECT")]
    Object,
    #[token("CONTAINER")]
    Container,
    #[token("MONSTER")]
    Monster,
    #[token("TRAP")]
    Trap,
    #[token("DOOR")]
    Door,
    #[token("DRAWBRIDGE")]
    Drawbridge,
    #[token("MAZEWALK")]
    MazeWalk,
    #[token("WALLIFY")]
    Wallify,
    #[token("REGION")]
    Region,
    #[token("RANDOM_OBJECTS")]
    RandomObjects,
    #[token("RANDOM_MONSTERS")]
    RandomMonsters,
    #[token("RANDOM_PLACES")]
    RandomPlaces,
    #[token("ALTAR")]
    Altar,
    #[token("LADDER")]
    Ladder,
    #[token("STAIR")]
    Stair,
    #[token("PORTAL")]
    Portal,
    #[token("TELEPORT_REGION")]
    TeleportRegion,
    #[token("BRANCH")]
    Branch,
    #[token("FOUNTAIN")]
    Fountain,
    #[token("SINK")]
    Sink,
    #[token("POOL")]
    Pool,
    #[token("NON_DIGGABLE")]
    NonDiggable,
    #[token("NON_PASSWALL")]
    NonPasswall,
    #[token("ROOM")]
    Room,
    #[token("SUBROOM")]
    Subroom,
    #[token("RANDOM_CORRIDORS")]
    RandomCorridors,
    #[token("CORRIDOR")]
    Corridor,
    #[token("GOLD")]
    Gold,
    #[token("ENGRAVING")]
    Engraving,
    #[token("NAME")]
    Name,
    #[token("CHANCE")]
    Chance,
    #[token("levregion")]
    LevRegion,
    #[token("object")]
    ObjectRegister,
    #[token("monster")]
    MonsterRegister,
    #[token("place")]
    PlaceRegister,
    #[token("align")]
    AlignRegister,
    #[token("contained")]
    Contained,
    #[token("random")]
    Random,
    #[token("none")]
    None,
    #[token("open", |_| DoorState::Open)]
    #[token("closed", |_| DoorState::Closed)]
    #[token("locked", |_| DoorState::Locked)]
    #[token("nodoor", |_| DoorState::NoDoor)]
    #[token("broken", |_| DoorState::Broken)]
    DoorState(DoorState),
    #[token("north", |_| Direction::North)]
    #[token("east", |_| Direction::East)]
    #[token("south", |_| Direction::South)]
    #[token("west", |_| Direction::West)]
    Direction(Direction),
    #[token("left", |_| Horizontal::Left)]
    #[token("half-left", |_| Horizontal::HalfLeft)]
    #[token("half-right", |_| Horizontal::HalfRight)]
    #[token("right", |_| Horizontal::Right)]
    Horizontal(Horizontal),
    #[token("center")]
    Center,
    #[token("top", |_| Vertical::Top)]
    #[token("bottom", |_| Vertical::Bottom)]
    Vertical(Vertical),
    #[token("lit", |_| Light::Lit)]
    #[token("unlit", |_| Light::Unlit)]
    Light(Light),
    #[token("filled", |_| Filling::Filled)]
    #[token("unfilled", |_| Filling::Unfilled)]
    Filling(Filling),
    #[token("noalign", |_| Alignment::NoAlign)]
    #[token("law", |_| Alignment::Law)]
    #[token("neutral", |_| Alignment::Neutral)]
    #[token("chaos", |_| Alignment::Chaos)]
    #[token("coaligned", |_| Alignment::Coaligned)]
    #[token("noncoaligned", |_| Alignment::Noncoaligned)]
    Alignment(Alignment),
    #[token("peaceful", |_| Attitude::Peaceful)]
    #[token("hostile", |_| Attitude::Hostile)]
    Attitude(Attitude),
    #[token("asleep", |_| Alertness::Asleep)]
    #[token("awake", |_| Alertness::Awake)]
    Alertness(Alertness),
    #[token("m_feature", |_| Appearance::Feature)]
    #[token("m_monster", |_| Appearance::Monster)]
    #[token("m_object", |_| Appearance::Object)]
    Appearance(Appearance),
    #[token("sanctum", |_| AltarType::Sanctum)]
    #[token("shrine", |_| AltarType::Shrine)]
    #[token("altar", |_| AltarType::Altar)]
    AltarType(AltarType),
    #[token("up", |_| UpDown::Up)]
    #[token("down", |_| UpDown::Down)]
    UpDown(UpDown),
    #[token("false", |_| false)]
    #[token("true", |_| true)]
    Boolean(bool),
    #[token("dust", |_| EngravingType::Dust)]
    #[token("engrave", |_| EngravingType::Engrave)]
    #[token("burn", |_| EngravingType::Burn)]
    #[token("mark", |_| EngravingType::Mark)]
    EngravingType(EngravingType),
    #[token("blessed", |_| Curse::Blessed)]
    #[token("uncursed", |_| Curse::Uncursed)]
    #[token("cursed", |_| Curse::Cursed)]
    Curse(Curse),
    #[token("noteleport", |lexer| lexer.slice())]
    #[token("hardfloor", |lexer| lexer.slice())]
    #[token("nommap", |lexer| lexer.slice())]
    #[token("arboreal", |lexer| lexer.slice())]
    #[token("shortsighted", |lexer| lexer.slice())]
    Flag(&'s str),
    /// A catalog-defined word that begins a statement of one place.
    OwnStatement(&'s str),
    /// A catalog-defined word that is used like blessed and cursed.
    OwnCurse(&'s str),
    /// `[word]` with a catalog-defined word: whether the compiler checks the square of a place.
    PlaceCheck(&'s str),
    /// `, "name"` or `, number` after a door or altar, if a catalog defines a field for it. Excludes the comma.
    OwnDetail(&'s str),
    /// HALLUMSG, in games that have it.
    HallucinationMessage,
    /// OBJFLAGS, in games that have it. Its words follow as [`Token::ObjectFlag`].
    ObjectFlags,
    ObjectFlag(&'s str),
    /// RANDOM_REGION, in games that have it.
    RandomRegion,
    /// `region` before the index of a random region.
    RegionRegister,
    /// RANDOM_PLACES before the number of its list, in games with several lists.
    PlaceLists,
    /// `place` before the number of a list and the index of a place in it.
    PlaceOfList,
    /// `levregion()`.
    EmptyLevRegion,
    /// `[50%]`: the digits.
    Percent(&'s str),
    /// A number with its sign.
    #[regex(r"[+-]?[0-9]+", |lexer| lexer.slice())]
    Integer(&'s str),
    /// A string, without its quotes.
    #[regex(r#""[^"]*""#, string)]
    Text(&'s str),
    /// `'x'` or `'\x'`.
    #[regex(r"'\\?[^\n]'", character)]
    Character(char),
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    /// A map, from MAP to ENDMAP.
    Map(Box<RawMap>),
    /// A character that begins no token.
    Junk(char),
    /// The rest of a statement that has too many tokens.
    TooLong,
    /// The end of a statement. It comes before every word that begins a statement, at the end of the file, and at the
    /// start of a line that cannot continue the previous statement.
    End,
}

impl Token<'_> {
    /// Returns true if the token always begins a statement.
    pub fn begins_statement(&self) -> bool {
        use Token::*;
        matches!(
            self,
            Message
                | Maze
                | NoMap
                | Level
                | InitMap
                | Flags
                | Geometry
                | Object
                | Container
                | Monster
                | Trap
                | Door
                | Drawbridge
                | MazeWalk
                | Wallify
                | Region
                | RandomObjects
                | RandomMonsters
                | RandomPlaces
                | Altar
                | Ladder
                | Stair
                | Portal
                | TeleportRegion
                | Branch
                | Fountain
                | Sink
                | Pool
                | NonDiggable
                | NonPasswall
                | Room
                | Subroom
                | RandomCorridors
                | Corridor
                | Gold
                | Engraving
                | Name
                | Chance
                | OwnStatement(_)
                | HallucinationMessage
                | ObjectFlags
                | RandomRegion
                | PlaceLists
        )
    }

    /// Returns true if another token must follow it in its statement.
    fn goes_on(&self) -> bool {
        use Token::*;
        matches!(
            self,
            Comma
                | Colon
                | Open
                | OpenBracket
                | LevRegion
                | ObjectRegister
                | MonsterRegister
                | PlaceRegister
                | PlaceOfList
                | RegionRegister
                | AlignRegister
                | Appearance(_)
                | Percent(_)
        ) || (self.begins_statement() && !matches!(self, NoMap | Wallify | RandomCorridors))
    }

    /// Returns true if the token cannot begin a statement.
    fn continues(&self) -> bool {
        use Token::*;
        matches!(
            self,
            Comma | Colon | Open | Close | OpenBracket | CloseBracket | Percent(_) | PlaceCheck(_) | OwnDetail(_)
        )
    }
}

/// Returns the content of a string, up to its first NUL: the compiler copies it as C does.
fn string<'s>(lexer: &logos::Lexer<'s, Token<'s>>) -> &'s str {
    let slice = lexer.slice();
    slice[1..slice.len() - 1].split('\0').next().unwrap_or_default()
}

fn character<'s>(lexer: &logos::Lexer<'s, Token<'s>>) -> char {
    let slice = lexer.slice();
    slice[..slice.len() - 1].chars().next_back().unwrap_or('\0')
}

/// The content of a map between MAP and ENDMAP.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct RawMap {
    /// The start and end of each row, without its line end.
    pub rows: Vec<(usize, usize)>,
    /// The offsets of characters that are not map characters.
    pub strangers: Vec<usize>,
    /// The offset of the first statement among the rows.
    pub statement: Option<usize>,
    /// The offset at which ENDMAP is missing, if it is.
    pub unfinished: Option<usize>,
}

impl RawMap {
    /// Adds a row, up to a limit on their number. Long rows are truncated.
    fn push(&mut self, start: usize, end: usize) {
        if self.rows.len() < MAX_MAP_ROWS {
            self.rows.push((start, end.min(start + MAX_MAP_BYTES)));
        }
    }
}

/// Returns the number of bracketed numbers after `word`, with which `text` begins: at most two.
fn brackets(text: &str, word: &str) -> usize {
    let number = |text: &'_ str| -> Option<usize> {
        let inner = text.trim_start_matches([' ', '\t']).strip_prefix('[')?;
        let rest = inner.trim_start_matches([' ', '\t', '+', '-']).trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = rest.trim_start_matches([' ', '\t']).strip_prefix(']')?;
        Some(text.len() - rest.len())
    };
    let Some(rest) = text.strip_prefix(word) else { return 0 };
    match number(rest) {
        None => 0,
        Some(first) => 1 + usize::from(number(&rest[first..]).is_some()),
    }
}

/// Returns the characters that a map row of `catalog`'s game may contain.
fn map_characters(catalog: &Catalog) -> [bool; 256] {
    let mut table = [false; 256];
    for character in catalog.map_characters.bytes().chain(b'0'..=b'9') {
        table[usize::from(character)] = true;
    }
    table
}

/// The active rules of the lexer.
enum Mode {
    /// No map is open.
    Statements,
    /// A MAP in its place, after GEOMETRY. Everything up to its end belongs to the map.
    Map(Box<RawMap>, usize),
    /// A MAP in the wrong place. The original collects rows, but reads all other text as usual.
    StrayMap(Box<RawMap>, usize),
}

/// An iterator over tokens, with their start and end.
pub struct Lexer<'s> {
    source: &'s str,
    charset: Charset,
    catalog: &'s Catalog,
    /// True if the game has the language of NetHack 3.4.3 without additions.
    is_plain: bool,
    /// The state for recognising further operands of doors and altars, in games with additions.
    details: Details,
    map_characters: [bool; 256],
    inner: logos::Lexer<'s, Token<'s>>,
    position: usize,
    mode: Mode,
    /// True if all tokens since GEOMETRY belong to it.
    geometry: bool,
    /// True if a map is expected: GEOMETRY and its words were read.
    expects_map: bool,
    /// The state of the statement after the last token.
    open: Previous,
    /// The end of the last token.
    previous_end: usize,
    /// True if a new line has begun since the last token.
    new_line: bool,
    /// A token held back until the end of the previous statement has been returned.
    waiting: Option<(usize, Token<'s>, usize)>,
    /// The number of tokens in the open statement.
    tokens: usize,
    /// True if the rest of the statement is withheld from the grammar, because it is unreadable.
    lost: bool,
}

/// The part of a statement that determines whether a catalog-defined operand follows a door or altar.
struct Details {
    doors: bool,
    altars: bool,
    /// True if objects have flags.
    objects: bool,
    /// True if INIT_MAP may end with a word that says whether its ice is that of pools.
    ice: bool,
    statement: Statement,
    /// The number of commas so far, and of open brackets.
    commas: usize,
    depth: usize,
    door: Door,
}

/// The kind of door in a DOOR, as far as its first word determines it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Door {
    /// A door of a map, which begins with its state.
    Map,
    /// A door of a room, which begins with true or false for secret.
    Room,
    /// Either, because it begins with `random`.
    Either,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Statement {
    Door,
    Altar,
    InitMap,
    Other,
}

impl Details {
    fn see(&mut self, token: &Token<'_>) {
        match token {
            Token::Comma if self.depth == 0 => self.commas += 1,
            Token::Open | Token::OpenBracket => self.depth += 1,
            Token::Close | Token::CloseBracket => self.depth = self.depth.saturating_sub(1),
            Token::DoorState(_) if self.commas == 0 => self.door = Door::Map,
            Token::Boolean(_) if self.commas == 0 => self.door = Door::Room,
            _ if token.begins_statement() => {
                self.statement = match token {
                    Token::Door if self.doors => Statement::Door,
                    Token::Altar if self.altars => Statement::Altar,
                    Token::InitMap if self.ice => Statement::InitMap,
                    _ => Statement::Other,
                };
                (self.commas, self.depth, self.door) = (0, 0, Door::Either);
            }
            _ => {}
        }
    }

    /// Returns true if a string, or a number, after the next comma is not an operand of NetHack 3.4.3.
    fn are_due(&self, number: bool) -> bool {
        // NetHack 3.4.3 has one numeric operand: the position in the wall of a room, after three commas. It has no
        // number in place of the wall.
        let is_own = match self.door {
            Door::Map => self.commas >= 1,
            Door::Room => self.commas >= 3,
            Door::Either => self.commas == 1 || self.commas >= 3,
        };
        match self.statement {
            Statement::Door => self.depth == 0 && (!number || is_own),
            Statement::Altar => self.depth == 0 && self.commas >= 2,
            Statement::InitMap | Statement::Other => false,
        }
    }
}

/// The role of the last token in its statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Previous {
    /// No statement is open.
    None,
    /// The statement may end after it.
    Complete,
    /// Another token must follow.
    Open,
}

impl<'s> Lexer<'s> {
    /// Creates a lexer of `source`, decoded from bytes with `charset`, for the game of `catalog`.
    pub fn new(source: &'s str, charset: Charset, catalog: &'s Catalog) -> Self {
        Lexer {
            source,
            charset,
            catalog,
            is_plain: !catalog.has_own_words() && catalog.structures.is_empty() && catalog.extends.is_none(),
            details: Details {
                doors: Layouts::has(catalog, "door", "artifact"),
                altars: Layouts::has(catalog, "altar", "god"),
                objects: Layouts::has(catalog, "object", "flags"),
                ice: Layouts::has(catalog, "init", "iced"),
                statement: Statement::Other,
                commas: 0,
                depth: 0,
                door: Door::Either,
            },
            map_characters: map_characters(catalog),
            inner: Token::lexer(source),
            position: 0,
            mode: Mode::Statements,
            geometry: false,
            expects_map: false,
            open: Previous::None,
            previous_end: 0,
            new_line: true,
            waiting: None,
            tokens: 0,
            lost: false,
        }
    }

    fn rest(&self) -> &'s [u8] {
        self.source.as_bytes().get(self.position..).unwrap_or(&[])
    }

    fn at_line_start(&self) -> bool {
        self.position == 0 || self.source.as_bytes().get(self.position - 1) == Some(&b'\n')
    }

    /// Returns the length of a row of map characters that starts here, and that of its line end. Returns `None` if the
    /// line contains other characters or has no end.
    fn row(&self) -> Option<(usize, usize)> {
        let rest = self.rest();
        let length = rest.iter().position(|&byte| !self.map_characters[usize::from(byte)])?;
        match &rest[length..] {
            [b'\n', ..] => Some((length, 1)),
            [b'\r', b'\n', ..] => Some((length, 2)),
            _ => None,
        }
    }

    /// Skips blanks and line ends, outside of maps. Returns the next byte.
    fn skip_blanks(&mut self) -> Option<u8> {
        let bytes = self.source.as_bytes();
        loop {
            match bytes.get(self.position) {
                Some(b' ' | b'\t') => {}
                Some(b'\n') => self.new_line = true,
                other => return other.copied(),
            }
            self.position += 1;
        }
    }

    /// Skips one piece of text between tokens: blanks, a line end, a comment, or a line MAP, which opens a map. Returns
    /// true if there was one.
    fn skip(&mut self) -> bool {
        let rest = self.rest();
        let length = match rest {
            [b' ' | b'\t', ..] => rest.iter().position(|&byte| byte != b' ' && byte != b'\t').unwrap_or(rest.len()),
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            // A comment cut off by the end of the file is not a comment (`^#.*\n`).
            [b'#', ..] if self.at_line_start() => match memchr::memchr(b'\n', rest) {
                Some(length) => length + 1,
                None => return false,
            },
            [b'M', b'A', b'P', b'\n', ..] if self.at_line_start() => self.begin_map(4),
            [b'M', b'A', b'P', b'\r', b'\n', ..] if self.at_line_start() => self.begin_map(5),
            _ => return false,
        };
        self.new_line |= !matches!(rest.first(), Some(b' ' | b'\t'));
        self.position += length;
        true
    }

    fn begin_map(&mut self, length: usize) -> usize {
        match &self.mode {
            // A second MAP line inside a map has no effect.
            Mode::Map(..) | Mode::StrayMap(..) => {}
            Mode::Statements if self.expects_map => self.mode = Mode::Map(Box::default(), self.position),
            Mode::Statements => self.mode = Mode::StrayMap(Box::default(), self.position),
        }
        length
    }

    /// Returns true if a statement begins here: a keyword in capitals, and the token that must follow it.
    fn at_statement(&self) -> bool {
        let rest = self.rest();
        let word = rest.iter().position(|&byte| !(byte.is_ascii_uppercase() || byte == b'_')).unwrap_or(rest.len());
        if word < 3 || &rest[..word] == b"MAP" {
            return false;
        }
        let after = rest[word..].iter().find(|&&byte| byte != b' ' && byte != b'\t');
        matches!(after, Some(b':' | b'[')) || matches!(&rest[..word], b"NOMAP" | b"WALLIFY")
    }

    /// Returns true if ENDMAP comes before the start of another map or level, within the maximum size of a map.
    fn map_goes_on(&self) -> bool {
        let mut end = (self.position + MAX_MAP_BYTES).min(self.source.len());
        while !self.source.is_char_boundary(end) {
            end -= 1;
        }
        let text = self.source.get(self.position..end).unwrap_or("");
        let Some(end) = text.find("\nENDMAP") else { return false };
        let before = &text[..end];
        !["\nMAP\n", "\nMAP\r", "\nGEOMETRY", "\nNOMAP", "\nMAZE:", "\nLEVEL:"].iter().any(|word| before.contains(word))
    }

    /// Reads the inside of a map: its rows until ENDMAP, or until a token for the grammar.
    fn map(&mut self) -> Option<(usize, Token<'s>, usize)> {
        loop {
            let due = matches!(self.mode, Mode::Map(..));
            if let Some((length, line_end)) = self.row() {
                if let Mode::Map(map, _) | Mode::StrayMap(map, _) = &mut self.mode {
                    map.push(self.position, self.position + length);
                }
                self.position += length + line_end;
                continue;
            }
            if self.rest().starts_with(b"ENDMAP") {
                self.position += "ENDMAP".len();
                return self.end_map(None);
            }
            if self.skip() {
                continue;
            }
            if !due {
                return if self.rest().is_empty() { None } else { self.token() };
            }
            if self.rest().is_empty() {
                return self.end_map(Some(self.position));
            }
            // Only the first statement among the rows is reported. After it the map is known to continue.
            let mut stray = false;
            if self.at_statement() {
                let known = matches!(&self.mode, Mode::Map(map, _) if map.statement.is_some());
                if !known && !self.map_goes_on() {
                    return self.end_map(Some(self.position));
                }
                stray = true;
            }
            // A row with other characters. The original stops here with a syntax error.
            let rest = self.rest();
            let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            let (start, end) = (self.position, self.position + length);
            let text = self.source[start..end].trim_end_matches('\r');
            if let Mode::Map(map, _) = &mut self.mode
                && stray
            {
                map.statement.get_or_insert(start);
            } else if let Mode::Map(map, _) = &mut self.mode {
                let characters = &self.map_characters;
                let strange = |&(_, character): &(usize, char)| {
                    !u8::try_from(character).is_ok_and(|byte| characters[usize::from(byte)])
                };
                if map.strangers.len() < MAX_MAP_ROWS {
                    map.strangers.extend(text.char_indices().find(strange).map(|(at, _)| start + at));
                }
                map.push(start, start + text.len());
            }
            self.position = (end + 1).min(self.source.len());
        }
    }

    fn end_map(&mut self, unfinished: Option<usize>) -> Option<(usize, Token<'s>, usize)> {
        match std::mem::replace(&mut self.mode, Mode::Statements) {
            Mode::Map(mut map, start) | Mode::StrayMap(mut map, start) => {
                map.unfinished = unfinished;
                self.expects_map = false;
                Some((start, Token::Map(map), self.position))
            }
            Mode::Statements => None,
        }
    }

    /// Matches a percentage at the position: `\[\ *[0-9]+\%\ *\]`.
    fn percent(&mut self) -> Option<(usize, Token<'s>, usize)> {
        let text = &self.source[self.position + 1..];
        let digits = text.trim_start_matches(' ');
        let length = digits.bytes().position(|byte| !byte.is_ascii_digit())?;
        let rest = digits[length..].strip_prefix('%')?.trim_start_matches(' ').strip_prefix(']')?;
        if length == 0 {
            return None;
        }
        let start = self.position;
        self.position = self.source.len() - rest.len();
        self.geometry = false;
        self.expects_map = false;
        Some((start, Token::Percent(&digits[..length]), self.position))
    }

    /// Matches `, "name"` or `, number` at the position.
    fn own_detail(&self) -> Option<(Token<'s>, usize)> {
        let rest = self.source.get(self.position + 1..)?.trim_start_matches([' ', '\t']);
        let start = self.source.len() - rest.len();
        let length = match rest.strip_prefix('"') {
            Some(text) => text.find(['"', '\n']).filter(|end| text.as_bytes().get(*end) == Some(&b'"'))? + 2,
            None => rest.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len()),
        };
        if self.details.statement == Statement::InitMap && self.details.commas == 5 {
            let word = ["true", "false"].into_iter().find(|word| rest.starts_with(word))?;
            return Some((Token::OwnDetail(&self.source[start..start + word.len()]), start + word.len()));
        }
        let number = !rest.starts_with('"');
        (length > 0 && self.details.are_due(number))
            .then(|| (Token::OwnDetail(&self.source[start..start + length]), start + length))
    }

    /// Matches `[word]` at the position.
    fn place_check(&self) -> Option<(Token<'s>, usize)> {
        let rest = self.source.get(self.position + 1..)?;
        let (word, _) = rest.split_once(']')?;
        let known = self.catalog.own_word(word.trim_matches([' ', '\t']))?;
        (known == OwnWord::Of(Group::PlaceCheck))
            .then(|| (Token::PlaceCheck(word.trim_matches([' ', '\t'])), self.position + word.len() + 2))
    }

    /// Matches `levregion()` at the position.
    fn empty_level_region(&self) -> Option<(Token<'s>, usize)> {
        if !self.catalog.has(Feature::EmptyLevelRegions) {
            return None;
        }
        let blanks = [' ', '\t'];
        let rest = self.source.get(self.position..)?.strip_prefix("levregion")?.trim_start_matches(blanks);
        let rest = rest.strip_prefix('(')?.trim_start_matches(blanks).strip_prefix(')')?;
        Some((Token::EmptyLevRegion, self.source.len() - rest.len()))
    }

    /// Matches a word that only games with a certain feature have.
    fn feature_word(&self) -> Option<(Token<'s>, usize)> {
        let rest = self.source.get(self.position..)?;
        let has = |feature| self.catalog.has(feature);
        let words = [
            ("HALLUMSG", Token::HallucinationMessage, has(Feature::HallucinationMessages)),
            ("OBJFLAGS", Token::ObjectFlags, self.details.objects),
            ("RANDOM_REGION", Token::RandomRegion, has(Feature::RandomRegions)),
            ("RANDOM_PLACES", Token::PlaceLists, has(Feature::PlaceLists) && brackets(rest, "RANDOM_PLACES") == 1),
            ("region", Token::RegionRegister, has(Feature::RandomRegions)),
            ("place", Token::PlaceOfList, has(Feature::PlaceLists) && brackets(rest, "place") == 2),
        ];
        let (word, token, _) = words.into_iter().find(|(word, _, has)| *has && rest.starts_with(word))?;
        Some((token, self.position + word.len()))
    }

    /// Matches a word of the game at the position and returns its end, if that is after `known`: the longest match
    /// wins.
    fn own_word(&self, known: usize) -> Option<(Token<'s>, usize)> {
        if !self.catalog.has_own_words() {
            return None;
        }
        let (word, kind) = self.catalog.own_word_at(self.source.get(self.position..)?)?;
        let end = self.position + word.len();
        let token = match kind {
            OwnWord::Flag => Token::Flag(word),
            OwnWord::Statement => Token::OwnStatement(word),
            OwnWord::Of(Group::Curse) => Token::OwnCurse(word),
            OwnWord::Of(Group::ObjectFlag) => Token::ObjectFlag(word),
            OwnWord::Of(Group::Light) => Token::Light(Light::from_word(word)?),
            OwnWord::Of(Group::Engraving) => Token::EngravingType(EngravingType::from_word(word)?),
            _ => return None,
        };
        (end > known).then_some((token, end))
    }

    /// Reads the token at the position, which is not the end.
    fn token(&mut self) -> Option<(usize, Token<'s>, usize)> {
        let start = self.position;
        let first = self.source[start..].chars().next()?;
        if first == '['
            && let Some(percent) = self.percent()
        {
            return Some(percent);
        }
        if !self.is_plain {
            let own = match first {
                ',' => self.own_detail(),
                '[' => self.place_check(),
                'l' => self.empty_level_region(),
                'H' | 'O' | 'R' | 'r' | 'p' => self.feature_word(),
                _ => None,
            };
            if let Some((token, end)) = own {
                self.position = end;
                self.details.see(&token);
                return Some((start, token, end));
            }
        }
        self.inner.bump(start - self.inner.span().end);
        let token = match self.inner.next() {
            // In UTF-8, a character beyond ASCII has several bytes, so the original does not match it as `'.'`.
            Some(Ok(Token::Character(character))) if !character.is_ascii() && self.charset == Charset::Utf8 => None,
            Some(Ok(token)) => Some(token),
            Some(Err(())) | None => None,
        };
        let known = if token.is_some() { self.inner.span().end } else { start };
        let own = if self.is_plain { None } else { self.own_word(known) };
        let token = match (own, token) {
            (Some((token, end)), _) => {
                self.position = end;
                self.inner = Token::lexer(self.source);
                self.inner.bump(end);
                token
            }
            (None, Some(token)) => {
                self.position = known;
                token
            }
            (None, None) => {
                self.position = start + first.len_utf8();
                self.inner = Token::lexer(self.source);
                self.inner.bump(self.position);
                Token::Junk(first)
            }
        };
        if !self.is_plain {
            self.details.see(&token);
        }
        // After GEOMETRY, its colon, two words and a comma, a map is expected.
        match token {
            Token::Geometry => {
                self.geometry = true;
                self.expects_map = false;
            }
            Token::Horizontal(_) | Token::Vertical(_) | Token::Center => self.expects_map = self.geometry,
            Token::Colon | Token::Comma => {}
            _ => {
                self.geometry = false;
                self.expects_map = false;
            }
        }
        Some((start, token, self.position))
    }
}

impl<'s> Lexer<'s> {
    /// Returns the next token, ignoring the ends of statements.
    fn next_token(&mut self) -> Option<(usize, Token<'s>, usize)> {
        loop {
            if !matches!(self.mode, Mode::Statements) {
                return self.map();
            }
            match self.skip_blanks()? {
                b'#' | b'M' | b'\r' if self.skip() => {}
                _ => return self.token(),
            }
        }
    }
}

impl<'s> Iterator for Lexer<'s> {
    type Item = (usize, Token<'s>, usize);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let next = match self.waiting.take() {
                Some(waiting) => Some(waiting),
                None => {
                    let due = self.expects_map;
                    self.new_line = self.previous_end == 0;
                    let next = self.next_token();
                    if self.ends_before(next.as_ref().map(|(_, token, _)| token), due) {
                        self.open = Previous::None;
                        self.tokens = 0;
                        self.lost = false;
                        self.waiting = next;
                        return Some((self.previous_end, Token::End, self.previous_end));
                    }
                    next
                }
            };
            let (start, mut token, end) = next?;
            self.open = if token.goes_on() { Previous::Open } else { Previous::Complete };
            self.previous_end = end;
            self.tokens += 1;
            if self.lost {
                continue;
            }
            if self.tokens > MAX_STATEMENT_TOKENS {
                token = Token::TooLong;
            }
            self.lost = matches!(token, Token::Junk(_) | Token::TooLong);
            return Some((start, token, end));
        }
    }
}

impl Lexer<'_> {
    /// Returns true if the open statement ends before the token `next`, or before the end of the file if there is none.
    /// `due` is true if a map is expected.
    fn ends_before(&self, next: Option<&Token<'_>>, due: bool) -> bool {
        match (next, self.open) {
            (_, Previous::None) => false,
            (None, _) => true,
            (Some(Token::Map(_)), _) => !due,
            (Some(token), _) if token.begins_statement() => true,
            (Some(token), Previous::Complete) => self.new_line && !token.continues(),
            (Some(_), Previous::Open) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use splc_ir::catalog;

    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        Lexer::new(text, Charset::Latin1, &catalog::NETHACK_3_4_3)
            .map(|(_, token, _)| token)
            .filter(|token| *token != Token::End)
            .collect()
    }

    #[test]
    fn the_longest_word_wins_and_needs_no_boundary() {
        use Token::*;
        assert_eq!(tokens("unlitrandom"), [Light(splc_ir::words::Light::Unlit), Random]);
        assert_eq!(tokens("MAZEWALKMAZEWALLIFY"), [MazeWalk, Maze, Wallify]);
        assert_eq!(tokens("RANDOM_OBJECTSOBJECT"), [RandomObjects, Object]);
        assert_eq!(tokens("half-lefthalf-"), [Horizontal(splc_ir::words::Horizontal::HalfLeft), Junk('h')]);
        assert_eq!(
            tokens("object[0][ 5 ][  50% ]"),
            [
                ObjectRegister,
                OpenBracket,
                Integer("0"),
                CloseBracket,
                OpenBracket,
                Integer("5"),
                CloseBracket,
                Percent("50"),
            ]
        );
    }

    #[test]
    fn characters_may_be_escaped() {
        use Token::*;
        assert_eq!(tokens("'a'"), [Character('a')]);
        assert_eq!(tokens("'\\a'"), [Character('a')]);
        assert_eq!(tokens("'\\',"), [Character('\\'), Comma]);
        assert_eq!(tokens("'\\''"), [Character('\'')]);
        assert_eq!(tokens("'\\\\'"), [Character('\\')]);
        assert_eq!(tokens("\u{27}\u{27}\u{27}"), [Character('\'')]);
        assert_eq!(tokens("'ab'"), [Junk('\'')]);
        assert_eq!(tokens("'\u{e9}'"), [Character('\u{e9}')]);
        let utf8: Vec<_> =
            Lexer::new("'\u{e9}'", Charset::Utf8, &catalog::NETHACK_3_4_3).map(|(_, token, _)| token).collect();
        assert_eq!(utf8, [Junk('\''), End]);
    }

    #[test]
    fn statements_end_where_nothing_can_go_on() {
        use Token::*;
        let all = |text| {
            Lexer::new(text, Charset::Utf8, &catalog::NETHACK_3_4_3).map(|(_, token, _)| token).collect::<Vec<_>>()
        };
        assert_eq!(all("GOLD\n:\nrandom\n,random"), [Gold, Colon, Random, Comma, Random, End]);
        assert_eq!(all("WALLIFYWALLIFY"), [Wallify, End, Wallify, End]);
        assert_eq!(all("WALLIFY\nrandom\nnone"), [Wallify, End, Random, End, None, End]);
        assert_eq!(all(""), []);
    }

    #[test]
    fn a_map_has_rows_and_nothing_else() {
        let text = "GEOMETRY:left,top\nMAP\n-|\n\t..\n# a comment, with a colon:\nMAP\r\n#1\r\n  ENDMAP";
        let Some(Token::Map(map)) = tokens(text).pop() else { panic!("no map") };
        let rows: Vec<&str> = map.rows.iter().map(|&(start, end)| &text[start..end]).collect();
        assert_eq!(rows, ["-|", "..", "#1"]);
        assert_eq!((map.strangers.len(), map.statement, map.unfinished), (0, None, None));
    }
}
