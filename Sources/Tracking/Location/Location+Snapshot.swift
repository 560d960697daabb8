import Notation
import Quantities
import Records

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

extension Location {
  var snapshot: JSONValue { SnapshotCoding<Location>.location.json(self) }

  /// A fix of an earlier run; nil when it is damaged.
  init?(_ json: JSONValue?) {
    guard let location = SnapshotCoding<Location>.location.value(json) else { return nil }
    self = location
  }
}
