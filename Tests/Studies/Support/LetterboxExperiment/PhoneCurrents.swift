import Core
import Tracking
import VirtualDevice

/// The current of one of Landsmann's phones, as far as he states it, and the saving that it allows.
///
/// His figures by level are in diagrams (3.8, 3.10, 3.11) without numbers in the text. The numbers
/// that he states are the current at the best accuracy all the time, and that of the phone at rest;
/// "every increased step of desired accuracy increases the energy cost" (section 3.4.2), so that
/// FAR and MEDIUM lie between the two, in this order. Where is unknown: both are drawn uniformly.
public struct PhoneCurrents: Sendable {
  public let name: String
  /// At the best accuracy all the time (section 5.4.1 with Figure 5.3; section 5.4.2 with Figure
  /// 5.5).
  public let best: Amperes
  /// With his architecture (same sections).
  public let claimed: Amperes
  /// 8 mAh in 15 minutes (section 3.2, Figure 3.2), for the iPhone 4; he states none for the other.
  public static let idle = Amperes(milliamperes: 32)
  /// The phone reports whole mAh, here over 40 minutes (section 3.2).
  private static let reading = Coulombs(milliampereHours: 1) / .minutes(40)

  public static let iPhone4 = PhoneCurrents(
    name: "iPhone 4", best: Amperes(milliamperes: 91), claimed: Amperes(milliamperes: 58))
  public static let iPhone5 = PhoneCurrents(
    name: "iPhone 5", best: Amperes(milliamperes: 115), claimed: Amperes(milliamperes: 75))
  public static let all = [iPhone4, iPhone5]

  /// 36 and 35 %.
  public var claimedSaving: Double { 1 - claimed / best }

  /// The share that the run saves, once for each draw of the unknown currents.
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

  /// The mean current of FAR and MEDIUM that the current he measured implies.
  public func impliedBelowBest(closeShare: Double) -> Amperes {
    (claimed - best * closeShare) / (1 - closeShare)
  }

  /// The largest possible saving if MEDIUM drew as much as the best accuracy, as "100 m" did in the
  /// city with Wi-Fi (section 3.4.1, Figure 3.8).
  public func mostSaved(farShare: Double) -> Double { (best - Self.idle) / best * farShare }
}
