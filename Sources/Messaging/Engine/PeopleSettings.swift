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
      "Letters at places, groups and meetings (godwit letters, groups, meetings).")
    setting(
      "address", &given, .text(bytes: 0...PersonAddress.longest, check: Self.check),
      "Address of the owner for others: lower-case letters, digits, - and _. With a broker of the "
        + "section [uplink.mqtt] it must be the name of the user there; otherwise anyone could "
        + "write in the name of another. Empty: exchange nothing.")
    setting(
      "look", &mayRequestFixes, .flag,
      "Switch the receiver on when a letter or a meeting is near, the earlier the nearer it is. "
        + "Otherwise they are noticed only at fixes for other reasons.")
  }

  private static func check(_ text: String) throws(SettingMismatch) {
    guard !text.isEmpty else { return }
    do throws(MessageError) { _ = try PersonAddress(text) } catch {
      throw SettingMismatch("is not an address: \(error.reason)")
    }
  }
}
