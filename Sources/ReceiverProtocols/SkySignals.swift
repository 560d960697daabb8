import Quantities

/// How well a receiver hears the satellites, in one epoch: what tells, long before a fix, whether
/// one will come.
public struct SkySignals: Hashable, Sendable {
  /// Satellites whose signal is measured.
  public var tracked: Int
  /// The carrier-to-noise density of the strongest signal; zero: there is none.
  public var strongest: DecibelHertz
  /// That of the fourth strongest: a position takes four satellites. Zero: there are fewer.
  public var fourth: DecibelHertz

  public init(tracked: Int, strongest: DecibelHertz, fourth: DecibelHertz) {
    self.tracked = tracked
    self.strongest = strongest
    self.fourth = fourth
  }
}
