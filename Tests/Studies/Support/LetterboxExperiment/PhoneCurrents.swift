import Core
import Tracking
import VirtualDevice

/// What a phone of Landsmann's draws, as far as he gives it, and what may be saved by that.
///
/// His figures by level are in diagrams (3.8, 3.10, 3.11) without numbers in the text. What he says
/// in numbers is the current at the best accuracy all the time, and that of the phone at rest;
/// "every increased step of desired accuracy increases the energy cost" (section 3.4.2), so that
/// FAR and MEDIUM lie between the two, in this order. Where is not known: both are drawn evenly.
public struct PhoneCurrents: Sendable {
  public let name: String
  /// At the best accuracy all the time (section 5.4.1 with Figure 5.3; section 5.4.2 with Figure
  /// 5.5).
  public let best: Amperes
  /// With his architecture (the same).
  public let claimed: Amperes
  /// 8 mAh in 15 minutes (section 3.2, Figure 3.2). Of the iPhone 4; there is none of the other.
  public static let idle = Amperes(milliamperes: 32)
  /// The phone tells whole mAh, of 40 minutes here (section 3.2).
  private static let reading = Coulombs(milliampereHours: 1) / .minutes(40)

  public static let iPhone4 = PhoneCurrents(
    name: "iPhone 4", best: Amperes(milliamperes: 91), claimed: Amperes(milliamperes: 58))
  public static let iPhone5 = PhoneCurrents(
    name: "iPhone 5", best: Amperes(milliamperes: 115), claimed: Amperes(milliamperes: 75))
  public static let all = [iPhone4, iPhone5]

  /// 36 and 35 %.
  public var claimedSaving: Double { 1 - claimed / best }

  /// The share that the run saves, once for each draw of what is not known.
  func savings(of trial: PhoneTrial, draws: Int, seed: UInt64) -> [Double] {
    var random = SeededRandom(seed: seed, stream: 13)
    let (far, medium) = (trial.share(.far), trial.share(.medium))
    return (0..<draws).map { _ in
      let close = best.value + Self.reading.value * .random(in: -1...1, using: &random)
      let levels = [0, 1].map { _ in
        Double.random(in: Self.idle.value...close, using: &random)
      }.sorted()
      return (far * (close - levels[0]) + medium * (close - levels[1])) / close
    }
  }

  /// What FAR and MEDIUM together would have to draw for the current that he measured.
  public func impliedBelowBest(closeShare: Double) -> Amperes {
    (claimed - best * closeShare) / (1 - closeShare)
  }

  /// What could be saved at most if MEDIUM drew as much as the best accuracy, as "100 m" did in the
  /// city with Wi-Fi (section 3.4.1, Figure 3.8).
  public func mostSaved(farShare: Double) -> Double { (best - Self.idle) / best * farShare }
}
