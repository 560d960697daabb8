import Core
import VirtualDevice

/// True presence at one beacon: as long as its mean strength is one that no receiver would miss.
///
/// The mean decides, not single advertisements: of a beacon out of range the strongest are still
/// received, from two rooms away for as long as the board is there. Where the mean is weaker but
/// within a radio's range, the board is neither here nor gone.
struct BeaconPresence {
  private static let strong: DecibelMilliwatts = -80
  /// A presence shorter than this need not be reported.
  private static let least: Seconds = 5
  /// An absence no longer than this is not a departure.
  private static let silence: Seconds = 31

  let beacon: Int
  /// The first advertisement that could be received.
  let begins: UTCInstant
  private(set) var ends: UTCInstant
  /// Until when the beacon was in range after that.
  private(set) var reachedUntil: UTCInstant
  /// When it could last be received before half a minute of silence.
  private(set) var receivedUntil: UTCInstant

  private init(_ beacon: Int, at time: UTCInstant) {
    self.beacon = beacon
    begins = time
    ends = time
    reachedUntil = time
    receivedUntil = time
  }

  private mutating func pass(
    _ mean: DecibelMilliwatts, isReceived: Bool, at time: UTCInstant
  ) {
    if mean >= Self.strong, time - ends <= Self.silence { ends = time }
    let isInReach = mean >= BeaconWorld.sensitivity
    if isInReach, time - reachedUntil <= Self.silence { reachedUntil = time }
    if isReceived, time - receivedUntil <= Self.silence { receivedUntil = time }
  }

  /// All presences at each beacon, in order of time, without those of a few seconds.
  static func all(
    _ world: BeaconWorld, _ truth: any GroundTruth, days: Int
  ) -> [BeaconPresence] {
    var open: [Int: BeaconPresence] = [:]
    var ended: [BeaconPresence] = []
    for second in 0..<Int64(days * 86_400) {
      let time = truth.start + Seconds(Double(second))
      guard let state = truth.state(at: time) else { continue }
      for index in world.beacons.indices {
        let mean = world.mean(index, at: state)
        let isReceived = world.receivedStrength(index, second: second, at: state) != nil
        let isOver = open[index].map { time - $0.ends > silence } ?? true
        if mean >= strong, isReceived, isOver {
          if let past = open[index] { ended.append(past) }
          open[index] = BeaconPresence(index, at: time)
        }
        open[index]?.pass(mean, isReceived: isReceived, at: time)
      }
    }
    return (ended + open.values).filter { $0.ends - $0.begins >= least }
      .sorted { $0.begins < $1.begins }
  }

  /// Whether a beacon has been in range within the last seconds.
  static func isInReach(
    _ beacon: Int, of world: BeaconWorld, _ truth: any GroundTruth, at time: UTCInstant
  ) -> Bool {
    (0...5).contains { ago in
      truth.state(at: time - Seconds(Double(ago)))
        .map { world.mean(beacon, at: $0) >= BeaconWorld.sensitivity } ?? false
    }
  }
}
