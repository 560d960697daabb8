import GodwitSettings
import Core

/// Checks that messages reach the board's owner, and that others accept the board's messages.
enum PeopleDiagnosis {
  private static let part = "people"

  /// Nil: no owner is configured, and none is needed.
  static func finding(_ settings: Settings) -> Finding? {
    guard let me = settings.people.address else {
      guard settings.uplink.sendsPeerMessages else { return nil }
      return .warn(
        part, "uplink.mqtt.people needs the owner of the board: set people.address")
    }
    guard settings.uplink.sendsPeerMessages else {
      return .ok(
        part,
        "this is the board of \(me); without a broker for messages (uplink.mqtt.people), "
          + "letters travel only as files, and groups and meetings do not work")
    }
    guard let user = settings.uplink.mqtt.account else {
      return .ok(
        part,
        "this is the board of \(me), and it logs in to its broker without an account; a broker "
          + "that checks the sender needs uplink.mqtt.user")
    }
    guard user != me.description else { return .ok(part, "this is the board of \(me)") }
    return .warn(
      part,
      "this is the board of \(me), and its account at the broker is "
        + "\"\(TerminalText.line(user))\": a broker that checks the sender refuses its letters; "
        + "use the account \(me) (uplink.mqtt.user, or psk_identity), or change people.address")
  }
}
