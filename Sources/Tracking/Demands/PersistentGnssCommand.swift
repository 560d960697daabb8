import Core
import Records

/// The user's command for GNSS, valid until the next one, also over restarts.
public struct PersistentGnssCommand: Hashable, Sendable {
  public private(set) var wanted = GnssOverride.auto
  /// When it was given; nil: the date was unknown, or there was no command.
  public private(set) var since: UTCInstant?

  public static let none = PersistentGnssCommand()

  private init() {}

  init(_ wanted: GnssOverride, since: UTCInstant?) {
    self.wanted = wanted
    self.since = wanted == .auto ? nil : since
  }

  /// "switched off by command since 2026-05-04T12:34:56Z"; nil: the policy decides.
  var reason: String? {
    guard wanted != .auto else { return nil }
    let moment = since.map { " since \(ISO8601.text($0, digits: 0))" } ?? ""
    return "switched \(wanted.rawValue) by command\(moment), until godwit gnss auto"
  }

  // MARK: Over a restart

  private static let fields = SnapshotFields<PersistentGnssCommand>([
    .required(
      "gnss", \.wanted,
      SnapshotCoding<String>.text(2...4).mapped(
        to: { GnssOverride(rawValue: $0) }, from: { $0.rawValue })),
    .omittable("since", \.since, .date),
  ])

  /// Nil without a command.
  var snapshot: JSONValue? { self == .none ? nil : Self.fields.snapshot(of: self) }

  /// Nil without a command, or if it cannot be decoded.
  init?(_ snapshot: JSONValue?) {
    guard let order = snapshot.flatMap({ Self.fields.restored($0, onto: .none) }) else {
      return nil
    }
    self = order
  }
}
