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
        part, "uplink.mqtt.people is set, and the board is nobody's: set people.address")
    }
    guard settings.uplink.sendsPeerMessages else {
      return .ok(
        part,
        "this is the board of \(me); without a broker that carries messages (uplink.mqtt.people) "
          + "letters go by files alone, and groups and meetings not at all")
    }
    guard let user = settings.uplink.mqtt.account else {
      return .ok(
        part,
        "this is the board of \(me), and its broker is told no account; one that checks who is who "
          + "wants uplink.mqtt.user")
    }
    guard user != me.description else { return .ok(part, "this is the board of \(me)") }
    return .warn(
      part,
      "this is the board of \(me), and its broker knows it as \"\(TerminalText.line(user))\": one "
        + "that lets nobody write in another's name takes no letter of it; give the board the "
        + "account \(me) there (uplink.mqtt.user, or psk_identity), or set people.address")
  }
}
