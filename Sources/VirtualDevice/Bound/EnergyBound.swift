import Records
import Core

/// How well a schedule has to know where the board is.
public struct ErrorLimits: Hashable, Sendable {
  /// Under way, between the truth and the straight line from one fix to the next, at the same
  /// moment.
  public var trajectory: Metres
  /// There is a fix so soon before or after every arrival and every departure.
  public var timing: Seconds
  /// A shorter rest is part of the way.
  public var minStay: Seconds

  public init(trajectory: Metres = 100, timing: Seconds = 60, minStay: Seconds = 300) {
    self.trajectory = trajectory
    self.timing = timing
    self.minStay = minStay
  }
}

/// What a schedule knows of the truth.
enum Foresight: Sendable, CaseIterable {
  /// All of it, in advance, and the receiver's luck too.
  case clairvoyant
  /// At every moment how far the board has moved, without error; nothing of what comes.
  case perfectMotion
}

/// The least energy that any schedule could have used to know one truth within `ErrorLimits`, with
/// this receiver under this sky.
///
/// A schedule is reduced to the moments at which it has a fix. Of all sets of moments that keep the
/// limits, `CheapestFixes` finds the cheapest by dynamic programming. It is a bound, because every
/// step away from the receiver's model makes it cheaper, and none dearer:
///
/// * The grid is the receiver's own: it has fixes at whole multiples of its interval, no others.
/// * The low-power mode that draws less is in use all the time; searching and tracking cost what
///   they draw beyond that (`FixPrices`). Sources cost nothing. Whatever the meter adds is left
///   out.
/// * Every search has the best luck that the model has: 0.7 times the data sheet's start, 1.6 times
///   the usual progress indoors. It is hot, finds the sky of the seconds before the fix, and ends
///   with the answer. A receiver that stays on has a fix in every epoch, also in a tunnel.
/// * Only one cold start is paid: the first search remembers nothing. After the ephemeris' life a
///   start is not hot, unless it was renewed by a warm start or by half a minute of tracking:
///   `EphemerisRenewals` counts what is certain of that.
/// * Limits are not demanded where the sky lets no search end, or the truth is unknown. A rest long
///   enough has a free fix in its middle, at whatever place suits the lines on both sides best; so
///   has the middle of a way, every two hours. Between these the truth is in pieces (`TruthPiece`),
///   each computed alone.
/// * Under way the limit is demanded at epochs only, and not nearer to each other than 4 % of it.
/// * A circle is replaced by the regular polygon of 16 sides around it (at most 2 % farther away).
///
/// The schedule of perfect motion knows no future, but at every moment whether the board moves and
/// how far it has moved, without error, as from an odometer; of the turns it learns from fixes
/// only. After a fix it takes the board to go straight on by what it has moved, or, whichever is
/// right for longer, to be about there still. It is told for nothing when both are off by more than
/// the limit, under way under a sky where a fix is possible, and needs the next fix then at the
/// latest. It does not look for a departure before it happens, and since a red light might become a
/// stay, a rest of `timing` needs a fix for its arrival, and one for its departure. These
/// conditions are added to those of the clairvoyant one. So it is a bound for every schedule that
/// always knows where the board is, within the limit, by its last fix and its motion, and never
/// below the first. A schedule that has to guess how far it is off needs more.
public struct EnergyBound: Hashable, Sendable {
  public let clairvoyant: Joules
  public let perfectMotion: Joules
}

/// Follows a truth of its own, and adds up what its pieces cost at least.
public final class EnergyBoundSearch {
  private let limits: ErrorLimits
  private let prices: FixPrices
  private var reader: TruthPieceReader
  private var fixes: [Foresight: Joules] = [:]
  private var renewals: EphemerisRenewals

  /// - Parameter truth: of its own; nobody else queries it.
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

  /// Takes in the truth until then, so that it need not be kept.
  public func follow(to time: UTCInstant) {
    reader.read(until: time)
    while let piece = reader.next() { take(piece) }
  }

  /// - Parameters:
  ///   - end: of the run that it is compared with.
  ///   - duration: of that run.
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
