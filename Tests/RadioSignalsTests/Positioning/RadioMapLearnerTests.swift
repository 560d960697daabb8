import Core
import Records
import Testing

@testable import RadioSignals

@Suite struct RadioMapLearnerTests {
  private let scan = RadioFingerprint(hearings: Taught.heard((1, -60), (2, -70)))

  private func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  @Test("a scan and a good fix make a lesson, whichever comes first") func pairs() {
    var learner = RadioMapLearner()
    #expect(learner.received(scan, at: at(100)) == nil)
    let lesson = learner.located(Taught.fix(), at: at(110))
    #expect(lesson?.pseudonyms == [1, 2])
    #expect(lesson?.cell == nil)
    #expect(learner.received(scan, at: at(112))?.pseudonyms == [1, 2])
  }

  @Test("a scan is learnt once") func once() {
    var learner = RadioMapLearner()
    _ = learner.received(scan, at: at(100))
    #expect(learner.located(Taught.fix(), at: at(101)) != nil)
    #expect(learner.located(Taught.fix(), at: at(102)) == nil)
    #expect(learner.received(scan, at: at(100)) == nil)
  }

  @Test("scans and fixes too far apart, too fast or too inaccurate are not learnt") func refusals()
  {
    var learner = RadioMapLearner()
    _ = learner.received(scan, at: at(100))
    #expect(learner.located(Taught.fix(speed: 20), at: at(105)) == nil)
    #expect(learner.located(Taught.fix(accuracy: 60), at: at(105)) == nil)
    #expect(learner.located(Taught.fix(accuracy: 40), at: at(106)) != nil)
    var late = RadioMapLearner()
    _ = late.received(scan, at: at(100))
    #expect(late.located(Taught.fix(), at: at(116)) == nil)
  }

  @Test("the serving cell learns from worse fixes, every five minutes") func cells() {
    var learner = RadioMapLearner()
    learner.serves(cell: 42)
    #expect(learner.located(Taught.fix(accuracy: 150), at: at(10))?.cell == 42)
    #expect(learner.located(Taught.fix(), at: at(20)) == nil)
    #expect(learner.located(Taught.fix(), at: at(311))?.cell == 42)
    learner.serves(cell: 43)
    #expect(learner.located(Taught.fix(), at: at(312))?.cell == 43)
    learner.serves(cell: nil)
    #expect(learner.located(Taught.fix(), at: at(900)) == nil)
  }

  @Test("a lesson creates new places and updates known ones") func applied() {
    let lesson = RadioMapSample(
      hearings: Taught.heard((1, -60), (2, -70)), cell: 5, fix: Taught.fix())
    let known = Taught.accessPoint(2, east: 10, north: 0)
    let places = lesson.applied(to: [known])
    #expect(places.map(\.pseudonym) == [1, 2])
    #expect(places[0].fixes == 1)
    #expect(places[1].fixes == known.fixes + 1)
    #expect(lesson.applied(to: nil as LearntCell?)?.fixes == 1)
  }

  @Test("an invalid position is not learnt") func noPosition() {
    let zero = Coordinate(latitude: 0, longitude: 0)
    let wild = Coordinate(latitude: 95, longitude: .init(.nan))
    for position in [zero, wild] {
      #expect(
        TrainingFix(time: Taught.start, position: position, accuracy: 5, speed: nil) == nil)
    }
    for accuracy: Metres in [0, -1, .init(.nan), .init(.infinity)] {
      #expect(
        TrainingFix(time: Taught.start, position: Taught.here, accuracy: accuracy, speed: nil)
          == nil)
    }
  }
}
