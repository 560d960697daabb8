import Formats
import Core
import Testing

@Suite struct StayTableTests {
  private func table(_ text: String) throws -> StayTable { try StayTable(Array(text.utf8)) }

  private func refusal(_ text: String) -> String {
    do {
      _ = try table(text)
      return ""
    } catch { return "\(error)" }
  }

  @Test("stays written by --truth-stays are read") func json() throws {
    let stays = try table(
      """
      [{"arrival":"2026-05-04T08:00:00.000Z","departure":"2026-05-04T09:00:00Z","lat":53,"lon":6,
        "name":"home"},
       {"arrival":"2026-05-04T07:00:00Z","departure":"2026-05-04T07:30:00Z","scored":false}]
      """)
    #expect(stays.rows.map(\.number) == [2, 1])
    #expect(stays.rows.map(\.isScored) == [false, true])
    #expect(stays.rows[1].arrival == ISO8601.parse("2026-05-04T08:00:00Z"))
  }

  @Test("a place of a stay is read, and a wrong one is refused") func places() throws {
    let home = Coordinate(latitude: 53.2, longitude: -6.5)
    let times = (#""2026-05-04T08:00:00Z""#, #""2026-05-04T09:00:00Z""#)
    func json(_ place: String) -> String {
      #"[{"arrival":\#(times.0),"departure":\#(times.1)\#(place)}]"#
    }
    #expect(try table(json(#","lat":53.2,"lon":-6.5"#)).rows[0].position == home)
    #expect(try table(json(#","lat":null"#)).rows[0].position == nil)
    let row = "2026-05-04T08:00:00Z,2026-05-04T09:00:00Z"
    #expect(try table("arrival,departure,lat,lon\n\(row),53.2,-6.5\n").rows[0].position == home)
    #expect(try table("start,end,longitude,latitude\n\(row),,\n").rows[0].position == nil)
    for wrong in [#","lat":53.2"#, #","lat":"53","lon":6"#, #","lat":91,"lon":6"#] {
      #expect(refusal(json(wrong)).contains("within ±90"), "\(wrong)")
    }
    for wrong in ["53.2,", "x,6", "53,181", "nan,6"] {
      let text = refusal("arrival,departure,lat,lon\n\(row),\(wrong)\n")
      #expect(text.contains("line 2") && text.contains("within ±90"), "\(wrong): \(text)")
    }
  }

  @Test("a table in any order, with other columns and several traces is read") func csv() throws {
    let stays = try table(
      """
      # of a diary
      user_day;end;note;start;scored
      "a";2024-05-29T10:00:00Z;"x; y";2024-05-29T09:00:00Z;1
      b;1716976800.5;;1716973200;0
      """)
    #expect(stays.rows.map(\.trace) == ["a", "b"])
    #expect(stays.rows.map(\.isScored) == [true, false])
    #expect(stays.rows[1].departure - stays.rows[1].arrival == 3600.5)
  }

  @Test("times without a zone use utc_offset, or are reported") func zones() throws {
    let row = "2026-05-04 09:00:00,2026-05-04 10:00:00"
    let bare = try table("arrival,departure\n2026-05-04T07:00:00Z,1777881600\n\(row)\n")
    #expect(bare.firstWithoutZone == 3)
    #expect(bare.rows[1].arrival == ISO8601.parse("2026-05-04T09:00:00Z"))
    let json = #"[{"arrival":"2026-05-04T09:00:00","departure":"2026-05-04T10:00:00Z"}]"#
    #expect(try table(json).firstWithoutZone == 1)
    for header in ["arrival,departure,utc_offset\n\(row),", "utc_offset,start,end\n"] {
      for offset in ["+02:00", "2", "7200"] {
        let text = header.hasSuffix(",") ? header + offset : header + offset + "," + row
        let stays = try table(text)
        #expect(stays.firstWithoutZone == nil, "\(text)")
        #expect(stays.rows[0].arrival == ISO8601.parse("2026-05-04T07:00:00Z"))
        #expect(stays.rows[0].departure == ISO8601.parse("2026-05-04T08:00:00Z"))
      }
    }
    let refused = refusal("arrival,departure,utc_offset\n\(row),Amsterdam\n")
    #expect(refused.contains("line 2") && refused.contains("Amsterdam"), "\(refused)")
  }

  @Test("spreadsheet day numbers among dates are refused with their line") func spreadsheetDays() {
    let refused = refusal("arrival,departure\n1777878000,1777881600\n46146.5,46146.6\n")
    #expect(refused.contains("line 3") && refused.contains("spreadsheet"), "\(refused)")
  }

  @Test("stays of one trace must not overlap; those of different traces may")
  func overlaps() throws {
    let rows = "2026-05-04T08:00:00Z,2026-05-04T10:00:00Z"
    let other = "2026-05-04T09:00:00Z,2026-05-04T11:00:00Z"
    let refused = refusal("arrival,departure\n\(rows)\n\(other)\n")
    #expect(refused.contains("line 3") && refused.contains("line 2"), "\(refused)")
    #expect(try table("trace,arrival,departure\na,\(rows)\nb,\(other)\n").rows.count == 2)
    #expect(try table("arrival,departure,scored\n\(rows),1\n\(other),0\n").rows.count == 2)
  }

  @Test("an invalid table of stays is refused with the line and the remedy")
  func refusals() {
    #expect(refusal("").contains("trace,arrival,departure"))
    #expect(refusal("time,lat,lon\n1,2,3\n").contains("no column \"arrival\""))
    #expect(refusal("arrival,departure\nnoon,2026-05-04T10:00:00Z\n").contains("line 2: \"noon\""))
    #expect(
      refusal("arrival,departure\n2026-05-04T10:00:00Z,2026-05-04T10:00:00Z\n")
        .contains("ends before it begins"))
    #expect(refusal("[{\"arrival\":\"2026-05-04T10:00:00Z\"}]").contains("\"departure\""))
    #expect(refusal("[").contains("not JSON"))
    #expect(refusal("arrival,departure,scored\n1,2,maybe\n").contains("scored must be 1 or 0"))
    #expect(refusal(scored("\"maybe\"")).contains("must be true or false, not \"maybe\""))
    #expect(refusal(scored("[]")).contains("must be true or false"))
  }

  private func scored(_ value: String) -> String {
    "[{\"arrival\":\"2026-05-04T07:00:00Z\",\"departure\":\"2026-05-04T07:30:00Z\","
      + "\"scored\":\(value)}]"
  }

  @Test(
    "in JSON a scored flag is a boolean, a number or a word",
    arguments: [("true", true), ("false", false), ("0", false), ("1", true), ("\"false\"", false)])
  func scoredInJSON(value: String, counts: Bool) throws {
    let read = try table(scored(value))
    #expect(read.rows.map(\.isScored) == [counts])
  }
}
