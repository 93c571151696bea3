//! The functions of `selection`, which are also the methods of a selection (NetHack 5.0.0, `nhlsel.c`).

use crate::functions::Kind::*;
use crate::functions::{Form, Function, Gives, Library, More, form, optional, required};
use crate::keys::keys;
use crate::words::*;

const ON_SELECTION: Form = form(&[required("selection", Selection)]);

const fn function(name: &'static str, forms: &'static [Form]) -> Function {
    Function { name, forms, keys: &[], more: More::Fails, gives: Gives::Selection }
}

const fn giving(name: &'static str, forms: &'static [Form], gives: Gives) -> Function {
    Function { name, forms, keys: &[], more: More::Fails, gives }
}

const CORNERS: &[Form] = &[
    form(&[required("x1", Integer), required("y1", Integer), required("x2", Integer), required("y2", Integer)]),
    form(&[
        required("selection", Selection),
        required("x1", Integer),
        required("y1", Integer),
        required("x2", Integer),
        required("y2", Integer),
    ]),
];

/// The functions of `selection`, a set of squares.
pub(crate) const SELECTION: Library = Library {
    name: "selection",
    functions: &[
        function("new", &[form(&[])]).ignores_more(),
        function("clone", &[ON_SELECTION]).ignores_more(),
        giving(
            "get",
            &[
                form(&[required("selection", Selection), required("place", Place)]),
                form(&[required("selection", Selection), required("x", Integer), required("y", Integer)]),
            ],
            Gives::Number,
        ),
        function(
            "set",
            &[
                form(&[optional("selection", Selection)]),
                form(&[required("x", Integer), required("y", Integer)]),
                form(&[
                    required("selection", Selection),
                    required("x", Integer),
                    required("y", Integer),
                    optional("value", Integer),
                ]),
            ],
        )
        .ignores_more(),
        giving("numpoints", &[ON_SELECTION], Gives::Number).ignores_more(),
        function("negate", &[form(&[optional("selection", Selection)])]).ignores_more(),
        function("percentage", &[form(&[required("selection", Selection), required("percentage", Integer)])])
            .ignores_more(),
        giving("rndcoord", &[form(&[required("selection", Selection), optional("remove", Integer)])], Gives::Place)
            .ignores_more(),
        function("line", CORNERS),
        function(
            "randline",
            &[
                form(&[
                    required("x1", Integer),
                    required("y1", Integer),
                    required("x2", Integer),
                    required("y2", Integer),
                    required("roughness", Integer),
                ]),
                form(&[
                    required("selection", Selection),
                    required("x1", Integer),
                    required("y1", Integer),
                    required("x2", Integer),
                    required("y2", Integer),
                    required("roughness", Integer),
                ]),
            ],
        ),
        function("rect", CORNERS),
        function("fillrect", CORNERS),
        function("area", CORNERS),
        function("grow", &[form(&[required("selection", Selection), optional("direction", Word(WALLS))])])
            .ignores_more(),
        function(
            "filter_mapchar",
            &[form(&[required("selection", Selection), required("character", MapCharacter), optional("lit", Integer)])],
        )
        .ignores_more(),
        function("match", &[form(&[required("map", MapFragment)])]),
        function("floodfill", &[form(&[required("x", Integer), required("y", Integer), optional("diagonals", Truth)])]),
        function(
            "circle",
            &[
                form(&[
                    required("x", Integer),
                    required("y", Integer),
                    required("radius", Integer),
                    optional("filled", Integer),
                ]),
                form(&[
                    required("selection", Selection),
                    required("x", Integer),
                    required("y", Integer),
                    required("radius", Integer),
                    optional("filled", Integer),
                ]),
            ],
        ),
        function(
            "ellipse",
            &[
                form(&[
                    required("x", Integer),
                    required("y", Integer),
                    required("radius1", Integer),
                    required("radius2", Integer),
                    optional("filled", Integer),
                ]),
                form(&[
                    required("selection", Selection),
                    required("x", Integer),
                    required("y", Integer),
                    required("radius1", Integer),
                    required("radius2", Integer),
                    optional("filled", Integer),
                ]),
            ],
        ),
        Function {
            name: "gradient",
            forms: &[form(&[required("table", Keys)])],
            keys: gradient::KEYS,
            more: More::Fails,
            gives: Gives::Selection,
        },
        giving("iterate", &[form(&[required("selection", Selection), required("function", Function)])], Gives::Nothing),
        giving("bounds", &[ON_SELECTION], Gives::Other).ignores_more(),
        function("room", &[form(&[optional("number", Integer)])]).ignores_more(),
        giving("describe_size", &[ON_SELECTION], Gives::Text),
    ],
};

keys! { gradient {
    TYPE: Typed<Word<bool>> = word("type", GRADIENTS, "radial");
    X: Typed<Number> = count("x");
    Y: Typed<Number> = count("y");
    X2: Typed<Number> = number("x2", -1);
    Y2: Typed<Number> = number("y2", -1);
    MOST: Typed<Number> = count("maxdist");
    LEAST: Typed<Number> = number("mindist", 0);
} }
