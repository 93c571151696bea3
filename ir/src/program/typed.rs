//! Typed operands: a struct for each list of parameters in the table of opcodes.
//!
//! The macros here turn the parameters of a row into a struct with their names as fields, popped in the order of the
//! row. A machine implements [`OperandStack`] once and takes the operands of every opcode as these structs. It can
//! therefore neither pop a value of another type than the table says, nor confuse two parameters.

use super::Parameter;

/// A machine that pops typed operands from its stack.
pub trait OperandStack: Sized {
    /// A number of any numeric type.
    type Number;
    /// A string.
    type Text;
    /// A selection.
    type Selection;
    /// A value of any type.
    type Value;
    /// The reason an operand cannot be popped.
    type Stop;

    /// Pops a number of the parameter's type.
    ///
    /// # Errors
    /// Those of the machine: a missing value, or another type.
    fn pop_number(&mut self, parameter: Parameter) -> Result<Self::Number, Self::Stop>;

    /// Pops a string.
    ///
    /// # Errors
    /// As for a number.
    fn pop_text(&mut self, parameter: Parameter) -> Result<Self::Text, Self::Stop>;

    /// Pops a selection.
    ///
    /// # Errors
    /// As for a number.
    fn pop_selection(&mut self, parameter: Parameter) -> Result<Self::Selection, Self::Stop>;

    /// Pops a value of any type; a variable stays a variable if the role says so.
    ///
    /// # Errors
    /// Those of the machine: a missing value.
    fn pop_value(&mut self, parameter: Parameter) -> Result<Self::Value, Self::Stop>;

    /// Pops a list of operands.
    ///
    /// # Errors
    /// The first one of an operand. The operands after it stay on the stack.
    #[inline(always)]
    fn operands<T: Operands<Self>>(&mut self) -> Result<T, Self::Stop> {
        T::pop(self)
    }
}

/// A list of operands of a machine: a struct in [`operands`](super::operands).
pub trait Operands<M: OperandStack>: Sized {
    /// The parameters, the value popped first at the beginning.
    const PARAMETERS: &'static [Parameter];

    /// Pops them.
    ///
    /// # Errors
    /// The first one of an operand.
    fn pop(machine: &mut M) -> Result<Self, M::Stop>;
}

/// Selects the tokens for a role: text, selection, value of any type, or number.
macro_rules! by_role {
    (Text $($by:tt)*) => { by_role!(@text $($by)*) };
    (OptionalText $($by:tt)*) => { by_role!(@text $($by)*) };
    (VariableName $($by:tt)*) => { by_role!(@text $($by)*) };
    (Rows $($by:tt)*) => { by_role!(@text $($by)*) };
    (Any $($by:tt)*) => { by_role!(@value $($by)*) };
    (Unread $($by:tt)*) => { by_role!(@value $($by)*) };
    (Variable $($by:tt)*) => { by_role!(@value $($by)*) };
    (@text [$($text:tt)*] $($others:tt)*) => { $($text)* };
    (@value $text:tt $selection:tt [$($value:tt)*] $number:tt) => { $($value)* };
    (Selection $text:tt [$($selection:tt)*] $value:tt $number:tt) => { $($selection)* };
    ($role:ident $text:tt $selection:tt $value:tt [$($number:tt)*]) => { $($number)* };
}

/// Generates the struct of a list of parameters.
macro_rules! operand_struct {
    ($name:ident: $($field:ident: $role:ident $(($($group:tt)*))?,)+) => {
        pub struct $name<M: OperandStack> {
            $(pub $field: by_role!($role [M::Text] [M::Selection] [M::Value] [M::Number]),)+
        }

        impl<M: OperandStack> Operands<M> for $name<M> {
            const PARAMETERS: &'static [Parameter] =
                &[$(Parameter { name: stringify!($field), role: Role::$role $(($($group)*))? },)+];

            #[inline(always)]
            fn pop(machine: &mut M) -> Result<Self, M::Stop> {
                $(
                    let parameter =
                        const { Parameter { name: stringify!($field), role: Role::$role $(($($group)*))? } };
                    let $field = by_role!(
                        $role
                        [machine.pop_text(parameter)?]
                        [machine.pop_selection(parameter)?]
                        [machine.pop_value(parameter)?]
                        [machine.pop_number(parameter)?]
                    );
                )+
                Ok($name { $($field),+ })
            }
        }
    };
}

/// Generates the structs of a row: one with the name of the opcode for the parameters before the first `..`, and one
/// for each `..Name[...]`, however deep it is nested.
macro_rules! operand_structs {
    (@list $name:ident [$($done:tt)*] $field:ident: $role:ident $(($($group:tt)*))? $(, $($rest:tt)*)?) => {
        operand_structs!(@list $name [$($done)* $field: $role $(($($group)*))?,] $($($rest)*)?);
    };
    (@list $name:ident [] $($rest:tt)*) => {};
    (@list $name:ident [$($done:tt)+] $($rest:tt)*) => { operand_struct!($name: $($done)+); };
    (@nested) => {};
    (@nested $field:ident: $role:ident $(($($group:tt)*))? $(, $($rest:tt)*)?) => {
        operand_structs!(@nested $($($rest)*)?);
    };
    (@nested ..$name:ident[$($inner:tt)*] $($rest:tt)*) => {
        operand_structs!(@list $name [] $($inner)*);
        operand_structs!(@nested $($rest)*);
    };
    (@nested ($($inner:tt)*) $($rest:tt)*) => { operand_structs!(@nested $($inner)* $($rest)*); };
    (@nested [$($inner:tt)*] $($rest:tt)*) => { operand_structs!(@nested $($inner)* $($rest)*); };
    (@nested {$($inner:tt)*} $($rest:tt)*) => { operand_structs!(@nested $($inner)* $($rest)*); };
    (@nested $token:tt $($rest:tt)*) => { operand_structs!(@nested $($rest)*); };
    ($name:ident: $($takes:tt)*) => {
        operand_structs!(@list $name [] $($takes)*);
        operand_structs!(@nested $($takes)*);
    };
}
