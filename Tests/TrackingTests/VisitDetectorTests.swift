import Quantities
import Testing
import Tracking

@Suite struct VisitDetectorTests {
  /// Everything that the detector says about sightings, the open visit at last.
  static func visits(_ sightings: [Sighting]) -> [Visit] {
    var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
    var found: [Int64: Visit] = [:]
    func note(_ changes: [VisitChange]) {
      for change in changes {
        switch change {
        case .began(let visit), .updated(let visit), .ended(let visit): found[visit.id] = visit
        case .withdrawn(let id): found[id] = nil
        }
      }
    }
    for sighting in sightings { note(detector.observe(sighting)) }
    note(detector.finish())
    return found.values.sorted { $0.id < $1.id }
  }

  @Test func aStayBetweenTwoDrivesIsFound() {
    let sightings = (0..<3600).map { second -> Sighting in
      let t = Double(second)
      return Carrier.sighting(t, t < 1200 ? (t - 1200) * 15 : t < 2400 ? 0 : (t - 2400) * 15)
    }
    let found = Self.visits(sightings)
    #expect(found.count == 1)
    guard let visit = found.first, let departure = visit.departure else { return }
    #expect((visit.arrival.estimate - Carrier.time(1200)).magnitude < 20)
    #expect((departure.estimate - Carrier.time(2400)).magnitude < 20)
  }

  @Test func silenceAtOnePlaceIsStaying() {
    let found = Self.visits([
      Carrier.sighting(0, -3000), Carrier.sighting(120, -1500), Carrier.sighting(240, 0),
      Carrier.sighting(36_000, 10), Carrier.sighting(36_120, 1500), Carrier.sighting(36_240, 3000),
      Carrier.sighting(36_360, 4500), Carrier.sighting(36_480, 6000),
    ])
    #expect(found.count == 1)
    #expect(found.first?.arrival.estimate == Carrier.time(240))
    #expect(found.first?.departure != nil)
  }

  @Test func sparseSightingsFarFromTheStartMakeAStay() {
    let found = Self.visits([
      Carrier.sighting(0, 0), Carrier.sighting(5000, 49_000), Carrier.sighting(9000, 55_800),
      Carrier.sighting(9400, 55_800), Carrier.sighting(10_000, 55_801),
      Carrier.sighting(20_000, 55_800), Carrier.sighting(24_000, 70_000),
      Carrier.sighting(28_000, 99_000),
    ])
    #expect(found.count == 1)
    #expect(found.first?.sightings == 4)
    #expect(found.first?.arrival.latest == Carrier.time(9000))
    #expect(found.first?.departure?.earliest == Carrier.time(20_000))
    #expect(found.first?.departure?.latest == Carrier.time(24_000))
  }
}
