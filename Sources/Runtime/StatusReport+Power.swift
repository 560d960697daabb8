import Notation
import PowerControl
import ReceiverProtocols

/// What switches the receiver, and what is known about it.
extension StatusReport {
  var powerSwitch: JSONValue {
    let sequencer = conductor.power.sequencer
    return .object([
      ("name", conductor.power.name.map { .string($0) } ?? .null),
      ("stage", .string(sequencer.stageName)),
      ("can_sleep", .bool(sequencer.canSleep)),
      ("failure", conductor.power.failure.map { .string($0) } ?? .null),
    ])
  }

  /// Null while the receiver has not said who it is.
  var identity: JSONValue {
    let identity = conductor.power.sequencer.identity
    guard identity.family != nil else { return .null }
    return .object([
      ("vendor", identity.vendor.map { .string($0) } ?? .null),
      ("model", identity.model.map { .string($0) } ?? .null),
      ("firmware", identity.firmware.map { .string($0) } ?? .null),
      ("family", identity.family.map { .string($0.rawValue) } ?? .null),
    ])
  }
}
