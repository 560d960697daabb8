/// The lines that may run from the board to a receiver, by what they do there. "Active" is the
/// receiver's idea of it; how a line's voltage follows is `GpioLine`'s matter.
public enum PowerLine: String, Sendable, CaseIterable {
  /// Active: the receiver's supply is on.
  case supply
  /// Active: its backup supply (V_BCKP) is on.
  case backup
  /// Active: the level shifter in its serial line conducts. Without supply it must not, because a
  /// driven pin feeds the unpowered module (u-blox integration manuals, "do not drive PIOs").
  case uart
  /// Active: it is told to wake (EXTINT, FORCE_ON, WAKE_UP).
  case wake
  /// Active: it is held in reset.
  case reset
}
