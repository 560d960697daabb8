import Records
import Core

/// The required accuracy of a schedule.
public struct ErrorLimits: Hashable, Sendable {
  /// While moving: the distance of the truth from the straight line between two fixes, at the same
  /// moment.
  var trajectory: Metres
  /// The maximum time between a fix and every arrival and departure.
  var timing: Seconds
  /// A shorter rest counts as part of the movement.
  var minStay: Seconds

  public init(trajectory: Metres = 100, timing: Seconds = 60, minStay: Seconds = 300) {
    self.trajectory = trajectory
    self.timing = timing
    self.minStay = minStay
  }
}

/// The knowledge of the truth that a schedule has.
enum Foresight: Sendable, CaseIterable {
  /// All of it, in advance, including the random outcomes of searches.
  case clairvoyant
  /// At every moment the distance moved, without error; nothing of the future.
  case perfectMotion
}

/// The minimum energy that any schedule needs to know one truth within `ErrorLimits`, with this
/// receiver and this reception.
///
/// A schedule is reduced to the moments of its fixes. Of all sets of moments that keep the limits,
/// `CheapestFixes` finds the cheapest by dynamic programming. It is a lower bound, because every
/// deviation from the receiver's model makes it cheaper:
///
/// * The grid is the receiver's own: fixes are at whole multiples of its interval.
/// * The low-power mode with the lowest power is always in use; searching and tracking cost what
///   they draw beyond that (`FixPrices`). Sources cost nothing. Measurement errors are left out.
/// * Every search has the most favourable outcome of the model: 0.7 times the data sheet's start,
///   1.6 times the usual progress indoors. It is hot, has the reception of the seconds before the
///   fix, and ends with the answer. A receiver that stays on has a fix in every epoch, also in a
///   tunnel.
/// * Only one cold start is charged: the first search has no navigation data. After the ephemeris'
///   life a start is not hot, unless it was renewed by a warm start or by half a minute of
///   tracking: `EphemerisRenewals` counts the renewals that are certain.
/// * Limits are not demanded where reception lets no search end, or the truth is unknown. A long
///   enough rest has a free fix in its middle, at whatever place suits the lines on both sides
///   best; so has the middle of a movement, every two hours. Between these the truth is divided
///   into pieces (`TruthPiece`), each computed alone.
/// * While moving the limit is demanded at epochs only, and not nearer to each other than 4 % of
///   it.
/// * A circle is replaced by the circumscribed regular polygon of 16 sides (at most 2 % farther
///   away).
///
/// The schedule of perfect motion does not know the future, but knows at every moment whether the
/// board moves and how far it has moved, without error, as from an odometer; it learns about turns
/// from fixes only. After a fix it assumes that the board goes straight on by the distance moved,
/// or that it is still about there, whichever is right for longer. It is notified at no cost when
/// both are off by more than the limit, while moving with reception for a fix, and needs the next
/// fix then at the latest. It does not make a fix attempt for a departure in advance, and since a
/// red light might become a stay, a rest of `timing` needs a fix for its arrival, and one for its
/// departure. These conditions are added to those of the clairvoyant schedule. So it is a lower
/// bound for every schedule that always knows the position within the limit from its last fix and
/// its motion, and is never below the first. A schedule that has to estimate its error needs more.
public struct EnergyBound: Hashable, Sendable {
  public let clairvoyant: Joules
  public let perfectMotion: Joules
}

/// Reads its own copy of a truth, and adds up the minimum costs of its pieces.
public final class EnergyBoundSearch {
  private let limits: ErrorLimits
  private let prices: FixPrices
  private var reader: TruthPieceReader
  private var fixes: [Foresight: Joules] = [:]
  private var renewals: EphemerisRenewals

  /// - Parameter truth: for its exclusive use.
  init(
    _ truth: any GroundTruth, limits: ErrorLimits, receiver: VirtualReceiverSettings,
    walls: Penetration
  ) {
    self.limits = limits
    prices = FixPrices(receiver)
    reader = TruthPieceReader(
      truth, limits: limits, interval: receiver.interval,
      walls: walls)
    renewals = EphemerisRenewals(prices)
  }

  /// Processes the truth until then, so that it need not be stored.
  public func follow(to time: UTCInstant) {
    reader.read(until: time)
    while let piece = reader.next() { take(piece) }
  }

  /// - Parameters:
  ///   - end: the end of the run that it is compared with.
  ///   - duration: the duration of that run.
  public func bound(at end: UTCInstant, after duration: Seconds) -> EnergyBound {
    reader.read(until: end)
    reader.finish()
    while let piece = reader.next() { take(piece) }
    let always = prices.resting * duration + renewals.energy
    return EnergyBound(
      clairvoyant: always + (fixes[.clairvoyant] ?? 0),
      perfectMotion: always + (fixes[.perfectMotion] ?? 0))
  }

  private func take(_ piece: TruthPiece) {
    for foresight in Foresight.allCases {
      let cheapest = CheapestFixes(
        piece, prices: prices, limit: limits.trajectory, foresight: foresight)
      fixes[foresight, default: 0] += cheapest.energy
    }
    for window in piece.windows(.clairvoyant) {
      renewals.need(
        from: piece.moment(window.lowerBound), through: piece.moment(window.upperBound))
    }
  }
}
