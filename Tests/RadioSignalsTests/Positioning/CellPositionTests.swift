import Foundation
import Core
import RealData
import Records
import TestSupport
import Testing

@testable import RadioSignals

@Suite struct CellPositionTests {
  private func learnt(_ count: Int, east: Metres, days: Double = 1) -> LearntCell {
    var cell = LearntCell(pseudonym: 1, at: Taught.fix())
    for number in 1..<count {
      let minute = Double(number) * 1440 * days / Double(count) + Double(number) * 6
      cell.observe(at: Taught.fix(east: number % 2 == 0 ? 0 : east, minute: minute))
    }
    return cell
  }

  @Test("a learnt cell precedes the table") func learntFirst() throws {
    let table = CellPlace(position: Taught.place(east: 9000, north: 0), range: 2000, samples: 9)
    let position = try #require(CellPosition(learnt: learnt(20, east: 800, days: 3), table: table))
    #expect(Sphere.distance(position.position, Taught.place(east: 400, north: 0)) < 60)
    #expect(position.accuracy > 400 && position.accuracy < 800)
  }

  @Test("a cell of one day, or of few fixes, gives no location") func tooLittle() {
    #expect(CellPosition(learnt: learnt(3, east: 100, days: 3), table: nil) == nil)
    #expect(CellPosition(learnt: learnt(30, east: 100, days: 0.2), table: nil) == nil)
    #expect(CellPosition(learnt: nil, table: nil) == nil)
  }

  @Test("a table's radius has bounds, and is larger with few samples")
  func tableRadius() {
    func accuracy(_ range: Metres, _ samples: Int) -> Metres {
      CellPlace(position: Taught.here, range: range, samples: samples).tableAccuracy
    }
    #expect(accuracy(0, 100) > 200)
    #expect(accuracy(4e6, 100) < 30_000)
    #expect(accuracy(1000, 1) > accuracy(1000, 50) * 1.5)
  }

  @Test("a cell id that is used again far away starts over") func elsewhere() {
    var cell = learnt(20, east: 500, days: 3)
    cell.observe(at: Taught.fix(east: 90_000, minute: 9000))
    #expect(cell.fixes == 1)
  }

  /// 14 reports of an emulated phone, ten seconds apart at one spot, allow no statement about
  /// accuracy.
  @Test(
    "the reports of a real collector, two minutes at one spot, give no location",
    .enabled(
      if: RealData.has("cells/neostumbler/valid_reports.db"),
      "SKIPPED: no cells/neostumbler/valid_reports.db; set GODWIT_DATA to the folder of the data"))
  func neoStumbler() throws {
    let path = RealData.folder + "/cells/neostumbler/valid_reports.db"
    let query = """
      SELECT r.timestamp / 1000, p.latitude, p.longitude, p.accuracy, p.speed,
        c.mobileCountryCode, c.mobileNetworkCode, c.locationAreaCode, c.cellId
      FROM Report r JOIN PositionEntity p ON p.reportId = r.id
        JOIN CellTowerEntity c ON c.reportId = r.id WHERE c.radioType = 'lte' ORDER BY 1
      """
    let rows = try run("sqlite3", "file:\(path)?immutable=1", query)
    try #require(rows.status == 0, "\(rows.output)")
    let pseudonyms = Pseudonyms(salt: [UInt8](repeating: 1, count: 16))
    var cell: LearntCell?
    var reports = 0
    for line in rows.output.split(separator: "\n") {
      let words = line.split(separator: "|").map(String.init)
      let numbers = words.compactMap(Double.init)
      let identity = try #require(
        CellIdentity(
          radio: .lte, mcc: UInt16(numbers[5]), mnc: UInt16(numbers[6]), area: UInt32(numbers[7]),
          cell: UInt64(numbers[8])))
      let fix = try #require(
        TrainingFix(
          time: UTCInstant(seconds: numbers[0]),
          position: Coordinate(latitude: Degrees(numbers[1]), longitude: Degrees(numbers[2])),
          accuracy: Metres(numbers[3]), speed: MetresPerSecond(numbers[4])))
      reports += 1
      guard reports % 2 == 1 else { continue }
      cell = RadioMapSample(hearings: [], cell: pseudonyms.of(identity.text), fix: fix).applied(
        to: cell)
    }
    #expect(reports == 14)
    let learnt = try #require(cell)
    #expect(learnt.fixes == 1)
    #expect(CellPosition(learnt: learnt, table: nil) == nil)
  }
}
