import Notation
import Quantities
import Records

extension SnapshotCoding<Sighting> {
  static let sighting = SnapshotFields<Sighting>([
    .required("time", \.time, .instant), .position(\.place),
    .required("accuracy_m", \.accuracy, .of(.length)),
    .optional("speed_m_s", \.speed, .of(.length)),
    .optional("track_deg", \.track, .of(.number { (0..<360).contains($0) })),
    .optional("altitude_m", \.altitude, .of(.metres)),
  ]).coding(
    onto: .init(
      time: .init(nanoseconds: 0), place: .init(latitude: 0, longitude: 0), accuracy: 0))
}

extension Sighting {
  var snapshot: JSONValue { SnapshotCoding<Sighting>.sighting.json(self) }

  /// A fix of an earlier run; nil when it is damaged.
  init?(_ json: JSONValue?) {
    guard let sighting = SnapshotCoding<Sighting>.sighting.value(json) else { return nil }
    self = sighting
  }
}
