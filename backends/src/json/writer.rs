//! Values as JSON, in the form described in `docs/reference/json.md`.
//!
//! A serde serializer for the types of [`level`](splc_ir::level), and for little more. It differs from serde_json only
//! in the position of the variant name for the types of [`TAGGED`](splc_ir::level::TAGGED).

use std::io::Write;

use serde::Serialize;
use serde::ser::{
    Error as _, Impossible, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleVariant, Serializer,
};
use serde_json::Error;
use splc_ir::level::tag_of;

/// Writes values to `out`.
pub struct Writer<W> {
    out: W,
    /// Set if the object of the next value has already been opened, with its tag in it.
    begun: bool,
}

impl<W: Write> Writer<W> {
    /// Creates a writer to `out`.
    pub fn new(out: W) -> Self {
        Writer { out, begun: false }
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.out.write_all(bytes).map_err(Error::io)
    }

    fn display(&mut self, value: impl std::fmt::Display) -> Result<(), Error> {
        write!(self.out, "{value}").map_err(Error::io)
    }

    fn text(&mut self, text: &str) -> Result<(), Error> {
        serde_json::to_writer(&mut self.out, text)
    }

    /// Opens an object, or continues the open one. Returns the separator before the next key.
    fn object(&mut self) -> Result<&'static [u8], Error> {
        match std::mem::take(&mut self.begun) {
            true => Ok(b","),
            false => self.put(b"{").map(|()| &b""[..]),
        }
    }

    /// Writes `{"variant":` or, for a tagged type, `{"tag":"variant"`.
    fn variant(&mut self, name: &str, variant: &str) -> Result<Form, Error> {
        let before = self.object()?;
        self.put(before)?;
        match tag_of(name) {
            Some(tag) => {
                self.text(tag)?;
                self.put(b":")?;
                self.text(variant)?;
                Ok(Form::Tagged)
            }
            None => {
                self.text(variant)?;
                self.put(b":")?;
                Ok(Form::Keyed)
            }
        }
    }
}

/// The position of a variant's name.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// As the value of a tag, next to the other keys.
    Tagged,
    /// As the only key.
    Keyed,
}

/// An open array or object.
pub struct Compound<'w, W> {
    writer: &'w mut Writer<W>,
    /// The separator before the next value.
    before: &'static [u8],
    end: &'static [u8],
}

impl<'w, W: Write> Compound<'w, W> {
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.writer.put(self.before)?;
        self.before = b",";
        value.serialize(&mut *self.writer)
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.writer.put(self.before)?;
        self.before = b",";
        self.writer.text(key)?;
        self.writer.put(b":")?;
        value.serialize(&mut *self.writer)
    }

    fn finish(self) -> Result<(), Error> {
        self.writer.put(self.end)
    }
}

macro_rules! displayed {
    ($($method:ident: $type:ty),*) => {
        $(fn $method(self, value: $type) -> Result<(), Error> { self.display(value) })*
    };
}

impl<'w, W: Write> Serializer for &'w mut Writer<W> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'w, W>;
    type SerializeTuple = Compound<'w, W>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Compound<'w, W>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Compound<'w, W>;
    type SerializeStructVariant = Compound<'w, W>;

    displayed!(
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64
    );

    fn serialize_f32(self, _: f32) -> Result<(), Error> {
        Err(Error::custom("a level has no fractions"))
    }

    fn serialize_f64(self, _: f64) -> Result<(), Error> {
        Err(Error::custom("a level has no fractions"))
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.text(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        self.text(value)
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Error> {
        Err(Error::custom("a level has no bytes"))
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.put(b"null")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.put(b"null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.put(b"null")
    }

    fn serialize_unit_variant(self, name: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        match tag_of(name) {
            Some(_) => {
                self.variant(name, variant)?;
                self.put(b"}")
            }
            None => self.text(variant),
        }
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        if self.variant(name, variant)? == Form::Tagged {
            self.begun = true;
            return value.serialize(self);
        }
        value.serialize(&mut *self)?;
        self.put(b"}")
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'w, W>, Error> {
        self.put(b"[")?;
        Ok(Compound { writer: self, before: b"", end: b"]" })
    }

    fn serialize_tuple(self, length: usize) -> Result<Compound<'w, W>, Error> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Impossible<(), Error>, Error> {
        Err(Error::custom("a level has no tuple structs"))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'w, W>, Error> {
        if self.variant(name, variant)? == Form::Tagged {
            return Err(Error::custom("a tagged value must have keys"));
        }
        self.put(b"[")?;
        Ok(Compound { writer: self, before: b"", end: b"]}" })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Impossible<(), Error>, Error> {
        Err(Error::custom("a level has no maps of keys"))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Compound<'w, W>, Error> {
        let before = self.object()?;
        Ok(Compound { writer: self, before, end: b"}" })
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'w, W>, Error> {
        Ok(match self.variant(name, variant)? {
            Form::Tagged => Compound { writer: self, before: b",", end: b"}" },
            Form::Keyed => {
                self.put(b"{")?;
                Compound { writer: self, before: b"", end: b"}}" }
            }
        })
    }
}

impl<W: Write> SerializeSeq for Compound<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.value(value)
    }

    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}

impl<W: Write> SerializeTuple for Compound<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.value(value)
    }

    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}

impl<W: Write> SerializeTupleVariant for Compound<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.value(value)
    }

    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}

impl<W: Write> SerializeStruct for Compound<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.field(key, value)
    }

    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}

impl<W: Write> SerializeStructVariant for Compound<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.field(key, value)
    }

    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}
