import Core

/// The owner's identity among people who exchange letters, groups and meetings.
public struct PeopleSettings: Hashable, SettingGroup {
  private var given = ""
  /// Whether GNSS may be switched on for the places of letters and meetings.
  public var mayRequestFixes = true

  public init() {}

  /// Nil: no owner is configured, and nothing is exchanged.
  public var address: PersonAddress? { try? PersonAddress(given) }

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "people",
      "Letters that lie at places, groups and meetings (godwit letters, groups, meetings).")
    setting(
      "address", &given, .text(bytes: 0...PersonAddress.longest, check: Self.check),
      "Under which address others know the owner: small letters, digits, - and _. Over a broker of "
        + "the section [uplink.mqtt] it must be the user's name there, or everybody could write in "
        + "anybody's. Empty: nothing is exchanged.")
    setting(
      "look", &mayRequestFixes, .flag,
      "Whether the receiver is switched on because a letter or a meeting is near, the sooner the "
        + "nearer. Otherwise they are noticed where the board is located anyway.")
  }

  private static func check(_ text: String) throws(SettingMismatch) {
    guard !text.isEmpty else { return }
    do throws(MessageError) { _ = try PersonAddress(text) } catch {
      throw SettingMismatch("is no address: \(error.reason)")
    }
  }
}
