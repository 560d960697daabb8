import Notation
import Quantities
import Records

extension VisitDetector {
  /// All that is needed to go on after a restart, also in the middle of a visit.
  static let fields = SnapshotFields<VisitDetector>([
    // The store may know of later visits than the snapshot does.
    .required("next_id", \.nextID, .identifier, merge: { max($0, $1) }),
    .position(\.origin),
    .required("stay", \.stay, .stay),
    .optional("absence", \.absence, .absence),
    .required("previous", \.previous, .moment),
    .optional("reference", \.reference, .moment),
    .defaulted("implied_speed", \.impliedSpeed, .length, .nan),
    .optional("vehicle", \.vehicle, .moment),
    .defaulted("path", \.path, .path, RecentPath()),
    .optional("announced", \.announced, .visit),
    .optional("ended", \.ended, .visit),
  ])

  private var origin: Coordinate {
    get { plane.origin }
    set { plane = .init(origin: newValue) }
  }

  public var snapshot: JSONValue { Self.fields.snapshot(of: self) }

  /// Goes on from a snapshot. One that is damaged leaves a detector that begins afresh.
  public mutating func restore(_ snapshot: JSONValue) {
    self = Self.fields.restored(snapshot, onto: self) ?? self
  }
}

extension SnapshotCoding<StayHypothesis.Moment> {
  static let moment = SnapshotFields<StayHypothesis.Moment>(
    [
      .required("time", \.time, .time), .required("x", \.x, .metres), .required("y", \.y, .metres),
      .defaulted("speed", \.speed, .length, .nan), .required("sigma", \.sigma, .length),
    ], as: .list
  ).coding(onto: .init(time: 0, x: 0, y: 0))
}

extension SnapshotCoding<RecentPath> {
  /// Damaged moments are left out.
  static let path = SnapshotCoding(
    json: { .array($0.moments.map(SnapshotCoding<StayHypothesis.Moment>.moment.json)) },
    value: { json in
      var path = RecentPath()
      for moment in json?.array ?? [] {
        if let moment = SnapshotCoding<StayHypothesis.Moment>.moment.value(moment) {
          path.append(moment)
        }
      }
      return path
    })
}

extension SnapshotCoding<StayHypothesis> {
  /// A stay smeared over more than the Earth is damage, but a coarse location may be off by a
  /// continent. Below what a visit's accuracy may be, because it can grow before the stay ends.
  private static let maxStandardError = 5e7

  static let stay = SnapshotFields<StayHypothesis>([
    .required("x", \.x, .metres), .required("y", \.y, .metres),
    .required("first", \.first, .time), .required("last", \.last, .time),
    .required("core", \.core, .time), .defaulted("core_reach", \.coreReach, .length, .nan),
    .required("weight", \.weight, .number { $0 > 0 && $0 <= 1e20 }),
    .required("squares", \.squares, .number(0...1e20)),
    .required("sightings", \.locations, .count, merge: { max(1, $1) }),
    .required("first_sigma", \.firstSigma, .positiveLength),
    .required("best_sigma", \.bestSigma, .positiveLength),
    .defaulted("last_speed", \.lastSpeed, .length, .nan),
    .required("is_visit", \.isVisit, .flag), .defaulted("rode_off", \.rodeOff, .flag, false),
    .required("arrival", \.arrival, .time), .optional("before", \.before, .moment),
    .required("arrival_earliest", \.arrivalEarliest, .time),
    .optional("vehicle_before", \.vehicleBefore, .moment),
  ]).coding(onto: .init(.init(time: 0, x: 0, y: 0, sigma: 1), before: nil, vehicle: nil)) {
    if $0.coreReach.isNaN { $0.coreReach = $0.firstSigma }
    // A weight of next to nothing, or squares of next to everything, would make it boundless.
    return $0.standardError <= maxStandardError
  }
}

extension SnapshotCoding<Absence> {
  static let absence = SnapshotFields<Absence>([
    .required("elsewhere", \.elsewhere, .stay), .required("first", \.first, .time),
    .required("distance", \.distance, .length), .required("sightings", \.locations, .count),
  ]).coding(
    onto: .init(
      elsewhere: .init(.init(time: 0, x: 0, y: 0, sigma: 1), before: nil, vehicle: nil), first: 0,
      distance: 0))
}

extension SnapshotCoding<Visit> {
  /// All but the destination, which is found again.
  static let visit = SnapshotFields<Visit>([
    .required("id", \.id, .identifier), .required("arrival", \.arrival, .estimate),
    .optional("departure", \.departure, .estimate), .position(\.place),
    .required("accuracy", \.accuracy, .of(.length)),
    .required("confidence", \.confidence, .number(0...1)),
    .required("sightings", \.locations, .count),
  ]).coding(
    onto: .init(
      id: 0, arrival: .init(exactly: .init(nanoseconds: 0)),
      place: .init(latitude: 0, longitude: 0), accuracy: 0, confidence: 0, locations: 0))
}

extension SnapshotCoding<TimeEstimate> {
  static let estimate = SnapshotFields<TimeEstimate>(
    [
      .required("estimate", \.estimate, .instant), .required("earliest", \.earliest, .instant),
      .required("latest", \.latest, .instant),
    ], as: .list
  ).coding(onto: .init(exactly: .init(nanoseconds: 0))) {
    $0.earliest <= $0.estimate && $0.estimate <= $0.latest
  }
}
