/// What is asked of the power switch. A wish replaces the one before, done or not, and only the
/// last one is answered. `off` cuts the supply where something can, and lets go of the receiver's
/// line in any case.
public enum PowerState: String, Sendable, CaseIterable { case on, off, sleep }
