//! The sets of words that a catalog numbers.

use super::bits::named_enum;

named_enum! {
    /// A set of words that a catalog numbers.
    Group {
        /// Level flags.
        Flag = "flag",
        /// Door states.
        DoorState = "door_state",
        /// Compass directions.
        Direction = "direction",
        /// Alignments.
        Alignment = "alignment",
        /// Altar types.
        Altar = "altar",
        /// Engraving types.
        Engraving = "engraving",
        /// Blessings and curses.
        Curse = "curse",
        /// Peaceful or hostile.
        Attitude = "attitude",
        /// Asleep or awake.
        Alertness = "alertness",
        /// Disguises of a mimic: terrain, monster or object.
        Appearance = "appearance",
        /// Lit or unlit.
        Light = "light",
        /// Filled or unfilled.
        Filling = "filling",
        /// Regular or irregular.
        Irregular = "irregular",
        /// Joined or unjoined.
        Joined = "joined",
        /// Limited or unlimited gradients.
        Limited = "limited",
        /// Terrain for a random place: dry, wet and so on.
        Humidity = "humidity",
        /// Shapes of gradients.
        Gradient = "gradient",
        /// Delivery of a level sound: heard, printed and so on.
        Sound = "sound",
        /// Trapped or not.
        Trapped = "trapped",
        /// Horizontal placement of a map.
        Horizontal = "horizontal",
        /// Vertical placement of a map.
        Vertical = "vertical",
        /// Up or down.
        VerticalDirection = "vertical_direction",
        /// Door properties of variants besides the state: materials, flags.
        DoorDetail = "door_detail",
        /// Checks of the square by the compiler: `(1,2)[skipcheck]`.
        PlaceCheck = "place_check",
        /// Flags in OBJFLAGS of an object.
        ObjectFlag = "object_flag",
    }
}
