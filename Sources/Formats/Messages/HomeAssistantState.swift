import Core

/// The values of a device's sensors, in one message: each extracts its member by a template. A null
/// is shown as unknown, while a missing member would be logged by Home Assistant as an error for
/// every message.
public struct HomeAssistantState: Hashable, Sendable {
  public enum Gnss: String, CaseIterable, Sendable { case off, acquiring, tracking, sleeping }

  /// Home Assistant refuses longer states; in Python's characters: Unicode scalars.
  private static let longestText = 255

  /// 0...100 %.
  public var batteryPercent: Int?
  public var gnss: Gnss?
  /// Of the receiver's supply.
  public var current: Amperes?
  /// Used by the receiver since the store began.
  public var energy: Joules?
  /// When the next fix attempt is due.
  public var nextFix: UTCInstant?
  /// The name of the place of the present visit; nil: no visit, or unknown.
  public var visit: String?

  public init() {}

  public var bytes: [UInt8] {
    var json = JSONWriter(reserving: 160)
    json.object { json in
      for sensor in HomeAssistantSensor.allCases { append(sensor, to: &json) }
    }
    return json.bytes
  }

  private func append(_ sensor: HomeAssistantSensor, to json: inout JSONWriter) {
    let member = sensor.member
    switch sensor {
    case .battery: json.field(member, batteryPercent.flatMap { 0...100 ~= $0 ? $0 : nil })
    case .gnss: json.field(member, gnss?.rawValue)
    case .current: json.field(member, current.map { $0.value * 1000 }, digits: 3)
    case .energy: json.field(member, energy.map { $0.value / 3600 }, digits: 4)
    case .nextFix: json.field(member, nextFix, digits: 0)
    case .visit: json.field(member, visit.flatMap(Self.shown))
    }
  }

  /// Nil: there is nothing to show.
  private static func shown(_ text: String) -> String? {
    guard text.unicodeScalars.count > Self.longestText else { return text.isEmpty ? nil : text }
    var shown = String.UnicodeScalarView()
    shown.append(contentsOf: text.unicodeScalars.prefix(Self.longestText - 1))
    return String(shown) + "…"
  }
}
