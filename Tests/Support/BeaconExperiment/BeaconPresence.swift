import Quantities
import VirtualDevice

/// Truly hearing one beacon: from the first advertisement to the last that could be received, as
/// far as none was missing for half a minute.
struct BeaconPresence {
  /// Strong enough that nobody would miss it.
  static let strong: DecibelMilliwatts = -80
  /// Who only passes by faster than that need not be told of it.
  private static let leastStrong: Seconds = 5
  private static let silence: Seconds = 31

  let beacon: Int
  let begins: UTCInstant
  private(set) var ends: UTCInstant
  /// When it was strong first and last.
  private(set) var strongFirst: UTCInstant?
  private(set) var strongLast: UTCInstant?

  private init(_ beacon: Int, at time: UTCInstant) {
    self.beacon = beacon
    begins = time
    ends = time
  }

  private var counts: Bool {
    guard let strongFirst, let strongLast else { return false }
    return strongLast - strongFirst >= Self.leastStrong
  }

  private mutating func hear(_ mean: DecibelMilliwatts, at time: UTCInstant) {
    ends = time
    guard mean >= Self.strong else { return }
    strongFirst = strongFirst ?? time
    strongLast = time
  }

  /// Of each beacon, in the order of time, without those that were not strong for some seconds.
  static func all(
    _ world: BeaconWorld, _ truth: any GroundTruth, days: Int
  ) -> [BeaconPresence] {
    var open: [Int: BeaconPresence] = [:]
    var ended: [BeaconPresence] = []
    for second in 0..<Int64(days * 86_400) {
      let time = truth.start + Seconds(Double(second))
      guard let state = truth.state(at: time) else { continue }
      for index in world.beacons.indices
      where world.heard(index, second: second, at: state) != nil {
        var presence = open[index] ?? BeaconPresence(index, at: time)
        if time - presence.ends > Self.silence {
          ended.append(presence)
          presence = BeaconPresence(index, at: time)
        }
        presence.hear(world.mean(index, at: state), at: time)
        open[index] = presence
      }
    }
    return (ended + open.values).filter(\.counts).sorted { $0.begins < $1.begins }
  }
}
