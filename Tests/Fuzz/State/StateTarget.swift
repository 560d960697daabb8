import FuzzInput
import FuzzVisits
import Core
import GNSS
import Tracking

/// The text left in the store by an earlier run; the tracker resumes from any of it.
public final class StateTarget: FuzzTarget {
  private static let date = UTCInstant(seconds: 1_770_000_000)
  private let fresh: Tracker

  public init() {
    var tracker = Tracker(settings: TrackerSettings(policy: .continuous))
    _ = tracker.step(
      .started(clock: SystemDate(date: Self.date, read: .zero, isSynchronized: false)), at: .zero)
    fresh = tracker
  }

  public func run(_ input: UnsafeBufferPointer<UInt8>) throws(Violation) {
    var tracker = fresh
    for effect in tracker.restore(String(decoding: input, as: UTF8.self), at: .zero) {
      // Nothing was restored, so the remaining steps are always the same.
      if case .log(let logEvent) = effect, logEvent.kind == "state-ignored" { return }
      if case .store(.visit(let visit)) = effect { try visit.requireSound() }
    }
    var now = BootInstant.zero
    for step in 0..<12 {
      now = now + Seconds(step < 6 ? 1 : 400)
      for case .store(.visit(let visit)) in tracker.step(.fix(Self.fix(step, now)), at: now) {
        try visit.requireSound()
      }
    }
    try requireKept(tracker, at: now)
    for case .store(.visit(let visit)) in tracker.step(.stopping, at: now) {
      try visit.requireSound()
    }
  }

  /// First at one spot, then moving to another.
  private static func fix(_ step: Int, _ now: BootInstant) -> Fix {
    var fix = Fix(received: now)
    fix.time = date + (now - .zero)
    fix.mode = .threeD
    fix.position = Coordinate(
      latitude: 52, longitude: Degrees(5 + (step > 8 ? 0.01 * Double(step) : 0)))
    fix.horizontalError = 4
    return fix
  }

  /// A tracker restored from a snapshot has the same snapshot.
  private func requireKept(_ tracker: Tracker, at now: BootInstant) throws(Violation) {
    let snapshot = tracker.snapshot(at: now)
    var next = fresh
    _ = next.restore(snapshot.text, at: now)
    let again = next.snapshot(at: now)
    for part in ["version", "acquisition", "perception"] where snapshot[part] != again[part] {
      throw Violation("\(part) is not kept:\n\(snapshot.text)\nbecomes\n\(again.text)")
    }
  }
}

#if FUZZING
  private nonisolated(unsafe) let target = StateTarget()

  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.serve(start, count)
  }
#endif
