/// The board's actual movements compared with its receiver's on-times: at rest it is off except for
/// the bracket of an arrival and the policy's verification fixes, and it is on soon after a
/// departure.
struct MotionDay {
  /// Shorter halts belong to a journey.
  private static let halt = 180.0
  /// After an arrival: its bracket, a search indoors, and the visit, which is reported after 1.2
  /// times the shortest stay.
  private static let arrival = 420.0
  /// Shorter movements may go unnoticed.
  private static let journey = 120.0

  let journeys: [ClosedRange<Double>]
  private let end: Double

  init(_ receiver: ReceiverRecord, until end: Double) {
    var journeys: [ClosedRange<Double>] = []
    var since: Double?
    for entry in receiver.entries("moving") {
      if entry.value == "1" { since = entry.time }
      guard entry.value == "0", let start = since else { continue }
      since = nil
      if let last = journeys.last, start - last.upperBound < Self.halt {
        journeys[journeys.count - 1] = last.lowerBound...entry.time
      } else {
        journeys.append(start...entry.time)
      }
    }
    self.end = end
    self.journeys = journeys.filter { $0.length >= Self.journey && $0.upperBound <= end }
  }

  /// The time from each journey to the next; not before the first, which validates the sensor.
  var stays: [ClosedRange<Double>] {
    zip(journeys, journeys.dropFirst().map(\.lowerBound) + [end]).compactMap { journey, next in
      let begin = journey.upperBound + Self.arrival
      return begin < next ? begin...next : nil
    }
  }

  /// - Parameters:
  /// - line: when the receiver had its supply.
  /// - proving: number of journeys after which the sensor counts as reliable.
  func figures(_ line: [ClosedRange<Double>], proving: Int) -> [Figure] {
    let looks = stays.map { stay in line.filter { $0.overlaps(stay) } }
    let checks = zip(looks, stays).flatMap { looks, stay in looks.map { $0.clamped(to: stay) } }
    let resting = stays.map(\.length).reduce(0, +)
    let delays = journeys.dropFirst(proving).map { journey in
      line.first { $0.upperBound > journey.lowerBound }
        .map { max(0, $0.lowerBound - journey.lowerBound) } ?? .infinity
    }
    return [
      Figure("journeys", Double(journeys.count), atLeast: 2),
      Figure("rest after them", resting, "s", atLeast: 3600),
      Figure("looks in an hour of it", Double(checks.count) / resting * 3600, atMost: 3),
      Figure("on-time in it", checks.map(\.length).reduce(0, +) / resting * 100, "%", atMost: 1),
      Figure("the longest look in it", checks.map(\.length).max() ?? 0, "s", atMost: 60),
      Figure(
        "worst delay of the receiver after a departure", delays.max() ?? .infinity, "s",
        atMost: 90, isHeadline: true),
    ]
  }
}
