//! Values with names in catalog files: enums, and bit sets of switches, which splc tests individually.
//!
//! The module has no dependencies, because the build script includes it to read the names.

use std::borrow::Cow;

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

/// A value that catalog files write by name.
pub trait Named: Copy + PartialEq + 'static {
    /// Every value.
    const VALUES: &'static [Self];

    /// Returns its name in catalog files.
    fn called(self) -> Cow<'static, str>;

    /// Returns a former name, which files may still use.
    fn former(self) -> Option<&'static str> {
        None
    }

    /// Returns the value called `name`.
    fn named(name: &str) -> Option<Self> {
        Self::VALUES.iter().copied().find(|value| value.called() == name || value.former() == Some(name))
    }
}

/// A set of named values.
pub trait Set: Copy + Default + PartialEq {
    /// Its values.
    type Item: Named;

    /// Returns the set with `item` added.
    fn and(self, item: Self::Item) -> Self;

    /// Returns true if `item` is in the set.
    fn contains(self, item: Self::Item) -> bool;

    /// Returns the names of its values.
    fn names(self) -> Vec<Cow<'static, str>> {
        Self::Item::VALUES.iter().filter(|item| self.contains(**item)).map(|item| item.called()).collect()
    }

    /// Returns the set of the values with these names.
    fn of_names(names: &[impl AsRef<str>]) -> Self {
        names.iter().filter_map(|name| Self::Item::named(name.as_ref())).fold(Self::default(), Self::and)
    }
}

/// Declares an enum whose values have names.
macro_rules! named_enum {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            /// Every value.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// Returns its name in catalog files.
            pub const fn as_str(self) -> &'static str { match self { $($name::$variant => $word,)* } }
        }

        impl super::bits::Named for $name {
            const VALUES: &'static [$name] = $name::ALL;

            fn called(self) -> std::borrow::Cow<'static, str> { self.as_str().into() }
        }
    };
}

/// Declares an enum and a bit set of its values. `Value was "name"` declares a former name of a value.
macro_rules! bit_set {
    (@former) => { None };
    (@former $former:literal) => { Some($former) };
    (
        $(#[$item_doc:meta])* enum $item:ident;
        $(#[$set_doc:meta])* struct $set:ident([u64; $words:literal]);
        $($(#[$doc:meta])* $variant:ident $(was $former:literal)?,)*
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

        impl super::bits::Named for $item {
            const VALUES: &'static [$item] = $item::ALL;

            fn called(self) -> std::borrow::Cow<'static, str> { self.name().into() }

            fn former(self) -> Option<&'static str> {
                match self { $($item::$variant => bit_set!(@former $($former)?),)* }
            }
        }

        impl super::bits::Set for $set {
            type Item = $item;

            fn and(self, item: $item) -> Self { self.with(item) }

            fn contains(self, item: $item) -> bool { self.has(item) }
        }

        $(#[$set_doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $set([u64; $words]);

        impl $set {
            /// Returns the set of `items`.
            pub const fn of(items: &[$item]) -> Self {
                let mut set = $set([0; $words]);
                let mut at = 0;
                while at < items.len() {
                    set = set.with(items[at]);
                    at += 1;
                }
                set
            }

            /// Returns the set with `item` added.
            pub const fn with(mut self, item: $item) -> Self {
                self.0[item as usize / 64] |= 1 << (item as usize % 64);
                self
            }

            /// Returns true if `item` is in the set.
            pub const fn has(self, item: $item) -> bool {
                self.0[item as usize / 64] & 1 << (item as usize % 64) != 0
            }
        }
    };
}

pub(super) use {bit_set, named_enum};
