//! The functions of `nh`, `u` and `obj` (NetHack 5.0.0, `nhlua.c` and `nhlobj.c`).

use crate::functions::Kind::{self, *};
use crate::functions::{Form, Function, Gives, Library, More, Picked, form, optional, required};
use crate::keys::keys;
use crate::words::*;

const fn function(name: &'static str, forms: &'static [Form], gives: Gives) -> Function {
    Function { name, forms, keys: &[], more: More::Fails, gives }
}

const NOTHING: &[Form] = &[form(&[])];
const TEXT: &[Form] = &[form(&[required("text", Text)])];
const PLACE: &[Form] = &[form(&[required("x", Integer), required("y", Integer)]), form(&[required("place", Place)])];
const ON_OBJECT: Form = form(&[required("object", ObjectHandle)]);

/// The arguments of timer functions: a place, or two numbers, and the kind of timer.
macro_rules! timer_at {
    ($($more:expr),*) => {
        &[
            form(&[required("x", Integer), required("y", Integer), required("timer", Word(TIMERS)) $(, $more)*]),
            form(&[required("place", Place), required("timer", Word(TIMERS)) $(, $more)*]),
        ]
    };
}

/// The functions of the game: `nh`.
pub(crate) const NH: Library = Library {
    name: "nh",
    functions: &[
        function("test", NOTHING, Gives::Nothing).ignores_more(),
        function("getmap", PLACE, Gives::Other),
        function("gettrap", PLACE, Gives::Other),
        function("deltrap", PLACE, Gives::Nothing),
        function("has_timer_at", timer_at!(), Gives::Other),
        function("peek_timer_at", timer_at!(), Gives::Number),
        function("stop_timer_at", timer_at!(), Gives::Nothing),
        function("start_timer_at", timer_at!(required("when", Integer)), Gives::Nothing),
        Function {
            name: "abscoord",
            forms: &[form(&[required("x", Integer), required("y", Integer)]), form(&[required("table", Keys)])],
            keys: abscoord::KEYS,
            more: More::Fails,
            gives: Gives::Other,
        },
        function("impossible", TEXT, Gives::Nothing),
        function("pline", &[form(&[required("text", Text), optional("more", Truth)])], Gives::Nothing),
        function("verbalize", TEXT, Gives::Nothing),
        function(
            "menu",
            &[
                form(&[required("prompt", Text), required("items", Table)]),
                form(&[required("prompt", Text), required("default", Text), required("items", Table)]),
                form(&[
                    required("prompt", Text),
                    required("default", Text),
                    required("pick", Word(PICKS)),
                    required("items", Table),
                ]),
            ],
            Gives::Text,
        ),
        function(
            "text",
            &[Form { arguments: &[required("text", Text)], repeated: true, picked: Picked::Types }],
            Gives::Nothing,
        ),
        function("getlin", TEXT, Gives::Text),
        function("eckey", TEXT, Gives::Text),
        function(
            "callback",
            &[form(&[required("event", Text), required("function", Text), optional("remove", Truth)])],
            Gives::Nothing,
        ),
        function("gamestate", &[form(&[optional("restore", Truth)])], Gives::Nothing),
        function("makeplural", TEXT, Gives::Text),
        function("makesingular", TEXT, Gives::Text),
        function("s_suffix", TEXT, Gives::Text),
        function("ing_suffix", TEXT, Gives::Text),
        function("an", TEXT, Gives::Text),
        function("rn2", &[form(&[required("number", Integer)])], Gives::Number),
        function("random", &[form(&[required("number", Integer), optional("number", Integer)])], Gives::Number),
        function("level_difficulty", NOTHING, Gives::Number),
        function("is_genocided", TEXT, Gives::Other),
        function("debug_themerm", &[form(&[required("fill", Truth)])], Gives::Text),
        function("parse_config", TEXT, Gives::Nothing),
        function("get_config", TEXT, Gives::Text),
        function("get_config_errors", NOTHING, Gives::Text),
        function("dump_fmtstr", TEXT, Gives::Text),
        function("dnum_name", &[form(&[required("number", Integer)])], Gives::Text),
        function("int_to_pmname", &[form(&[required("number", Integer)])], Gives::Text),
        function("int_to_objname", &[form(&[required("number", Integer)])], Gives::Text),
        function("variable", &[form(&[required("name", Text), optional("value", Any)])], Gives::Other),
        function("stairways", NOTHING, Gives::Other).ignores_more(),
        function("pushkey", TEXT, Gives::Nothing),
        function("doturn", &[form(&[optional("turn", Truth)])], Gives::Nothing),
        Function {
            name: "debug_flags",
            forms: &[form(&[required("table", Keys)])],
            keys: debug_flags::KEYS,
            more: More::IgnoredAfterTable,
            gives: Gives::Nothing,
        },
        function("flip_level", &[form(&[optional("flips", Integer)])], Gives::Nothing).ignores_more(),
    ],
};

/// The functions of the hero: `u`. Other values are in [`HERO`](super::sandbox::HERO).
pub(crate) const U: Library = Library {
    name: "u",
    functions: &[
        function("clear_inventory", NOTHING, Gives::Nothing),
        function("giveobj", &[form(&[required("object", ObjectHandle)])], Gives::Nothing),
    ],
};

const TIMER: Kind = Word(TIMERS);

/// The functions of objects: `obj`. They are also the methods of an object.
pub(crate) const OBJ: Library = Library {
    name: "obj",
    functions: &[
        Function {
            name: "new",
            forms: &[form(&[required("object", Text)]), form(&[required("table", Keys)])],
            keys: object::KEYS,
            more: More::Fails,
            gives: Gives::Object,
        },
        function("isnull", &[ON_OBJECT], Gives::Other),
        function("at", &[form(&[required("x", Integer), required("y", Integer)])], Gives::Object),
        function("next", &[form(&[optional("object", ObjectHandle), optional("here", Truth)])], Gives::Object),
        function("totable", &[ON_OBJECT], Gives::Other),
        function("class", &[form(&[required("object", Any)])], Gives::Other),
        function(
            "placeobj",
            &[form(&[required("object", ObjectHandle), required("x", Integer), required("y", Integer)])],
            Gives::Nothing,
        ),
        function("container", &[ON_OBJECT], Gives::Object),
        function("contents", &[ON_OBJECT], Gives::Object),
        function(
            "addcontent",
            &[form(&[required("container", ObjectHandle), required("object", ObjectHandle)])],
            Gives::Nothing,
        ),
        function("has_timer", &[form(&[required("object", ObjectHandle), required("timer", TIMER)])], Gives::Other),
        function("peek_timer", &[form(&[required("object", ObjectHandle), required("timer", TIMER)])], Gives::Number),
        function("stop_timer", &[form(&[required("object", ObjectHandle), optional("timer", TIMER)])], Gives::Number),
        function(
            "start_timer",
            &[form(&[required("object", ObjectHandle), required("timer", TIMER), required("when", Integer)])],
            Gives::Nothing,
        ),
        function(
            "bury",
            &[ON_OBJECT, form(&[required("object", ObjectHandle), required("x", Integer), required("y", Integer)])],
            Gives::Other,
        ),
    ],
};

keys! { abscoord {
    X: Typed<Number> = count("x");
    Y: Typed<Number> = count("y");
} }

keys! { debug_flags {
    MONSTERS: Typed<Truth> = truth("mongen", -1);
    HUNGER: Typed<Truth> = truth("hunger", -1);
    OVERWRITE_STAIRS: Typed<Truth> = truth("overwrite_stairs", -1);
    PREVENT_MESSAGES: Typed<Truth> = truth("prevent_pline", -1);
} }

keys! {
    /// Keys of `obj.new`.
    object {
        ID: Typed<Text> = text("id", Kind::Object);
        CLASS: Typed<Text> = text("class", Kind::ObjectClass);
    }
}
