/// What is requested of the power switch. A request replaces the one before, completed or not, and
/// only the last one is answered. `off` cuts the supply where that is possible, and closes the
/// receiver's line in any case.
public enum PowerState: String, Sendable, CaseIterable { case on, off, sleep }
