import Notation
import Quantities

/// The date as an earlier run left it in the store: another witness for the receiver's.
struct RememberedDate: Hashable, Sendable {
  /// The date of the newest records.
  let time: UTCInstant
  /// Since when receivers have told dates that follow from each other.
  let heldSince: UTCInstant
  /// Whether anything stood behind it. A date that nothing stood behind contradicts nothing: it may
  /// have been the wrong one.
  let isWitnessed: Bool
  /// Which boot of the system that was, and how long after its start.
  let boot: String?
  let sinceBoot: Seconds

  /// A week without power is nothing unusual, and a date that is wrong by less does little harm.
  static let usualStandstill = Seconds.days(30)

  func opinion(on claim: UTCInstant, received: BootInstant, boot: String?) -> DateOpinion {
    let agrees = continues(to: claim, received: received, boot: boot)
    if agrees { return isWitnessed ? .agrees : .silent }
    guard isWitnessed else { return .silent }
    let mayHaveStoodStill =
      !isSame(boot) && claim >= time && claim - time <= DateOpinion.maxStandstill
    return mayHaveStoodStill ? .silent : .contradicts
  }

  /// Whether the claim follows from this date, as far as the time gone by is known.
  func continues(to claim: UTCInstant, received: BootInstant, boot: String?) -> Bool {
    if isSame(boot) {
      let expected = time + ((received - .zero) - sinceBoot)
      return (claim - expected).magnitude <= DateOpinion.tolerance
    }
    return Self.isNear(claim, after: time)
  }

  /// Whether the claim may follow after a standstill of unknown length.
  static func isNear(_ claim: UTCInstant, after time: UTCInstant) -> Bool {
    claim >= time - DateOpinion.tolerance && claim <= time + usualStandstill
  }

  private func isSame(_ boot: String?) -> Bool { boot != nil && boot == self.boot }
}

extension RememberedDate {
  var snapshot: JSONValue {
    .object([
      ("time", .string(ISO8601.text(time))), ("held_since", .string(ISO8601.text(heldSince))),
      ("witnessed", .bool(isWitnessed)), ("boot", boot.map { .string($0) } ?? .null),
      ("since_boot_s", .number(sinceBoot.value)),
    ])
  }

  /// Nil for anything that this program would not have written.
  init?(_ json: JSONValue?) {
    guard let json, let newest = Self.time(json["time"]),
      let heldSince = Self.time(json["held_since"]), let isWitnessed = json["witnessed"]?.bool,
      let sinceBoot = json["since_boot_s"]?.number
    else { return nil }
    self.init(
      time: newest, heldSince: min(heldSince, newest), isWitnessed: isWitnessed,
      boot: json["boot"]?.string, sinceBoot: Seconds(sinceBoot))
  }

  /// Nil for what no receiver could have told.
  static func time(_ json: JSONValue?) -> UTCInstant? {
    guard let time = json?.string.flatMap({ ISO8601.parse($0) }), time >= FixGate.firstTime
    else { return nil }
    return time
  }
}
