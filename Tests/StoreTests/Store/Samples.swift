import Core
import Records
import Store
import TestSupport
import Testing

/// 2026-05-01T00:00:00Z, where the records of these tests begin.
let start = UTCInstant(seconds: 1_777_593_600)

func position(_ latitude: Double, _ longitude: Double) -> Coordinate {
  Coordinate(latitude: Degrees(latitude), longitude: Degrees(longitude))
}

func point(
  at seconds: Seconds, _ where: Coordinate = position(52.0907, 5.1214),
  reason: TrackPoint.Reason = .scheduled
) -> TrackPoint {
  TrackPoint(
    location: Location(
      time: start + seconds, position: `where`, accuracy: 4.5, speed: 1.25, track: 90.5,
      altitude: nil, source: reason == .coarse ? .coarse : .gnss), reason: reason, session: 7)
}

func visit(_ id: Int64, from arrival: Seconds, to departure: Seconds? = nil) -> Visit {
  Visit(
    id: id,
    arrival: TimeEstimate(
      estimate: start + arrival, earliest: start + arrival - 60, latest: start + arrival + 60),
    departure: departure.map {
      TimeEstimate(estimate: start + $0, earliest: start + $0 - 30, latest: start + $0 + 90)
    },
    position: position(52.1, 5.2), accuracy: 3.25, confidence: 0.875, locations: 12, destination: 3)
}

func session(_ id: Int64, at on: Seconds, lasting: Seconds? = nil) -> GnssSession {
  var session = GnssSession(id: id, on: start + on)
  guard let lasting else { return session }
  session.off = start + on + lasting
  session.duration = lasting
  session.timeToFirstFix = 1.5
  session.fixesAccepted = 3
  session.fixesRejected = 1
  session.outcome = .fixObtained
  session.charge = Coulombs(milliampereHours: 0.25)
  session.energy = 2.97
  session.basis = .measured
  return session
}

extension StoreReader {
  func allPoints(_ range: TimeRange = .all) throws -> [TrackPoint] {
    var cursor = try trackPoints(in: range)
    return try cursor.all()
  }
}

/// Another program edits a store: GDAL.
func edit(_ path: String, bySQL sql: String) throws {
  let result = try run("ogrinfo", "-q", path, "-sql", sql)
  #expect(result.status == 0 && !result.output.contains("ERROR"), "\(sql): \(result.output)")
}
