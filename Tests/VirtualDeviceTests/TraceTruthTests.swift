import Core
import Testing
import VirtualDevice

@Suite struct TraceTruthTests {
  func sample(_ second: Double, _ latitude: Degrees, _ longitude: Degrees = 6) -> TruthSample {
    TruthSample(
      time: morning + Seconds(second),
      position: Coordinate(latitude: latitude, longitude: longitude))
  }

  @Test("between samples the path is straight and the speed constant")
  func straightAndEvenBetweenSamples() throws {
    let groundTruth = try #require(TraceTruth([sample(0, 50), sample(100, 50.01)]))
    let state = try #require(groundTruth.state(at: morning + 25))
    #expect(abs(state.position.latitude.value - 50.0025) < 1e-9)
    #expect(abs(state.speed.value - 11.1195) < 0.001)
    #expect(state.track == 0)
  }

  @Test("nothing is known within a long gap or outside the trace")
  func nothingIsKnownInALongGapNorOutside() throws {
    let groundTruth = try #require(
      TraceTruth([sample(0, 50), sample(10, 50), sample(500, 51), sample(510, 51)]))
    #expect(groundTruth.state(at: morning - 1) == nil)
    #expect(groundTruth.state(at: morning + 5) != nil)
    #expect(groundTruth.state(at: morning + 250) == nil)
    #expect(groundTruth.state(at: morning + 505)?.position.latitude == 51)
    #expect(!groundTruth.hasEnded)
    #expect(groundTruth.state(at: morning + 511) == nil)
    #expect(groundTruth.hasEnded)
  }

  @Test("a long gap over a short distance is a stay with the trip at its end")
  func aLongGapWithAShortWayIsAStayWithTheWayAtItsEnd() throws {
    // 1112 m in three hours: the recorder woke up late.
    let groundTruth = try #require(
      TraceTruth([sample(0, 50), sample(10, 50), sample(10_810, 50.01), sample(10_811, 50.01)]))
    #expect(groundTruth.state(at: morning + 9000)?.position.latitude == 50)
    #expect(groundTruth.state(at: morning + 9000)?.speed == 0)
    let leaving = try #require(groundTruth.state(at: morning + 10_810 - 100))
    #expect(leaving.position.latitude > 50 && leaving.position.latitude < 50.01)
  }

  @Test("a long gap that ends where it began was a stay")
  func aLongGapThatEndsWhereItBeganWasAStay() throws {
    let groundTruth = try #require(
      TraceTruth([sample(0, 50), sample(10, 50), sample(9000, 50.0005), sample(9010, 50.0005)]))
    let state = try #require(groundTruth.state(at: morning + 4000))
    #expect(abs(state.position.latitude.value - 50) < 0.0006)
    #expect(state.speed < 0.1)
  }

  @Test("a gap longer than a night is no stay, and neither is one that ends far away")
  func holes() throws {
    let day = 86_400.0
    let groundTruth = try #require(
      TraceTruth([
        sample(0, 50), sample(10, 50), sample(10 + day, 50), sample(20 + day, 50),
        // 11 km in ten hours are no faster than 0.3 m/s, but still movement.
        sample(20 + day + 36_000, 50.1), sample(30 + day + 36_000, 50.1),
        sample(30 + day + 72_000, 50.1),
      ]))
    #expect(groundTruth.state(at: morning + 40_000) == nil)
    #expect(groundTruth.state(at: morning + Seconds(day + 20_000)) == nil)
    #expect(groundTruth.state(at: morning + Seconds(day + 60_000)) != nil)
    #expect(groundTruth.holes.unknown == 2)
    #expect(groundTruth.holes.timeUnknown == Seconds(day + 36_000))
    #expect(groundTruth.holes.stays == 1 && groundTruth.holes.timeInStays == 36_000)
  }

  @Test("a gap of more than 16 hours is no stay, but after a single first position it is")
  func aVeryLongPauseIsNoStay() throws {
    let day = 86_400.0
    let watched = try #require(
      TraceTruth([sample(0, 50), sample(10, 50), sample(day, 50), sample(day + 10, 50)]))
    #expect(watched.state(at: morning + 5) != nil)
    #expect(watched.state(at: morning + 40_000) == nil)
    #expect(watched.settled(at: morning + 40_000) == morning + Seconds(day))
    let remembered = try #require(
      TraceTruth([sample(0, 50), sample(day, 50), sample(day + 10, 50)]))
    #expect(remembered.state(at: morning + 40_000)?.speed == 0)
  }

  @Test(
    "without accuracies the assumed reception is used", arguments: AssumedReception.allCases)
  func assumedSkies(reception: AssumedReception) throws {
    var samples = [sample(0, 50), sample(100, 50), sample(200, 50.01), sample(300, 50.02)]
    samples[3].accuracy = 500
    samples.append(sample(400, 50.02))
    var rest = samples[...]
    let truth = try #require(TraceTruth(assumedReception: reception) { rest.popFirst() })
    let found = [50.0, 150, 350].map { truth.state(at: morning + Seconds($0))?.reception }
    let expected: [Reception] =
      switch reception {
      case .open: [.open, .open, .indoors]
      case .street: [.street, .street, .indoors]
      case .indoorsAtRest: [.indoors, .open, .indoors]
      }
    #expect(found == expected)
  }

  @Test("samples that go back in time are dropped and counted")
  func samplesThatGoBackInTimeAreLeftOut() throws {
    let groundTruth = try #require(
      TraceTruth([sample(0, 50), sample(10, 50.1), sample(5, 80), sample(10, 80), sample(20, 50)])
    )
    #expect(groundTruth.state(at: morning + 10)?.position.latitude == 50.1)
    #expect(groundTruth.samplesRefused == 2)
  }

  @Test("a recorder's noise is not speed") func aRecordersTrembleIsNoSpeed() throws {
    // 3 m back and forth every second, on the spot.
    let groundTruth = try #require(
      TraceTruth((0..<100).map { sample(Double($0), $0 % 2 == 0 ? 50 : 50.000_027) }))
    for second in 10..<90 {
      let state = try #require(groundTruth.state(at: morning + Seconds(Double(second) + 0.5)))
      #expect(state.speed < 0.8)
    }
  }

  @Test("the speed is that of the last seconds") func speedIsThatOfTheLastSeconds() throws {
    // 10 m/s northwards for 60 s, then 2 m/s eastwards, after a gap 5 m/s southwards.
    var samples: [TruthSample] = []
    for second in 0..<60 {
      samples.append(sample(Double(second), Degrees(50 + 9e-5 * Double(second))))
    }
    for second in 60..<120 {
      samples.append(sample(Double(second), 50.0054, Degrees(6 + 2.8e-5 * Double(second - 60))))
    }
    for second in 600..<660 {
      samples.append(sample(Double(second), Degrees(49 - 4.5e-5 * Double(second - 600))))
    }
    let groundTruth = try #require(TraceTruth(samples))
    func check(_ second: Double, _ speed: Double, _ track: Double) throws {
      let state = try #require(groundTruth.state(at: morning + Seconds(second)))
      #expect(abs(state.speed.value - speed) < 0.05 && abs(state.track.value - track) < 1)
    }
    try check(0.5, 10.0, 0)
    try check(30.5, 10.0, 0)
    try check(80.5, 2.0, 90)
    try check(600.5, 5.0, 180)
    try check(610.5, 5.0, 180)
  }

  @Test("a recorded speed of 0 is used as long as the positions agree")
  func recordedSpeedOfNothing() throws {
    func speed(metresPerSecond: Double, recorded: MetresPerSecond) throws -> MetresPerSecond? {
      let samples = (0..<60).map { second in
        TruthSample(
          time: morning + Seconds(Double(second)),
          position: Coordinate(
            latitude: Degrees(50 + 9e-6 * metresPerSecond * Double(second)), longitude: 6),
          speed: recorded)
      }
      return try #require(TraceTruth(samples)).state(at: morning + 30.5)?.speed
    }
    #expect(try speed(metresPerSecond: 0.5, recorded: 0) == 0)
    #expect(try speed(metresPerSecond: 4, recorded: 0)?.value.rounded() == 4)
    #expect(try speed(metresPerSecond: 4, recorded: 2) == 2)
  }

  @Test("sparse samples are not smoothed") func sparseSamplesAreNotSmoothed() throws {
    let groundTruth = try #require(
      TraceTruth([sample(0, 50), sample(60, 50.01), sample(120, 50.01), sample(180, 50.02)]))
    #expect(groundTruth.state(at: morning + 30)?.speed.value.rounded() == 19)
    #expect(groundTruth.state(at: morning + 90)?.speed == 0)
    #expect(groundTruth.state(at: morning + 150)?.speed.value.rounded() == 19)
  }

  @Test("invalid values from a file do no harm") func nonsenseFromAFileDoesNoHarm() throws {
    var wild = sample(10, 50)
    wild.altitude = Metres(.infinity)
    wild.speed = MetresPerSecond(.nan)
    var wilder = sample(20, 50.001)
    wilder.altitude = 1e300
    wilder.speed = -5
    let nowhere = [sample(-5, Degrees(.nan)), sample(-4, 91), sample(-3, 50, 181)]
    let samples = nowhere + [wild] + nowhere + [wilder, sample(90, 50.001)]
    let groundTruth = try #require(TraceTruth(samples))
    #expect(groundTruth.start == morning + 10)
    let board = VirtualBoard(groundTruth: groundTruth)
    try board.receiver.open()
    try board.powerSwitch.set(.supply, active: true)
    let bytes = try board.listen(for: 100)
    #expect(groundTruth.samplesRefused == 6)
    #expect(String(decoding: bytes, as: UTF8.self).contains("RMC") && board.isOver)
  }

  @Test("samples are read only as time advances") func samplesArePulledOnlyAsTimeGoesOn() throws {
    var pulled = 0
    let groundTruth = try #require(
      TraceTruth {
        pulled += 1
        return self.sample(Double(pulled), 50)
      })
    _ = groundTruth.state(at: morning + 100)
    #expect((100...103).contains(pulled))
  }

  @Test("a trace may cross the antimeridian") func theAntimeridianIsNoSeam() throws {
    let groundTruth = try #require(TraceTruth([sample(0, 0, 179.999), sample(10, 0, -179.999)]))
    let east = try #require(groundTruth.state(at: morning + 6)).position.longitude
    #expect(east < -179.99)
  }

  @Test("an empty trace has no ground truth") func emptyTraceIsNoCarrier() {
    #expect(TraceTruth([TruthSample]()) == nil)
  }
}
