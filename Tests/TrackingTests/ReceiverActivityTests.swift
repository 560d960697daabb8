import Records
import Core
import Testing

@testable import Tracking

/// The receiver's activity, from the power sequencer's state and the session.
@Suite struct ReceiverActivityTests {
  private let coarse = CoarseTracking(CoarseSettings(), sources: [])
  private let off = GnssSearch(AcquisitionSettings(), receiver: .ubloxM8, lastID: 0)

  private func session(hasFix: Bool) -> GnssSearch {
    var search = off
    var step = TrackerStep(at: .zero, clock: UTCClock())
    search.open(because: "a test", &step)
    if hasFix { search.accepted(at: step.now, &step) }
    return search
  }

  /// The activity after a session and these power states.
  private func activity(_ told: ReceiverPowerState..., hadFix: Bool = false) -> ReceiverActivity {
    var activity = ReceiverActivity()
    activity.reached(.on)
    activity.update(session(hasFix: hadFix), coarse)
    activity.update(off, coarse)
    for state in told { activity.reached(state) }
    return activity
  }

  @Test("during a session it searches or has a fix, in any phase of the start")
  func session() {
    for state in ReceiverPowerState.allCases {
      var activity = ReceiverActivity()
      activity.reached(state)
      activity.update(session(hasFix: false), coarse)
      #expect(activity.energyState == .acquiring && activity.positioningState == .acquiring)
      activity.update(session(hasFix: true), coarse)
      #expect(activity.energyState == .tracking && activity.positioningState == .tracking)
    }
  }

  @Test("before any report it is off") func start() {
    #expect(ReceiverActivity().energyState == .off)
    #expect(ReceiverActivity().positioningState == .off)
    var failed = ReceiverActivity()
    failed.update(session(hasFix: false), coarse)
    failed.update(off, coarse)
    #expect(failed.energyState == .off, "it never came on")
  }

  @Test("on its way to rest it draws as before", arguments: [true, false])
  func onItsWay(hadFix: Bool) {
    let saving = activity(.saving, hadFix: hadFix)
    #expect(saving.energyState == (hadFix ? .tracking : .acquiring))
    #expect(saving.positioningState == .off)
    #expect(activity(.saving, .off, hadFix: hadFix).energyState == .off)
    #expect(activity(.fallingAsleep, hadFix: hadFix).energyState == .sleeping)
    #expect(activity(.fallingAsleep, .asleep, hadFix: hadFix).positioningState == .sleeping)
  }

  @Test("a receiver without a switch continues, and counts as off")
  func ignored() {
    #expect(activity(.ignored, hadFix: true).energyState == .tracking)
    #expect(activity(.ignored, hadFix: true).positioningState == .off)
    #expect(activity(.fallingAsleep, .on, .ignored, hadFix: true).energyState == .acquiring)
  }

  @Test("one that wakes from sleep by itself searches") func wakesUnasked() {
    #expect(activity(.fallingAsleep, .asleep, .waking, hadFix: true).energyState == .acquiring)
  }

  @Test("a line that cannot be set leaves it unchanged")
  func outOfControl() {
    #expect(activity(.unknown).positioningState == .acquiring)
    #expect(activity(.unknown).energyState == .acquiring)
    #expect(activity(.off, .unknown).energyState == .off)
    #expect(activity(.fallingAsleep, .unknown).energyState == .acquiring, "perhaps it was not told")
    #expect(activity(.unknown, .off).energyState == .off)
  }
}
