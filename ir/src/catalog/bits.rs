//! Bit sets of named switches: a catalog lists them by name, splc tests them individually.
//!
//! The module has no dependencies, because the build script includes it to read the names.

/// Converts `CamelCase` to `snake_case`.
pub fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

/// Declares an enum and a bit set of its values.
macro_rules! bit_set {
    (
        $(#[$item_doc:meta])* enum $item:ident;
        $(#[$set_doc:meta])* struct $set:ident($bits:ty);
        $($(#[$doc:meta])* $variant:ident,)*
    ) => {
        $(#[$item_doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $item { $($(#[$doc])* $variant,)* }

        impl $item {
            /// Every value.
            pub const ALL: &'static [$item] = &[$($item::$variant,)*];

            /// Returns its name in catalog files, in snake case.
            pub fn name(self) -> String {
                super::bits::snake_case(match self { $($item::$variant => stringify!($variant),)* })
            }
        }

        $(#[$set_doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $set($bits);

        impl $set {
            /// Returns the set of `items`.
            pub const fn of(items: &[$item]) -> Self {
                let mut bits = 0;
                let mut at = 0;
                while at < items.len() {
                    bits |= 1 << items[at] as $bits;
                    at += 1;
                }
                $set(bits)
            }

            /// Returns the set with `item` added.
            pub const fn with(self, item: $item) -> Self {
                $set(self.0 | 1 << item as $bits)
            }

            /// Returns true if `item` is in the set.
            pub const fn has(self, item: $item) -> bool {
                self.0 & (1 << item as $bits) != 0
            }
        }
    };
}

pub(super) use bit_set;
