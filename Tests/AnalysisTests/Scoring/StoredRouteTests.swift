import Core
import Analysis
import Testing

/// The same cases as those of Tests/Tools/scoring_test.py.
@Suite struct StoredRouteTests {
  private static let kilometre = 1000 / Sphere.degree.value  // degrees

  private func point(_ second: Double, _ latitude: Double, _ longitude: Double = 6)
    -> StoredRoute.Point
  {
    StoredRoute.Point(
      time: UTCInstant(seconds: second),
      position: Coordinate(latitude: Degrees(latitude), longitude: Degrees(longitude)))
  }

  private func errors(_ points: [StoredRoute.Point], _ way: [StoredRoute.Point]) -> [Double] {
    var errors: [Double] = []
    StoredRoute(points).errors(along: way) { errors.append($1?.value ?? .infinity) }
    return errors
  }

  @Test("a late point is an error although the line is right") func late() {
    let north = Self.kilometre
    let found = errors(
      [point(0, 0), point(100, north)], [point(25, 0), point(50, north / 2), point(100, north)])
    #expect(zip(found, [250.0, 0, 0]).allSatisfy { ($0 - $1).magnitude < 0.001 }, "\(found)")
  }

  @Test("before the first and after the last point the board is at that point") func ends() {
    let found = errors(
      [point(200, Self.kilometre), point(100, 0)], [point(0, Self.kilometre), point(900, 0)])
    #expect(found.map { $0.rounded() } == [1000, 1000])
  }

  @Test("a degree of longitude shrinks with latitude, and the date line is crossed")
  func dateLine() {
    let found = errors([point(0, 60, 179.999), point(10, 60, -179.999)], [point(5, 60, 179.999)])
    #expect((found[0] - 0.001 * Sphere.degree.value / 2).magnitude < 0.001, "\(found)")
  }

  @Test("points of the same instant do not divide by zero") func oneMoment() {
    let found = errors([point(5, 0), point(5, 1), point(6, 1)], [point(5, 1)])
    #expect(found == [0])
  }

  @Test("a route that was not stored has the maximum error") func nothing() {
    #expect(errors([], [point(0, 0)]) == [.infinity])
    var errors = RouteErrors()
    errors.add(nil)
    errors.add(12)
    #expect(errors.count == 2 && errors.mean == nil)
    #expect(errors.percentile(0.5) == 12 && errors.percentile(0.95) == nil)
  }

  @Test("errors of many runs are pooled over all their instants") func together() {
    var all = RouteErrors()
    for run in 0..<10 {
      var errors = RouteErrors()
      for index in 0..<100 { errors.add(Metres(Double(run * 100 + index + 1))) }
      all.add(errors)
    }
    #expect(all.count == 1000 && all.mean == 500.5)
    #expect(all.percentile(0.5) == 500 && all.percentile(0.95) == 950)
    #expect(all == RouteErrors(counts: all.counts, sum: all.sum, unlocated: 0))
    #expect(RouteErrors().percentile(0.5) == nil)
  }
}
