import Core
import Records

// What the tracker accepts from a snapshot. Values that no receiver could have reported are damage,
// and computations with them would exceed the range of integers.

extension SnapshotCoding<Double> {
  /// A coordinate on the plane, in metres: more than the Earth's circumference is damage.
  static let metres = number(-1e8...1e8)
  /// What cannot be negative: a length or a speed.
  static let length = number(0...1e8)
  /// The standard error of something that was measured.
  static let positiveLength = number { $0 > 0 && $0 <= 1e8 }
}

extension SnapshotCoding<Int> {
  /// A number of items.
  static let count = count(0...Int(RecordIdentifier.highest))
}

extension SnapshotCoding<Int64> {
  static let identifier = SnapshotCoding<Int>.count.mapped(to: { Int64($0) }, from: { Int($0) })

  /// The year 2200: no recording is from later.
  private static let lastTime: Int64 = 7_258_118_400_000_000_000

  /// Nanoseconds of UTC.
  static let time = nanoseconds(FixGate.firstTime.nanoseconds...lastTime)
  /// A duration in nanoseconds.
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

  /// A date that a receiver could have reported.
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
