import Core

/// The date that an earlier run left in the store: another corroborating source for the receiver's.
struct RememberedDate: Hashable, Sendable {
  /// The date of the newest records.
  private(set) var time: UTCInstant
  /// Since when receivers have reported consistent dates.
  private(set) var heldSince: UTCInstant
  /// Whether another source confirmed it. An unconfirmed date contradicts nothing: it may have been
  /// wrong itself.
  private(set) var isConfirmed: Bool
  /// The boot id of the system at that time, and the time since that boot.
  private(set) var boot: String?
  private(set) var sinceBoot: Seconds

  /// A week without power is normal, and a date that is wrong by less does little harm.
  static let usualStandstill = Seconds.days(30)

  func compare(on claim: UTCInstant, received: BootInstant, boot: String?) -> DateAgreement {
    let agrees = continues(to: claim, received: received, boot: boot)
    if agrees { return isConfirmed ? .agrees : .silent }
    guard isConfirmed else { return .silent }
    let mayHaveStoodStill =
      !isSame(boot) && claim >= time && claim - time <= DateAgreement.maxStandstill
    return mayHaveStoodStill ? .silent : .contradicts
  }

  /// Whether the claim follows from this date, as far as the elapsed time is known.
  func continues(to claim: UTCInstant, received: BootInstant, boot: String?) -> Bool {
    if isSame(boot) {
      let expected = time + ((received - .zero) - sinceBoot)
      return (claim - expected).magnitude <= DateAgreement.tolerance
    }
    return Self.isNear(claim, after: time)
  }

  /// Whether the claim may follow after a power-off time of unknown length.
  static func isNear(_ claim: UTCInstant, after time: UTCInstant) -> Bool {
    claim >= time - DateAgreement.tolerance && claim <= time + usualStandstill
  }

  private func isSame(_ boot: String?) -> Bool { boot != nil && boot == self.boot }
}

extension RememberedDate {
  static let coding = SnapshotFields<RememberedDate>([
    .required("time", \.time, .receiverDate), .required("held_since", \.heldSince, .receiverDate),
    .required("witnessed", \.isConfirmed, .flag), .optional("boot", \.boot, .text(0...1000)),
    .required("since_boot_s", \.sinceBoot, .of(.number { $0.isFinite })),
  ]).coding(
    onto: .init(
      time: FixGate.firstTime, heldSince: FixGate.firstTime, isConfirmed: false, boot: nil,
      sinceBoot: 0)
  ) { date in
    date.heldSince = min(date.heldSince, date.time)
    return true
  }
}

/// A sequence of consistent receiver dates that were rejected.
struct RefusedDate: Hashable, Sendable {
  var first: UTCInstant
  private(set) var newest: UTCInstant
  /// Nil: in an earlier run.
  let received: BootInstant?

  /// - Parameter maxStep: the largest deviation of the receiver's elapsed time from the board's.
  func continues(to claim: UTCInstant, received: BootInstant, maxStep: Seconds) -> Bool {
    guard let before = self.received else {
      return RememberedDate.isNear(claim, after: newest)
    }
    return (claim - (newest + (received - before))).magnitude <= maxStep
  }

  static let coding = SnapshotFields<RefusedDate>(
    [.required("first", \.first, .receiverDate), .required("newest", \.newest, .receiverDate)],
    as: .list
  ).coding(onto: .init(first: FixGate.firstTime, newest: FixGate.firstTime, received: nil)) {
    $0.first <= $0.newest
  }
}
