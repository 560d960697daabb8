import Core
import GNSS
import Records
import Testing

@testable import Tracking

/// The state of an earlier run, restored late or after a power cut.
@Suite struct RecallTests {
  private static let date = UTCInstant(seconds: 1_780_000_000)
  private static let home = Coordinate(latitude: 52, longitude: 5)

  /// A tracker that never rests, and its clock.
  private struct Run {
    var tracker: Tracker
    var now = BootInstant.zero
    var stored: [Record] = []

    init(lastID: Int64 = 0) {
      tracker = Tracker(
        settings: TrackerSettings(policy: .continuous), lastSessionID: lastID, lastVisitID: lastID,
        lastDestinationID: lastID)
      perform(
        tracker.step(
          .started(clock: SystemDate(date: date, read: .zero, isSynchronized: true)), at: now))
    }

    mutating func perform(_ effects: [Effect]) {
      for case .store(let record) in effects { stored.append(record) }
    }

    /// This many fixes, one a second, each this many metres east of the one before.
    mutating func see(_ count: Int, from metres: Double = 0, step: Double = 0) {
      for index in 0..<count {
        now = now + 1
        var fix = Fix(received: now)
        fix.time = RecallTests.date + (now - .zero)
        fix.mode = .threeD
        let east = (metres + Double(index) * step) / 111_195 / 0.6157
        fix.position = Coordinate(latitude: 52, longitude: Degrees(5 + east))
        fix.horizontalError = 4
        fix.speed = MetresPerSecond(step)
        perform(tracker.step(.fix(fix), at: now))
      }
    }

    var visits: [Visit] {
      stored.compactMap { if case .visit(let visit) = $0 { visit } else { nil } }
    }
    var points: [TrackPoint] {
      stored.compactMap { if case .trackPoint(let point) = $0 { point } else { nil } }
    }
  }

  @Test("after a power cut the line extends to the last location before the commit")
  func lineEnd() {
    var run = Run()
    run.see(300, step: 5)
    #expect(run.points.count < 5, "a straight line needs few points")
    let state = run.tracker.snapshot(at: run.now).text
    var next = Run()
    next.perform(next.tracker.restore(state, at: .zero))
    let end = next.points.last?.location.time
    #expect(end == Self.date + 300)
    #expect(next.points.last?.session == 1)
    // Only once: the next state no longer contains it.
    let later = next.tracker.snapshot(at: next.now).text
    var third = Run()
    third.perform(third.tracker.restore(later, at: .zero))
    #expect(third.points.isEmpty)
  }

  @Test("a damaged end of the line is left out")
  func damagedLineEnd() throws {
    var run = Run()
    run.see(300, step: 5)
    let text = run.tracker.snapshot(at: run.now).text
    for (good, bad) in [
      ("\"line_end\":{", "\"line_end\":[{"), ("\"accuracy_m\":4", "\"accuracy_m\":-4"),
      ("\"line_end\":{\"time\":\"1", "\"line_end\":{\"time\":\"99"),
    ] {
      let damaged = text.replacingOccurrences(good, with: bad)
      try #require(damaged != text, "\(good) is not in \(text)")
      var next = Run()
      next.perform(next.tracker.restore(damaged, at: .zero))
      #expect(next.points.isEmpty)
    }
  }

  @Test("a visit continues when its store becomes available late")
  func lateStore() {
    var run = Run()
    run.see(1200)
    let open = run.visits.last
    #expect(open != nil && open?.departure == nil)
    let state = run.tracker.snapshot(at: run.now).text
    // It uses its own ids, as when the store could not be read.
    var blind = Run(lastID: 1 << 40)
    blind.now = run.now + 60
    blind.see(20)
    blind.perform(blind.tracker.step(.recalled(state: state, destinations: []), at: blind.now))
    blind.see(600)
    blind.see(600, step: 10)
    let ended = blind.visits.filter { $0.departure != nil }
    #expect(Set(blind.visits.map(\.id)) == [open!.id], "the same visit, and no other")
    #expect(ended.count >= 1)
    #expect(ended.last?.arrival.estimate == open?.arrival.estimate)
  }

  @Test("a visit ends when another was found before the store could be read")
  func anotherVisitMeanwhile() {
    var run = Run()
    run.see(1200)
    let open = run.visits.last!
    let state = run.tracker.snapshot(at: run.now).text
    var blind = Run(lastID: 1 << 40)
    blind.now = run.now + 3600
    blind.see(1200, from: 5000)
    let own = blind.visits.last!
    #expect(own.id > 1 << 40)
    blind.perform(blind.tracker.step(.recalled(state: state, destinations: []), at: blind.now))
    let ended = blind.visits.last { $0.id == open.id }
    #expect(ended?.departure != nil && ended!.departure!.estimate <= Self.date + 1201)
    #expect(blind.tracker.openVisit?.id == own.id, "its own goes on")
  }

  @Test("known destinations are restored with their ids")
  func destinations() {
    let known = Destination(
      id: 7, position: Self.home, radius: 20, visits: 3, totalDwell: 9000)
    var blind = Run(lastID: 1 << 40)
    blind.perform(blind.tracker.step(.recalled(state: nil, destinations: [known]), at: .zero))
    blind.see(1200)
    #expect(blind.visits.last?.destination == 7)
  }
}

extension String {
  fileprivate func replacingOccurrences(_ old: String, with new: String) -> String {
    guard let range = self.range(of: old) else { return self }
    return replacingCharacters(in: range, with: new)
  }
}
