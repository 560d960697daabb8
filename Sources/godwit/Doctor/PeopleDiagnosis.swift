import GodwitSettings
import Notation

/// Whether others reach whose board it is, and take what comes from it.
enum PeopleDiagnosis {
  private static let part = "people"

  /// Nil: the board is nobody's.
  static func finding(_ settings: Settings) -> Finding? {
    guard let me = settings.people.address else { return nil }
    guard settings.uplink.carriesMessages else {
      return .ok(
        part,
        "this is the board of \(me); without a broker that carries messages (uplink.mqtt.people) "
          + "letters go by files alone, and groups and meetings not at all")
    }
    guard let user = settings.uplink.mqtt.account, user != me.description else {
      return .ok(part, "this is the board of \(me)")
    }
    return .warn(
      part,
      "this is the board of \(me), and its broker knows it as \"\(TerminalText.line(user))\": one "
        + "that lets nobody write in another's name takes no letter of it; set people.address and "
        + "uplink.mqtt.user to the same")
  }
}
