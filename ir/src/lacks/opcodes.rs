//! Constructs that levels consisting of opcodes cannot contain.

use super::*;

/// Adds the constructs of `node` that the game of `target` lacks to `found`.
pub(super) fn look(node: Node<'_>, target: &Catalog, found: &mut Vec<Lack>) {
    let known = target.opcodes.iter().fold(0, |known, &opcode| known | bit(opcode));
    let mut finder = Finder { target, known, found, span: Span::NOWHERE };
    match node {
        Node::Module(module) => finder.module(module),
        Node::Level(level) => finder.level(level),
        Node::Function(function) => finder.function(function),
        Node::Statement(statement, _) => finder.statement(statement),
    }
}

fn bit(opcode: Opcode) -> u128 {
    1 << opcode as u32
}

struct Finder<'c, 'f> {
    target: &'c Catalog,
    /// The opcodes that the game has.
    known: u128,
    found: &'f mut Vec<Lack>,
    /// The current statement or value.
    span: Span,
}

impl Finder<'_, '_> {
    fn lack(&mut self, construct: Construct, span: Span) {
        // A node without a span is reported at its statement.
        let span = span.somewhere().unwrap_or(self.span);
        self.found.push(Lack { construct, span });
    }

    /// Reports `construct` unless the game has `opcode`.
    fn need(&mut self, opcode: Opcode, construct: impl FnOnce() -> Construct) {
        if self.known & bit(opcode) == 0 {
            self.lack(construct(), self.span);
        }
    }

    fn need_style(&mut self, style: &'static str, span: Span) {
        if !self.target.init_styles.iter().any(|(name, _)| *name == style) {
            self.lack(Construct::InitStyle(style), span);
        }
    }
}

/// Returns the opcode of a statement, or `None` if it consists of opcodes that every game has.
fn opcode(kind: &StatementKind) -> Option<Opcode> {
    Some(match kind {
        StatementKind::Message { .. } => Opcode::Message,
        StatementKind::InitMap(_) => Opcode::InitLevel,
        StatementKind::Map(_) => Opcode::Map,
        StatementKind::Monster(_) => Opcode::Monster,
        StatementKind::Object(_) => Opcode::Object,
        StatementKind::Trap { .. } => Opcode::Trap,
        StatementKind::Room(room) if matches!(room.placement, RoomPlacement::Level { .. }) => Opcode::Room,
        StatementKind::Room(_) => Opcode::Subroom,
        StatementKind::RoomDoor { .. } => Opcode::RoomDoor,
        StatementKind::Door { .. } => Opcode::Door,
        StatementKind::Region(_) => Opcode::Region,
        StatementKind::Stair { .. } => Opcode::Stair,
        StatementKind::Ladder { .. } => Opcode::Ladder,
        StatementKind::LevelRegion(_) => Opcode::LevRegion,
        StatementKind::Altar { .. } => Opcode::Altar,
        StatementKind::Grave { .. } => Opcode::Grave,
        StatementKind::Fountain { .. } => Opcode::Fountain,
        StatementKind::Sink { .. } => Opcode::Sink,
        StatementKind::Pool { .. } => Opcode::Pool,
        StatementKind::Gold { .. } => Opcode::Gold,
        StatementKind::Engraving { .. } => Opcode::Engraving,
        StatementKind::Drawbridge { .. } => Opcode::Drawbridge,
        StatementKind::MazeWalk { .. } => Opcode::MazeWalk,
        StatementKind::Wallify { .. } => Opcode::Wallify,
        StatementKind::NonDiggable { .. } => Opcode::NonDiggable,
        StatementKind::NonPasswall { .. } => Opcode::NonPasswall,
        StatementKind::Corridor { .. } | StatementKind::RandomCorridors { .. } => Opcode::Corridor,
        StatementKind::Terrain { .. } => Opcode::Terrain,
        StatementKind::ReplaceTerrain { .. } => Opcode::ReplaceTerrain,
        StatementKind::Spill { .. } => Opcode::Spill,
        StatementKind::WallWalk { .. } => Opcode::WallWalk,
        StatementKind::Mineralize { .. } => Opcode::Mineralize,
        StatementKind::MonsterGeneration { .. } => Opcode::MonGeneration,
        StatementKind::Sounds { .. } => Opcode::LevelSounds,
        StatementKind::Topologize { .. } => Opcode::Topography,
        StatementKind::Define { .. } => Opcode::VarInit,
        StatementKind::Shuffle { .. } => Opcode::ShuffleArray,
        StatementKind::Function(_) | StatementKind::Call { .. } => Opcode::Call,
        StatementKind::Exit => Opcode::Exit,
        StatementKind::If { .. }
        | StatementKind::Chance { .. }
        | StatementKind::Switch { .. }
        | StatementKind::For { .. }
        | StatementKind::Loop { .. }
        | StatementKind::Break => Opcode::Jmp,
        StatementKind::Place { .. }
        | StatementKind::VaultGeneration { .. }
        | StatementKind::VaultDepth { .. }
        | StatementKind::Registers { .. }
        | StatementKind::Error => return None,
    })
}

impl<'tree> Visit<'tree> for Finder<'_, '_> {
    fn level(&mut self, level: &'tree Level) {
        self.span = level.name.span;
        match level.kind {
            LevelKind::Script => {}
            LevelKind::Rooms => self.lack(Construct::Level(level.kind), level.name.span),
            // A MAZE compiles to INIT_MAP and a flag.
            LevelKind::Maze { filling } => {
                self.need_style(if filling.is_some() { "solidfill" } else { "mazegrid" }, level.name.span);
                if self.target.word(Group::Flag, "mazelevel").is_none() {
                    self.lack(Construct::Level(level.kind), level.name.span);
                }
            }
        }
        walk::level(self, level);
    }

    fn function(&mut self, function: &'tree Function) {
        if !self.target.has(Feature::Functions) {
            self.lack(Construct::Statement("FUNCTION"), function.name.span);
        } else if let Some(first) = function.parameters.first()
            && !self.target.has(Feature::FunctionParameters)
        {
            self.lack(Construct::Parameters, first.name.span);
        }
        walk::function(self, function);
    }

    fn statement(&mut self, statement: &'tree Statement) {
        let here = statement.span.somewhere().unwrap_or(self.span);
        let outer = std::mem::replace(&mut self.span, here);
        if let Some(opcode) = opcode(&statement.kind) {
            self.need(opcode, || Construct::Statement(word(&statement.kind)));
        }
        match &statement.kind {
            StatementKind::Registers { .. } | StatementKind::Message { to: Audience::Hallucinating, .. } => {
                self.lack(Construct::Statement(word(&statement.kind)), statement.span);
            }
            StatementKind::Error => self.lack(Construct::Unread, statement.span),
            StatementKind::Door { also, .. } | StatementKind::RoomDoor { also, .. } => {
                for word in also {
                    if self.target.word(Group::DoorDetail, &word.node).is_none() {
                        self.lack(Construct::Form("this door detail"), word.span);
                    }
                }
            }
            StatementKind::Place { word: begins, .. } if self.target.place_opcode(begins).is_none() => {
                self.lack(Construct::OwnStatement(begins.clone()), statement.span);
            }
            StatementKind::Altar { also, .. } if !also.is_empty() => {
                self.lack(Construct::Form("the god of an altar"), statement.span);
            }
            StatementKind::VaultDepth { .. } if !self.target.has(Feature::VaultDepths) => {
                self.lack(Construct::Statement("MINDEPTH"), statement.span);
            }
            StatementKind::VaultGeneration { .. } if !self.target.has(Feature::RandomVaults) => {
                self.lack(Construct::Statement("VAULTGEN"), statement.span);
            }
            StatementKind::InitMap(init) => self.need_style(super::init_style(init), statement.span),
            StatementKind::LevelRegion(region) => {
                let kind = super::level_region(&region.kind);
                if !self.target.level_regions.iter().any(|(name, _)| *name == kind) {
                    self.lack(Construct::LevelRegion(kind), statement.span);
                }
            }
            StatementKind::Wallify { at: Some(area) } => match area {
                WallifyArea::Region(_) if self.target.format == Format::Lua => {}
                WallifyArea::Region(region) if !self.target.has(Feature::WallifyTakesRegions) => {
                    self.lack(Construct::Form("WALLIFY with a region; write a selection"), region.span);
                }
                WallifyArea::Selection(at) if self.target.has(Feature::WallifyTakesRegions) => {
                    self.lack(Construct::Form("WALLIFY with a selection; write a region"), at.span);
                }
                WallifyArea::Region(_) | WallifyArea::Selection(_) => {}
            },
            StatementKind::Spill { terrain, .. }
                if self.target.has(Feature::SpillTakesNumbers)
                    && !matches!(terrain.kind, ExprKind::MapCharacter { .. }) =>
            {
                self.lack(Construct::Value(Role::Terrain), terrain.span);
            }
            StatementKind::For { from, to, .. } if self.target.has(Feature::ConstantFor) => {
                for end in [from, to] {
                    if !matches!(end.kind, ExprKind::Integer(_)) {
                        self.lack(Construct::Value(Role::Number), end.span);
                    }
                }
            }
            StatementKind::For { .. } => self.need(Opcode::MathSign, || Construct::Statement("FOR")),
            StatementKind::Call { function, .. } if !self.target.has(Feature::Functions) => {
                self.lack(Construct::Statement("a call of a FUNCTION"), function.span);
            }
            StatementKind::MonsterGeneration { entries, .. } => {
                for entry in entries {
                    if !matches!(entry.monster, SpeciesName::Class(_) | SpeciesName::Name(_)) {
                        let form = "MON_GENERATION entries that are neither a class nor a name";
                        self.lack(Construct::Form(form), entry.span);
                    }
                }
            }
            // Its state is a truth value, and its direction has its own numbers.
            StatementKind::Drawbridge { place, .. } => {
                if self.target.format == Format::Lua && !is_beside_column_zero(place) {
                    self.lack(Construct::BridgePlace, place.span);
                }
                self.expression(place);
                self.span = outer;
                return;
            }
            _ => {}
        }
        walk::statement(self, statement);
        self.span = outer;
    }

    fn monster(&mut self, monster: &'tree Monster) {
        if monster.inventory.is_some() {
            self.need(Opcode::EndMonInvent, || Construct::Inventory);
        }
        walk::monster(self, monster);
    }

    fn monster_detail(&mut self, detail: &'tree Spanned<MonsterDetail>) {
        let part = super::monster_part(&detail.node);
        let called = match &detail.node {
            MonsterDetail::Own(own) => &own.word,
            _ => part,
        };
        if !self.target.monster_parts.iter().any(|(name, _)| *name == called) {
            self.lack(Construct::Detail(SpeciesRole::Monster, super::monster_word(&detail.node)), detail.span);
        }
        walk::monster_detail(self, detail);
    }

    fn object_detail(&mut self, detail: &'tree Spanned<ObjectDetail>) {
        let part = super::object_part(&detail.node);
        let called = match &detail.node {
            ObjectDetail::Own(own) => &own.word,
            _ => part,
        };
        if !self.target.object_parts.iter().any(|(name, _)| *name == called) {
            self.lack(Construct::Detail(SpeciesRole::Object, super::object_word(&detail.node)), detail.span);
        }
        match &detail.node {
            ObjectDetail::Enchantment(Expr { kind: ExprKind::Random, span }) => {
                self.lack(Construct::Form("a random enchantment; leave it out"), *span);
            }
            // These words are parts or truth values, and have no numbers.
            ObjectDetail::State(_) | ObjectDetail::Trapped(_) => {}
            _ => walk::object_detail(self, detail),
        }
    }

    fn room(&mut self, room: &'tree Room, span: Span) {
        if let RoomPlacement::Stray { parent, .. } = &room.placement {
            self.lack(Construct::RoomNesting, parent.span);
        }
        if let Some(name) = &room.name {
            self.lack(Construct::RoomName, name.span);
        }
        if room.order.is_some() {
            self.lack(Construct::RoomOrder, span);
        }
        walk::room(self, room, span);
    }

    fn region(&mut self, region: &'tree Region, span: Span) {
        let inside = region.body.as_deref().unwrap_or(&[]);
        if let Some(first) = inside.first()
            && self.target.has(Feature::RegionsWithoutEnd)
            && !region.is_old_room(self.target)
        {
            self.lack(Construct::RegionBody, first.span);
        }
        walk::region(self, region, span);
    }

    fn expression(&mut self, expression: &'tree Expr) {
        let here = expression.span.somewhere().unwrap_or(self.span);
        let outer = std::mem::replace(&mut self.span, here);
        match &expression.kind {
            ExprKind::Dice { .. } => self.need(Opcode::Dice, || Construct::Form("dice")),
            ExprKind::ComputedCoordinate { .. } => {
                self.need(Opcode::ConvertType, || Construct::Form("a place from computed numbers"));
            }
            ExprKind::SelectedCoordinate(_) => {
                self.need(Opcode::SelRndCoord, || Construct::Form("a random place of a selection"));
            }
            ExprKind::CoreCall(_) => self.need(Opcode::CoreFunc, || Construct::Form("a function of the game")),
            ExprKind::Method { .. } => self.need(Opcode::CoreFunc, || Construct::Form("a method of a variable")),
            ExprKind::Register { of, .. } | ExprKind::NamedRegister { of, .. } => {
                self.lack(Construct::Register(*of), expression.span);
            }
            ExprKind::Monster(SpeciesName::RandomAndName(_)) | ExprKind::Object(SpeciesName::RandomAndName(_)) => {
                self.lack(Construct::NameBesideRandom, expression.span);
            }
            ExprKind::Error => self.lack(Construct::Unread, expression.span),
            ExprKind::Chain { rest, .. } => {
                for (operator, _) in rest {
                    let (opcode, form) = match operator {
                        Operator::Add => (Opcode::MathAdd, "a sum"),
                        Operator::Concatenate => (Opcode::MathAdd, "joined strings"),
                        Operator::Subtract => (Opcode::MathSub, "a difference"),
                        Operator::Multiply => (Opcode::MathMul, "a product"),
                        Operator::Divide => (Opcode::MathDiv, "a quotient"),
                        Operator::Remainder => (Opcode::MathMod, "a remainder"),
                    };
                    self.need(opcode, || Construct::Form(form));
                }
            }
            ExprKind::MapCharacter { light: Some(OrRandom::Is(Light::MinesLight)), .. } => {
                self.lack(Construct::Form("this light of a square"), self.span);
            }
            ExprKind::Integer(_)
            | ExprKind::String(_)
            | ExprKind::Coordinate { .. }
            | ExprKind::RandomCoordinate { .. }
            | ExprKind::Region { .. }
            | ExprKind::MapCharacter { .. }
            | ExprKind::Monster(_)
            | ExprKind::Object(_)
            | ExprKind::Selection(_)
            | ExprKind::Variable(_)
            | ExprKind::Group(_)
            | ExprKind::Random => {}
            ExprKind::Checked { .. } => self.lack(Construct::Form("a keyword after a place"), self.span),
        }
        walk::expression(self, expression);
        self.span = outer;
    }

    fn selection(&mut self, selection: &'tree Selection) {
        let here = selection.span.somewhere().unwrap_or(self.span);
        let outer = std::mem::replace(&mut self.span, here);
        let need = match &selection.kind {
            SelectionKind::Point(_) => Some((Opcode::SelPoint, "of one square")),
            SelectionKind::Rectangle(_) => Some((Opcode::SelRect, "rect")),
            SelectionKind::FilledRectangle(_) => Some((Opcode::SelFillRect, "fillrect")),
            SelectionKind::Line(..) => Some((Opcode::SelLine, "line")),
            SelectionKind::RandomLine(..) => Some((Opcode::SelRndLine, "randline")),
            SelectionKind::Grow { .. } => Some((Opcode::SelGrow, "grow")),
            SelectionKind::FilterPercent { .. }
            | SelectionKind::FilterSelection { .. }
            | SelectionKind::FilterTerrain { .. } => Some((Opcode::SelFilter, "filter")),
            SelectionKind::FloodFill(_) => Some((Opcode::SelFlood, "floodfill")),
            SelectionKind::Circle { .. } => Some((Opcode::SelEllipse, "circle")),
            SelectionKind::Ellipse { .. } => Some((Opcode::SelEllipse, "ellipse")),
            SelectionKind::Gradient { .. } => Some((Opcode::SelGradient, "gradient")),
            SelectionKind::Complement(_) => Some((Opcode::SelComplement, "complement")),
            SelectionKind::Union(_) => Some((Opcode::SelAdd, "of several parts")),
            SelectionKind::Variable(_) | SelectionKind::Group(_) => None,
            SelectionKind::Error => {
                self.lack(Construct::Unread, selection.span);
                None
            }
        };
        if let Some((opcode, word)) = need {
            self.need(opcode, || Construct::SelectionBy(word));
        }
        walk::selection(self, selection);
        self.span = outer;
    }

    fn word(&mut self, group: Group, word: &'static str, span: Span) {
        if self.target.word(group, word).is_none() {
            self.lack(Construct::Word(group, word), span);
        }
    }
}

/// Returns true if a drawbridge of NetHack 5 can be at `place`. The game rejects a column outside the level before it
/// adds the corner of the map (`lspo_drawbridge`). Places that are computed while the level runs are accepted.
fn is_beside_column_zero(place: &Expr) -> bool {
    match &place.kind {
        ExprKind::Coordinate { x, .. } => *x > 0,
        ExprKind::RandomCoordinate { .. } | ExprKind::Random => false,
        ExprKind::Group(inner) => is_beside_column_zero(inner),
        _ => true,
    }
}
