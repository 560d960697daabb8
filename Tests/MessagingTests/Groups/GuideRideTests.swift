import Core
import TestSupport
import Testing

@testable import Messaging

/// A group in one vehicle, which abruptly stops and sets off.
@Suite struct GuideRideTests {
  private typealias Bench = GroupBench

  /// Its position at each second, in metres along the way.
  private struct Ride {
    let metres: [Double]

    init(metres: [Double]) { self.metres = metres }

    /// - Parameter top: the speed, in m/s, between two stops.
    init(top: Double, seconds: Int, _ chance: inout SplitMix) {
      var metres: [Double] = [0]
      var speed = 0.0
      var left = 60
      for _ in 0..<seconds {
        if left == 0 {
          speed = speed == 0 ? .random(in: top / 2...top, using: &chance) : 0
          left = .random(in: 20...200, using: &chance)
        }
        left -= 1
        metres.append((metres.last ?? 0) + speed)
      }
      self.metres = metres
    }
  }

  /// Both boards report their positions about every two minutes, each at its own fix.
  private func alerts(of ride: Ride, _ chance: inout SplitMix, lost: Double? = nil)
    -> [GroupNotification]
  {
    var bench = Bench(Bench.group(range: 200), [Bench.mia])
    var due: [PersonAddress: Double] = [Bench.guide: 5, Bench.mia: 8]
    for second in ride.metres.indices.dropFirst(5) {
      bench.now = Double(second)
      for person in [Bench.guide, Bench.mia] where due[person] ?? 0 <= bench.now {
        due[person] = bench.now + .random(in: 60...180, using: &chance)
        let isLost = person == Bench.mia && lost.map { bench.now >= $0 } ?? false
        let place = isLost ? lost.map { ride.metres[Int($0)] } ?? 0 : ride.metres[second]
        bench.tell(person, Metres(place + .random(in: -5...5, using: &chance)))
      }
      bench.step(.timePassed)
    }
    return bench.alerts
  }

  @Test(
    "a passenger beside the guide never falls behind, however the vehicle stops and sets off",
    arguments: 1...20 as ClosedRange<UInt64>)
  func together(seed: UInt64) {
    var chance = SplitMix(seed: seed)
    for top in [3.0, 14, 30] {
      let ride = Ride(top: top, seconds: 7200, &chance)
      let alerts = alerts(of: ride, &chance)
      #expect(alerts.isEmpty, "\(top) m/s: \(alerts)")
    }
  }

  @Test(
    "a member left behind at a stop is still reported, and soon",
    arguments: 1...20 as ClosedRange<UInt64>)
  func leftBehind(seed: UInt64) {
    var chance = SplitMix(seed: seed)
    for top in [3.0, 14, 30] {
      var ride = Ride(top: top, seconds: 3600, &chance)
      // It then continues steadily at half its speed.
      let stop = ride.metres[3600]
      ride = Ride(metres: ride.metres + (1...900).map { stop + Double($0) * top / 2 })
      let alerts = alerts(of: ride, &chance, lost: 3600)
      #expect(alerts.count == 1, "\(top) m/s: \(alerts)")
    }
  }
}
