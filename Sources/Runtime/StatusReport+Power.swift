import Core
import GNSS

/// The part of the status on the receiver's power switch and identity.
extension StatusReport {
  var powerSwitch: JSONValue {
    let sequencer = runtime.power.sequencer
    return .object([
      ("name", .text(runtime.power.name)),
      (
        "stage",
        .string(
          sequencer.capabilities.canRest ? sequencer.receiver.text : "the receiver is always on")
      ),
      ("can_sleep", .bool(sequencer.capabilities.canSleep)),
      ("failure", .text(runtime.power.failure)),
    ])
  }

  /// Null until the receiver has identified itself.
  var identity: JSONValue {
    let identity = runtime.power.sequencer.identity
    guard identity.family != nil else { return .null }
    return .object([
      ("vendor", .text(identity.vendor)),
      ("model", .text(identity.model)),
      ("firmware", .text(identity.firmware)),
      ("family", .text(identity.family?.rawValue)),
    ])
  }
}
