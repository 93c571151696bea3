//! frontends

pub mod opcode_stream;
