//! A catalog handle that can be stored: a built-in catalog, or a loaded one shared by its users.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::Catalog;

/// A handle to a catalog.
#[derive(Clone)]
pub enum Shared {
    /// One of [`ALL`](super::ALL).
    BuiltIn(&'static Catalog),
    /// A catalog loaded from a file.
    Read(Arc<Catalog>),
}

impl Deref for Shared {
    type Target = Catalog;

    fn deref(&self) -> &Catalog {
        match self {
            Shared::BuiltIn(catalog) => catalog,
            Shared::Read(catalog) => catalog,
        }
    }
}

impl From<&'static Catalog> for Shared {
    fn from(catalog: &'static Catalog) -> Self {
        Shared::BuiltIn(catalog)
    }
}

impl From<Catalog> for Shared {
    fn from(catalog: Catalog) -> Self {
        Shared::Read(Arc::new(catalog))
    }
}

impl From<&Shared> for Shared {
    fn from(catalog: &Shared) -> Self {
        catalog.clone()
    }
}

impl PartialEq for Shared {
    /// Compares identity, not content.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq::<Catalog>(&**self, &**other)
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Shared").field(&self.name).finish()
    }
}
