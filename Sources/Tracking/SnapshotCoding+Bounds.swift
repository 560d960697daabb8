import Core
import Records

// What the tracker believes of a snapshot. Values that no receiver could have told are damage, and
// what is computed from them would leave the range of whole numbers.

extension SnapshotCoding<Double> {
  /// A place on the plane, in metres: farther than around the Earth is damage.
  static let metres = number(-1e8...1e8)
  /// What cannot be negative: a length or a speed.
  static let length = number(0...1e8)
  /// The standard error of something that was measured.
  static let positiveLength = number { $0 > 0 && $0 <= 1e8 }
}

extension SnapshotCoding<Int> {
  /// A number of things.
  static let count = count(0...Int(RecordIdentifier.highest))
}

extension SnapshotCoding<Int64> {
  static let identifier = SnapshotCoding<Int>.count.mapped(to: { Int64($0) }, from: { Int($0) })

  /// The year 2200: no recording is from later.
  private static let lastTime: Int64 = 7_258_118_400_000_000_000

  /// Nanoseconds of UTC.
  static let time = nanoseconds(FixGate.firstTime.nanoseconds...lastTime)
  /// How long something has lasted, nanoseconds.
  static let duration = nanoseconds(0...lastTime)

  /// As text: they do not fit into a JSON number.
  private static func nanoseconds(_ bounds: ClosedRange<Int64>) -> SnapshotCoding {
    SnapshotCoding(
      json: { .string(String($0)) },
      value: { json in
        guard let value = json?.string.flatMap({ Int64($0) }), bounds.contains(value)
        else { return nil }
        return value
      })
  }
}

extension SnapshotCoding<UTCInstant> {
  static let instant = SnapshotCoding<Int64>.time.mapped(
    to: { UTCInstant(nanoseconds: $0) }, from: { $0.nanoseconds })

  /// A date that a receiver could have told.
  static let receiverDate = date.mapped(
    to: { $0 >= FixGate.firstTime ? $0 : nil }, from: { $0 })
}

extension SnapshotCoding<Location> {
  static let location = SnapshotFields<Location>([
    .required("time", \.time, .instant), .position(\.position),
    .required("accuracy_m", \.accuracy, .of(.length)),
    .optional("speed_m_s", \.speed, .of(.length)),
    .optional("track_deg", \.track, .of(.number { (0..<360).contains($0) })),
    .optional("altitude_m", \.altitude, .of(.metres)),
  ]).coding(
    onto: .init(
      time: .init(nanoseconds: 0), position: .init(latitude: 0, longitude: 0), accuracy: 0))
}
