import Records
import Core
import Testing

@testable import Tracking

/// What the receiver is doing, from what the power sequencer tells and whether there is a session.
@Suite struct ReceiverActivityTests {
  private let coarse = CoarseTracking(CoarseSettings(), sources: [])
  private let off = GnssSearch(AcquisitionSettings(), receiver: .ubloxM8, lastID: 0)

  private func session(hasFix: Bool) -> GnssSearch {
    var search = off
    var step = Turn(at: .zero, clock: UTCClock())
    search.open(because: "a test", &step)
    if hasFix { search.accepted(at: step.now, &step) }
    return search
  }

  /// After a session, with what is told after it.
  private func activity(_ told: ReceiverPowerState..., hadFix: Bool = false) -> ReceiverActivity {
    var activity = ReceiverActivity()
    activity.reached(.on)
    activity.update(session(hasFix: hadFix), coarse)
    activity.update(off, coarse)
    for state in told { activity.reached(state) }
    return activity
  }

  @Test("while there is a session it searches or has a fix, however far it has come")
  func session() {
    for state in ReceiverPowerState.allCases {
      var activity = ReceiverActivity()
      activity.reached(state)
      activity.update(session(hasFix: false), coarse)
      #expect(activity.drawn == .acquiring && activity.heard == .acquiring)
      activity.update(session(hasFix: true), coarse)
      #expect(activity.drawn == .tracking && activity.heard == .tracking)
    }
  }

  @Test("before anything was told it is off") func start() {
    #expect(ReceiverActivity().drawn == .off)
    #expect(ReceiverActivity().heard == .off)
    var failed = ReceiverActivity()
    failed.update(session(hasFix: false), coarse)
    failed.update(off, coarse)
    #expect(failed.drawn == .off, "it never came on")
  }

  @Test("on its way to rest it draws what it did", arguments: [true, false])
  func onItsWay(hadFix: Bool) {
    let saving = activity(.saving, hadFix: hadFix)
    #expect(saving.drawn == (hadFix ? .tracking : .acquiring))
    #expect(saving.heard == .off)
    #expect(activity(.saving, .off, hadFix: hadFix).drawn == .off)
    #expect(activity(.fallingAsleep, hadFix: hadFix).drawn == .sleeping)
    #expect(activity(.fallingAsleep, .asleep, hadFix: hadFix).heard == .sleeping)
  }

  @Test("one that nothing can switch goes on with what it did, and counts as off")
  func ignored() {
    #expect(activity(.ignored, hadFix: true).drawn == .tracking)
    #expect(activity(.ignored, hadFix: true).heard == .off)
    #expect(activity(.fallingAsleep, .on, .ignored, hadFix: true).drawn == .acquiring)
  }

  @Test("one that wakes from its sleep unasked searches") func wakesUnasked() {
    #expect(activity(.fallingAsleep, .asleep, .waking, hadFix: true).drawn == .acquiring)
  }

  @Test("a line that cannot be set leaves it as it was")
  func outOfControl() {
    #expect(activity(.unknown).heard == .acquiring)
    #expect(activity(.unknown).drawn == .acquiring)
    #expect(activity(.off, .unknown).drawn == .off)
    #expect(activity(.fallingAsleep, .unknown).drawn == .acquiring, "perhaps it was not told")
    #expect(activity(.unknown, .off).drawn == .off)
  }
}
