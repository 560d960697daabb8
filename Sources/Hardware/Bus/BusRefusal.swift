import CSystemd
import Core

/// Why a call had no result.
public struct BusRefusal: Error, Equatable, Sendable {
  /// "org.freedesktop.DBus.Error.AccessDenied".
  public let name: String
  /// One line for people.
  public let text: String

  init(name: String, text: String) {
    self.name = name
    self.text = text
  }

  init(_ error: sd_bus_error) {
    name = error.name.map { String(cString: $0) } ?? ""
    let said = error.message.map { String(cString: $0) } ?? ""
    text = TerminalText.line(String((said.isEmpty ? name : said).prefix(200)))
  }

  static let unanswered = BusRefusal(
    name: "org.freedesktop.DBus.Error.NoReply",
    text: "no answer within \(Int(BusConnection.answerLimit.value)) s")

  static func unsent(_ code: Int32) -> BusRefusal {
    BusRefusal(
      name: "org.freedesktop.DBus.Error.Failed", text: "not sent (error \(-code))")
  }

  /// The user lacks the permission, according to the bus, the service or polkit. The names are
  /// those of the specification, of NetworkManager and of ModemManager.
  public var isDenial: Bool {
    [
      "AccessDenied", "AuthFailed", "InteractiveAuthorizationRequired", "PermissionDenied",
      "Unauthorized", "NotAuthorized",
    ].contains(lastWord)
  }

  /// The service is not there, or no longer.
  public var isAbsence: Bool {
    ["ServiceUnknown", "NameHasNoOwner", "Disconnected", "Spawn"].contains(lastWord)
      || name.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
  }

  /// The service has no such object, method or property.
  public var isUnknown: Bool { lastWord.hasPrefix("Unknown") && !isAbsence }

  /// Not possible at this moment, perhaps later.
  var isForTheMoment: Bool { ["NotAllowed", "WrongState", "Retry"].contains(lastWord) }

  private var lastWord: Substring { name.split(separator: ".").last ?? "" }
}
