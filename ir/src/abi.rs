//! Machine ABIs: the size and byte order of C's integers, and the layout of structures.
//!
//! A level file is a dump of C variables, so it depends on the machine that the game was built for.

/// One machine ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abi {
    /// Its name, e.g. `lp64le`.
    pub name: &'static str,
    /// An example of such a machine.
    pub machine: &'static str,
    /// Size of a `long` in bytes: 4 or 8.
    pub long: usize,
    /// Size of a pointer in bytes: 4 or 8.
    pub pointer: usize,
    /// Byte order.
    pub order: Order,
    /// Set if a plain `char` is signed.
    pub signed_char: bool,
    /// Greatest alignment of a structure member in bytes.
    pub alignment: usize,
    /// Set if an `int` passed to a function that reads a `long` loses its sign: on x86-64 the upper half of the
    /// register is zero.
    pub narrow_arguments: bool,
}

/// Byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Lowest byte first.
    Little,
    /// Highest byte first.
    Big,
}

/// Size of a `short` in bytes, the same in every ABI.
pub const SHORT: usize = 2;

/// Size of an `int` in bytes, the same in every ABI.
pub const INT: usize = 4;

/// Every ABI, the default first.
pub const ALL: &[Abi] = &[
    Abi {
        name: "lp64le",
        machine: "x86-64",
        long: 8,
        pointer: 8,
        order: Order::Little,
        signed_char: true,
        alignment: 8,
        narrow_arguments: true,
    },
    Abi {
        name: "ilp32le",
        machine: "i686",
        long: 4,
        pointer: 4,
        order: Order::Little,
        signed_char: true,
        alignment: 4,
        narrow_arguments: false,
    },
    Abi {
        name: "ilp32be",
        machine: "PowerPC",
        long: 4,
        pointer: 4,
        order: Order::Big,
        signed_char: false,
        alignment: 8,
        narrow_arguments: false,
    },
    Abi {
        name: "lp64be",
        machine: "s390x",
        long: 8,
        pointer: 8,
        order: Order::Big,
        signed_char: false,
        alignment: 8,
        narrow_arguments: false,
    },
    Abi {
        name: "m68k",
        machine: "m68k",
        long: 4,
        pointer: 4,
        order: Order::Big,
        signed_char: true,
        alignment: 2,
        narrow_arguments: false,
    },
    Abi {
        name: "llp64le",
        machine: "Windows, 64 bits",
        long: 4,
        pointer: 8,
        order: Order::Little,
        signed_char: true,
        alignment: 8,
        narrow_arguments: false,
    },
    Abi {
        name: "ilp32le-win",
        machine: "Windows, 32 bits",
        long: 4,
        pointer: 4,
        order: Order::Little,
        signed_char: true,
        alignment: 8,
        narrow_arguments: false,
    },
];

impl Abi {
    /// Returns the ABI called `name`.
    pub fn by_name(name: &str) -> Option<&'static Abi> {
        ALL.iter().find(|abi| abi.name == name)
    }

    /// Appends a `short`.
    pub fn put_short(&self, out: &mut Vec<u8>, number: i16) {
        match self.order {
            Order::Little => out.extend_from_slice(&number.to_le_bytes()),
            Order::Big => out.extend_from_slice(&number.to_be_bytes()),
        }
    }

    /// Appends an `int`.
    pub fn put_int(&self, out: &mut Vec<u8>, number: i32) {
        match self.order {
            Order::Little => out.extend_from_slice(&number.to_le_bytes()),
            Order::Big => out.extend_from_slice(&number.to_be_bytes()),
        }
    }

    /// Appends a `long`, truncated to its size.
    pub fn put_long(&self, out: &mut Vec<u8>, number: i64) {
        match (self.long, self.order) {
            (8, Order::Little) => out.extend_from_slice(&number.to_le_bytes()),
            (8, Order::Big) => out.extend_from_slice(&number.to_be_bytes()),
            _ => self.put_int(out, number as i32),
        }
    }

    /// Reads a `short` at `at`.
    pub fn short(&self, bytes: &[u8], at: usize) -> Option<i16> {
        let raw: [u8; 2] = bytes.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(match self.order {
            Order::Little => i16::from_le_bytes(raw),
            Order::Big => i16::from_be_bytes(raw),
        })
    }

    /// Reads an `int` at `at`.
    pub fn int(&self, bytes: &[u8], at: usize) -> Option<i32> {
        let raw: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(match self.order {
            Order::Little => i32::from_le_bytes(raw),
            Order::Big => i32::from_be_bytes(raw),
        })
    }

    /// Reads a `long` at `at`.
    pub fn long(&self, bytes: &[u8], at: usize) -> Option<i64> {
        if self.long == 4 {
            return self.int(bytes, at).map(i64::from);
        }
        let raw: [u8; 8] = bytes.get(at..at.checked_add(8)?)?.try_into().ok()?;
        Some(match self.order {
            Order::Little => i64::from_le_bytes(raw),
            Order::Big => i64::from_be_bytes(raw),
        })
    }
}
