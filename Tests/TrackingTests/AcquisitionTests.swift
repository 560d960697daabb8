import Core
import GNSS
import Testing
import Tracking

@Suite struct AcquisitionTests {
  static func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  static func fresh() -> Acquisition {
    Acquisition(
      AcquisitionSettings(), prediction: TTFFPrediction(hotStart: 1, warmStart: 15, coldStart: 26))
  }

  @Test("the time limit of a search follows its prediction within bounds")
  func limitFollowsThePredictionWithinBounds() {
    var acquisition = Self.fresh()
    acquisition.switchedOn(at: Self.at(0))
    #expect(acquisition.deadline == Self.at(78))  // three times the cold start
    let timeToFirstFix = acquisition.fixAccepted(at: Self.at(30))
    #expect(timeToFirstFix == 30)
    acquisition.switchedOff(at: Self.at(60))
    acquisition.switchedOn(at: Self.at(180))
    #expect(acquisition.deadline == Self.at(180 + 45))  // hot: the shortest limit
  }

  private static let open = SatelliteReception(tracked: 9, strongest: 46, fourth: 42)
  private static let walls = SatelliteReception(tracked: 4, strongest: 24, fourth: 20)

  /// Had a fix a minute ago, and has been searching since 180 s.
  private static func searchingAgain(
    warmStart: Seconds, hearing signals: SatelliteReception?
  ) -> Acquisition {
    var acquisition = Acquisition(
      AcquisitionSettings(),
      prediction: TTFFPrediction(hotStart: 1, warmStart: warmStart, coldStart: 26))
    acquisition.switchedOn(at: at(0))
    _ = acquisition.fixAccepted(at: at(26))
    acquisition.switchedOff(at: at(120))
    acquisition.switchedOn(at: at(180))
    if let signals { acquisition.received(signals, at: at(180)) }
    return acquisition
  }

  @Test("an expected hot start has the time limit of a warm one, except with poor reception")
  func warmStartsHaveTheirTime() {
    for signals in [nil, Self.open] {
      let slow = Self.searchingAgain(warmStart: 50, hearing: signals)
      #expect(slow.deadline == Self.at(180 + 150))
    }
    let indoors = Self.searchingAgain(warmStart: 50, hearing: Self.walls)
    #expect(indoors.deadline == Self.at(180 + 45))
    let endless = Self.searchingAgain(warmStart: 150, hearing: nil)
    #expect(endless.deadline == Self.at(180 + 225), "beyond the longest limit, but not starved")
  }

  /// The board file states 15 s, but the receiver needs 70 s.
  @Test("a search that was aborted under open sky gives the next one more time")
  func cutOffSearchesTeach() throws {
    var acquisition = Self.searchingAgain(warmStart: 15, hearing: Self.open)
    var limits: [Double] = []
    var began = Self.at(180)
    while limits.count < 8 {
      let deadline = try #require(acquisition.deadline)
      limits.append((deadline - began).value)
      guard deadline - began < 70 else { break }
      acquisition.received(Self.open, at: deadline)
      _ = acquisition.gaveUp(at: deadline, satellitesInView: 9)
      acquisition.switchedOff(at: deadline)
      began = deadline + 120
      acquisition.switchedOn(at: began)
      acquisition.received(Self.open, at: began)
    }
    #expect(limits == [45, 67.5, 101.25])
    _ = acquisition.fixAccepted(at: began + 70)
    acquisition.switchedOff(at: began + 100)
    acquisition.switchedOn(at: began + 200)
    let learnt = try #require(acquisition.deadline) - (began + 200)
    // Three times 33.75 s plus a fifth of the difference to 70 s.
    #expect((learnt.value - 123).magnitude < 1e-6)
  }

  @Test("a search that was aborted indoors teaches nothing", arguments: [true, false])
  func cutOffBehindWalls(hears: Bool) {
    var acquisition = Self.searchingAgain(warmStart: 15, hearing: hears ? Self.walls : nil)
    _ = acquisition.gaveUp(at: Self.at(225))
    acquisition.switchedOff(at: Self.at(225))
    acquisition.switchedOn(at: Self.at(400))
    #expect(acquisition.deadline == Self.at(445))
  }

  @Test("the back-off doubles up to its cap and ends with a fix")
  func backOffDoublesUpToItsCapAndEndsWithSuccess() {
    var acquisition = Self.fresh()
    let pauses = (0..<7).map { attempt in
      acquisition.switchedOn(at: Self.at(Double(attempt) * 10_000))
      return acquisition.gaveUp(at: Self.at(Double(attempt) * 10_000 + 60)).value
    }
    #expect(pauses == [120, 240, 480, 960, 1800, 1800, 1800])
    #expect(acquisition.backedOffUntil == Self.at(61_860))
    acquisition.switchedOn(at: Self.at(70_000))
    _ = acquisition.fixAccepted(at: Self.at(70_002))
    #expect(acquisition.failures == 0)
    #expect(acquisition.backedOffUntil == nil)
  }

  @Test("a search without signals ends early") func hopelessSkyEndsASearchEarly() {
    var acquisition = Self.fresh()
    acquisition.switchedOn(at: Self.at(0))
    #expect(!acquisition.hasNoChance(at: Self.at(59), worth: 30, satellitesInView: 0))
    #expect(acquisition.hasNoChance(at: Self.at(60), worth: 30, satellitesInView: 2))
    #expect(acquisition.hasNoChance(at: Self.at(60), worth: 30, satellitesInView: nil))
    #expect(!acquisition.hasNoChance(at: Self.at(60), worth: 30, satellitesInView: 5))
    #expect(acquisition.hasNoChance(at: Self.at(78), worth: 30, satellitesInView: 12))
  }

  @Test("no settings make the limit too short for a cold start") func noSettingsStarveAColdStart() {
    var settings = AcquisitionSettings()
    settings.noSignalTimeout = 5
    settings.minTimeout = 5
    settings.maxTimeout = 5
    var acquisition = Acquisition(
      settings, prediction: TTFFPrediction(hotStart: 1, warmStart: 15, coldStart: 26))
    acquisition.switchedOn(at: Self.at(0))
    for second in 1...27 {
      #expect(
        !acquisition.hasNoChance(at: Self.at(Double(second)), worth: 30, satellitesInView: 4))
    }
    #expect(acquisition.hasNoChance(at: Self.at(39), worth: 30, satellitesInView: 4))
  }

  @Test("a fix is kept after a cold start, not after a hot one") func aFixIsKeptAfterAColdStart() {
    var cold = Self.fresh()
    cold.switchedOn(at: Self.at(0))
    _ = cold.fixAccepted(at: Self.at(26))
    #expect(cold.holdUntil(at: Self.at(30)) == Self.at(56))
    #expect(cold.holdUntil(at: Self.at(56)) == nil)
    var hot = Self.fresh()
    hot.switchedOn(at: Self.at(0))
    _ = hot.fixAccepted(at: Self.at(3))
    #expect(hot.holdUntil(at: Self.at(3)) == nil)
  }

  @Test("sensible times to the first fix teach the prediction, others do not")
  func onlySensibleTimesTeachThePrediction() {
    var prediction = TTFFPrediction(hotStart: 1, warmStart: 15, coldStart: 26)
    for _ in 0..<50 { prediction.learn(6, afterPause: 120) }
    #expect(abs(prediction.predicted(afterPause: 120).value - 6) < 0.01)
    #expect(prediction.predicted(afterPause: nil) == 26)
    #expect(prediction.predicted(afterPause: .hours(5)) == 26)
    prediction.learn(Seconds(.nan), afterPause: 120)
    prediction.learn(-5, afterPause: 120)
    // Such a fix waited for reception, and a snapshot would not keep what was learnt from it.
    prediction.learn(.hours(18), afterPause: 120)
    #expect(abs(prediction.predicted(afterPause: 120).value - 6) < 0.01)
  }

  @Test("a sign of movement ends the pause, and does not shorten the next one")
  func endOfPause() {
    var acquisition = Self.fresh()
    acquisition.switchedOn(at: Self.at(0))
    let first = acquisition.gaveUp(at: Self.at(60))
    #expect(acquisition.backedOffUntil == Self.at(60) + first)
    acquisition.endPause(at: Self.at(60))
    #expect(acquisition.backedOffUntil == nil)
    acquisition.switchedOff(at: Self.at(60))
    acquisition.switchedOn(at: Self.at(70))
    #expect(acquisition.gaveUp(at: Self.at(130)) == first * 2)
  }

  /// Fails a search each minute; returns how many were started before the pause had ended.
  private static func earlySearches(minutes: Int, hold acquisition: inout Acquisition) -> Int {
    (1...minutes).count { minute in
      let now = at(Double(minute) * 60)
      acquisition.endPause(at: now)
      guard acquisition.backedOffUntil.map({ $0 <= now }) ?? true else { return false }
      acquisition.switchedOn(at: now)
      _ = acquisition.gaveUp(at: now + 40)
      acquisition.switchedOff(at: now + 40)
      return true
    }
  }

  @Test("movement without reception causes a bounded number of searches")
  func earlySearches() {
    var acquisition = Self.fresh()
    let searches = Self.earlySearches(minutes: 600, hold: &acquisition)
    #expect((30...65).contains(searches), "ten at once, then one in twenty minutes or the pause's")
    acquisition.switchedOn(at: Self.at(40_000))
    _ = acquisition.fixAccepted(at: Self.at(40_010))
    acquisition.switchedOff(at: Self.at(40_010))
    _ = acquisition.gaveUp(at: Self.at(40_100))
    acquisition.endPause(at: Self.at(40_101))
    #expect(acquisition.backedOffUntil == nil, "a sky was found in between")
  }
}
