import Formats
import Foundation
import Core
import RealData
import Records
import Testing

@Suite struct CellTableReaderTests {
  private static let header =
    "radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal\n"
  private static let row =
    "UMTS,262,2,801,86355,0,13.285512,52.522202,1000,7,1,1282569574,1300155341,0\n"

  private func read(
    _ text: String, piece: Int = 1 << 20
  ) -> (rows: [CellRow], reader: CellTableReader) {
    var reader = CellTableReader(latest: 1_800_000_000)
    var rows: [CellRow] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: piece) {
      Array(bytes[start..<min(start + piece, bytes.count)]).withUnsafeBufferPointer {
        reader.feed($0) { rows.append($0) }
      }
    }
    reader.finish { rows.append($0) }
    return (rows, reader)
  }

  @Test("a row gives a cell and its position, with and without a header, however it is split")
  func row() throws {
    for text in [Self.header + Self.row, Self.row, "\u{FEFF}" + Self.header + Self.row] {
      for piece in [1, 7, 1000] {
        let (rows, reader) = read(text, piece: piece)
        let row = try #require(rows.first)
        #expect(rows.count == 1)
        #expect(row.cell.text == "umts 262-02-321-15153")
        #expect(row.position == Coordinate(latitude: 52.522202, longitude: 13.285512))
        #expect(row.range == 1000)
        #expect(row.samples == 7)
        #expect(row.updated == 1_300_155_341)
        #expect(reader.offset == text.utf8.count)
        #expect(reader.faults.isEmpty)
      }
    }
  }

  @Test("fields may be quoted, as by spreadsheets") func quoted() throws {
    func quoted(_ line: String) -> String {
      line.split(whereSeparator: \.isNewline)[0].split(separator: ",").map { "\"\($0)\"" }
        .joined(separator: ",") + "\r\n"
    }
    for text in [quoted(Self.row), quoted(Self.header) + quoted(Self.row)] {
      let (rows, reader) = read(text)
      #expect(rows == read(Self.row).rows && rows.count == 1)
      #expect(reader.faults.isEmpty)
    }
  }

  @Test("columns may come in another order, and some may be missing") func otherOrder() throws {
    let text = "lat,lon,cell,area,mnc,mcc,radio\r\n52.5,13.3,7,801,2,262,gsm\r\n"
    let row = try #require(read(text).rows.first)
    #expect(row.cell.text == "gsm 262-02-321-7")
    #expect(row.range == 0 && row.samples == 0 && row.updated == 0)
  }

  @Test(
    "nonsense is counted by its kind of error",
    arguments: [
      ("GSM,262,2", CellRowFault.tooFewColumns),
      ("WIMAX,262,2,801,1795,0,13.2,52.5,5716,9,1,1,1,0", .unknownRadio),
      ("GSM,262,x,801,1795,0,13.2,52.5,5716,9,1,1,1,0", .noNumber),
      ("GSM,262,2,801,-5,0,13.2,52.5,5716,9,1,1,1,0", .noNumber),
      ("GSM,262,2,801,1795,0,nan,52.5,5716,9,1,1,1,0", .noNumber),
      ("GSM,262,2,801,99999999999999999999,0,13.2,52.5,5716,9,1,1,1,0", .noNumber),
      ("GSM,2620,2,801,1795,0,13.2,52.5,5716,9,1,1,1,0", .noSuchCell),
      ("GSM,262,2,801,70000,0,13.2,52.5,5716,9,1,1,1,0", .noSuchCell),
      ("LTE,262,2,801,0,0,13.2,52.5,5716,9,1,1,1,0", .noSuchCell),
      ("GSM,262,2,801,1795,0,213.2,52.5,5716,9,1,1,1,0", .noPosition),
      ("GSM,262,2,801,1795,0,0,0,5716,9,1,1,1,0", .noPosition),
      ("GSM,262,2,801,65535,0,13.2,52.5,5716,9,1,1,1,0", .noSuchCell),
      ("GSM,262,2,801,1795,0,13.2,52.5,5716,9,1,1,1e300,0", .ahead),
      ("GSM,262,2,801,1795,0,13.2,52.5,5716,9,1,1,4600000000,0", .ahead),
      ("GSM,262,2,801,1795,0,5,1,52,1,5716,9,1,1,1,0", .tooManyColumns),
      (String(repeating: "x", count: 5000), .tooLong),
      ("\0\u{1}\u{2}", .tooFewColumns),
    ])
  func nonsense(line: String, fault: CellRowFault) {
    for piece in [3, 4096] {
      let (rows, reader) = read(Self.header + line + "\n\n" + Self.row, piece: piece)
      #expect(rows.count == 1)
      #expect(reader.faults == [fault: 1], "\(reader.faults)")
    }
  }

  @Test("absurdly large numbers are limited") func bounded() throws {
    let text = "GSM,262,2,801,1795,0,13.2,52.5,1e300,1e300,1,1,1,0\n"
    let row = try #require(read(text).rows.first)
    #expect(row.range <= 2e7)
    #expect(row.samples <= 1_000_000_000)
    let unknown = try #require(
      read("GSM,262,2,801,1795,0,13.2,52.5,-1,,1,1,-9,0\n").rows.first)
    #expect(unknown.range == 0 && unknown.samples == 0 && unknown.updated == 0)
  }

  @Test("reading resumed in the middle of the file gives the same result") func goingOn() {
    let lines = (1...50).map { "GSM,262,2,801,\($0),0,13.2,52.5,100,9,1,1,\($0),0\n" }
    let text = Self.header + lines.joined()
    let whole = read(text).rows
    let bytes = Array(text.utf8)
    for cut in [10, 95, 300, 1000, bytes.count] {
      var first = CellTableReader()
      var rows: [CellRow] = []
      Array(bytes[..<cut]).withUnsafeBufferPointer { first.feed($0) { rows.append($0) } }
      var second = CellTableReader(from: first.offset, header: first.header)
      Array(bytes[first.offset...]).withUnsafeBufferPointer {
        second.feed($0) { rows.append($0) }
      }
      second.finish { rows.append($0) }
      #expect(rows == whole, "cut at \(cut)")
      #expect(second.offset == bytes.count)
    }
  }

  @Test(
    "the sample of the real format is read whole",
    .enabled(
      if: RealData.has("cells/format/cell_towers.sample.csv"),
      "SKIPPED: no cells/format/cell_towers.sample.csv; set GODWIT_DATA to the folder of the data"))
  func sample() throws {
    let text = try String(
      contentsOfFile: RealData.folder + "/cells/format/cell_towers.sample.csv", encoding: .utf8)
    let (rows, reader) = read(text)
    #expect(rows.count == 6)
    #expect(reader.faults.isEmpty)
    #expect(Set(rows.map(\.cell.radio)) == [.umts, .gsm, .lte])
  }
}
