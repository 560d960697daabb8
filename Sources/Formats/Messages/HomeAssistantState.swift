import Core

/// What the sensors of a device show, in one message: each takes its member out of it by its
/// template. A null is shown as unknown, where a member that is missing would be a complaint in
/// Home Assistant's log for every message.
public struct HomeAssistantState: Hashable, Sendable {
  public enum Gnss: String, CaseIterable, Sendable { case off, acquiring, tracking, sleeping }

  /// Longer states are refused by Home Assistant, in characters of Python's: Unicode scalars.
  private static let longestText = 255

  /// 0...100 %.
  public var batteryPercent: Int?
  public var gnss: Gnss?
  /// Of the receiver's supply.
  public var current: Amperes?
  /// That the receiver has taken since the store began.
  public var energy: Joules?
  /// When GNSS is searched for next.
  public var nextFix: UTCInstant?
  /// What it is called where the board dwells; nil: it dwells nowhere, or that is not known.
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
