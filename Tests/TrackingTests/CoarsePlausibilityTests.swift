import Core
import Records
import Testing

@testable import Tracking

/// Coarse locations that the locations before and after contradict.
@Suite struct CoarsePlausibilityTests {
  private static func location(
    _ seconds: Double, _ east: Double, _ north: Double = 0, accuracy: Metres = 800,
    source: Location.Source = .coarse
  ) -> Location {
    var location = GroundTruth.location(seconds, east, north, accuracy: accuracy)
    location.source = source
    return location
  }

  /// The locations discarded from a drive at 15 m/s with a location every 40 s.
  private static func takenBack(_ change: (inout [Location]) -> Void) -> [Location] {
    var locations = (0..<20).map { index in
      let side = index % 2 == 0 ? 500.0 : -500
      return location(Double(index) * 40, Double(index) * 600, side)
    }
    change(&locations)
    var way = CoarsePlausibility()
    return locations.compactMap { way.objection(to: $0) == nil ? way.add($0) : $0 }
  }

  @Test("towers on either side of a road are all kept") func road() {
    #expect(Self.takenBack { _ in }.isEmpty)
  }

  @Test("one that is kilometres off is withdrawn, and no other") func outlier() {
    let wrong = Self.location(400, 6000, 7000)
    let back = Self.takenBack { $0[10] = wrong }
    #expect(back == [wrong])
  }

  @Test("two fixes of the receiver withdraw a contradicted location between them")
  func betweenFixes() {
    let wrong = Self.location(30, 9000, accuracy: 50)
    var way = CoarsePlausibility()
    #expect(way.add(Self.location(0, 0, accuracy: 5, source: .gnss)) == nil)
    #expect(way.add(wrong) == nil)
    #expect(way.add(Self.location(60, 600, accuracy: 5, source: .gnss)) == wrong)
    // The receiver's own locations are not assessed here.
    #expect(way.add(Self.location(70, 90_000, accuracy: 5, source: .gnss)) == nil)
    #expect(way.add(Self.location(80, 700, accuracy: 5, source: .gnss)) == nil)
  }

  @Test("at rest, an absence between locations minutes apart is plausible") func away() {
    var way = CoarsePlausibility()
    for (second, east) in [(0.0, 0.0), (600, 8000), (1200, 0)] {
      #expect(way.add(Self.location(second, east)) == nil)
    }
  }

  @Test("after a flight the new place is accepted when all agree for ten minutes")
  func flight() {
    var way = CoarsePlausibility()
    for minute in 0..<10 { _ = way.add(Self.location(Double(minute) * 60, 0)) }
    let landed = 8.0 * 3600
    for minute in [0.0, 4, 8] {
      #expect(way.objection(to: Self.location(landed + minute * 60, 5_000_000)) != nil)
    }
    let there = Self.location(landed + 720, 5_000_000)
    #expect(way.objection(to: there) == nil)
    #expect(way.add(there) == nil, "where it came from is no error")
    #expect(way.objection(to: Self.location(landed + 780, 5_000_000)) == nil)
  }

  @Test("occasional locations of one distant tower are never accepted") func tower() {
    var way = CoarsePlausibility()
    for minute in [-2.0, -1] { _ = way.add(Self.location(minute * 60, 0)) }
    for minute in 0..<60 {
      let location = Self.location(Double(minute) * 60, minute % 3 == 0 ? 0 : 500_000)
      #expect((way.objection(to: location) == nil) == (minute % 3 == 0))
      if minute % 3 == 0 { #expect(way.add(location) == nil) }
    }
  }

  @Test("an unreachable location is not accepted until it could be reached") func unreachable() {
    var way = CoarsePlausibility()
    _ = way.add(Self.location(0, 0))
    let why = way.objection(to: Self.location(60, 15_000))
    #expect(why == "15 km from where the board was 60 s before")
    #expect(way.objection(to: Self.location(180, 15_000)) == nil)
    #expect(way.objection(to: Self.location(60, 5000)) == nil)
    #expect(way.objection(to: Self.location(-60, 90_000)) == nil)
  }

  @Test("a wrong first location blocks others only until two agree") func wrongFirst() {
    var way = CoarsePlausibility()
    let wrong = Self.location(0, 4_000_000, accuracy: 50)
    #expect(way.add(wrong) == nil)
    #expect(way.objection(to: Self.location(300, 0)) != nil)
    let right = Self.location(600, 200)
    #expect(way.objection(to: right) == nil)
    #expect(way.add(right) == wrong)
    #expect(way.objection(to: Self.location(900, 0)) == nil)
  }

  @Test("a wrong location reachable within a night is withdrawn in the morning")
  func wrongAfterSilence() {
    var way = CoarsePlausibility()
    let wrong = Self.location(43_200, 900_000, accuracy: 50)
    #expect(way.add(Self.location(0, 0)) == nil)
    #expect(way.objection(to: wrong) == nil && way.add(wrong) == nil)
    let right = Self.location(43_500, 300)
    #expect(way.objection(to: right) == nil)
    #expect(way.add(right) == wrong)
  }

  @Test("one fix withdraws an impossible first location") func wrongBeforeFix() {
    var way = CoarsePlausibility()
    let wrong = Self.location(0, 50_000, accuracy: 50)
    #expect(way.add(wrong) == nil)
    #expect(way.add(Self.location(60, 0, accuracy: 5, source: .gnss)) == wrong)
  }
}
