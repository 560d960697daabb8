import FuzzInput
import Core
import GNSS
import Tracking

/// Any events of the tracker, in any order, with any numbers.
public final class StepsTarget: FuzzTarget {
  /// Enough for a day of short sessions; more finds nothing new and takes time.
  private static let maxSteps = 200

  public init() {}

  public func run(_ input: UnsafeBufferPointer<UInt8>) throws(Violation) {
    var bytes = InputBytes(input)
    var tracker = Tracker(settings: Self.settings(&bytes))
    var world = TrackerWorld(bytes.flag() ? bytes.element(TrackerWorld.dates) : nil)
    try world.take(tracker.step(.started(clock: world.clock), at: world.now), after: nil)
    var steps = 0
    while !bytes.isEmpty, steps < Self.maxSteps {
      steps += 1
      let event = world.event(&bytes)
      try world.take(tracker.step(event, at: world.now), after: event)
      try world.requireAgreement(with: tracker)
    }
    try requireKept(tracker, at: world.now)
    try world.take(tracker.step(.stopping, at: world.now), after: .stopping)
  }

  private static func settings(_ bytes: inout InputBytes) -> TrackerSettings {
    let kind = bytes.byte()
    var settings = TrackerSettings()
    settings.policy =
      [
        .hybrid(HybridSettings()), .continuous, .periodic(PeriodicSettings()), .continuous,
      ][Int(kind & 3)]
    settings.coarseSources = kind & 4 != 0 ? [CoarseSource("wifi")] : []
    settings.power.canSleep = kind & 8 != 0
    settings.power.canCut = kind & 16 == 0
    settings.power.hasBackup = kind & 32 == 0
    settings.hasReceiver = kind & 192 != 192
    return settings
  }

  /// A tracker resumed from a snapshot reports the same, once anything was observed.
  private func requireKept(_ tracker: Tracker, at now: BootInstant) throws(Violation) {
    let snapshot = tracker.snapshot(at: now)
    var next = Tracker(settings: TrackerSettings())
    _ = next.restore(snapshot.text, at: now)
    let again = next.snapshot(at: now)
    guard snapshot["perception"]?["visits"]?["stay"] != .null else { return }
    for part in ["version", "acquisition", "perception"] where snapshot[part] != again[part] {
      throw Violation("\(part) is not kept:\n\(snapshot.text)\nbecomes\n\(again.text)")
    }
  }
}

#if FUZZING
  private nonisolated(unsafe) let target = StepsTarget()

  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.serve(start, count)
  }
#endif
