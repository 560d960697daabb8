import Formats
import Core
import TestSupport
import Testing

/// Traces of several individuals, and invalid times.
@Suite struct TraceRefusalTests {
  private static func text(_ header: String, _ row: (Int) -> String, count: Int = 60) -> String {
    ([header] + (0..<count).map(row)).joined(separator: "\n") + "\n"
  }

  private static func time(_ index: Int) -> String {
    let (minute, second) = (index / 3, index % 3 * 20)
    return "2026-05-01T08:\(minute < 10 ? "0" : "")\(minute):\(second == 0 ? "00" : "\(second)")Z"
  }

  private func order(
    _ text: String, _ format: TraceFormat = .csv, individual: String? = nil
  ) throws -> TraceRun.Ordered {
    try TraceRun.order(text, format, individual: individual)
  }

  @Test(
    "a column that names devices identifies individuals",
    arguments: [
      "device", "device_id", "vehicle_id", "imei", "Device Name", "tid", "tag_id", "collar_id",
      "driver", "License Plate", "bird_id",
      "mmsi", "tag-local-identifier",
    ])
  func devices(column: String) throws {
    let table = Self.text("\(column),time,lat,lon") {
      "v\($0 % 2),\(Self.time($0)),52.1,\($0 % 2 == 0 ? 5.1 : 5.1001)"
    }
    let refusal = thrown(TraceRefusal.self) { try order(table) }
    #expect(refusal?.description.contains("2 individuals") == true)
    #expect(refusal?.description.contains("'v0', 'v1'") == true)
    #expect(try order(table, individual: "v1").positions == 30)
  }

  @Test("numbers of tracks or rows identify individuals if they are apart at one time")
  func weakNames() throws {
    for column in ["track_id", "id"] {
      let header = "\(column),time,lat,lon"
      let apart = Self.text(header) {
        "\($0 % 2 + 1),\(Self.time($0)),\($0 % 2 == 0 ? 52.1 : 52.105),5.1"
      }
      let refusal = thrown(TraceRefusal.self) { try order(apart) }
      #expect(refusal?.description.contains("far apart at the same time") == true)
      #expect(try order(apart, individual: "2").positions == 30)
      let following = Self.text(header) { "\($0 / 30),\(Self.time($0)),52.1,5.1" }
      #expect(try order(following).positions == 60)
      let numbered = Self.text(header) { "\($0),\(Self.time($0)),52.1,5.1" }
      #expect(try order(numbered).positions == 60)
    }
  }

  @Test("long names, and names with quotes, are selected as they are in the file")
  func names() throws {
    let long = String(repeating: "Björn ", count: 20) + "1"
    let quoted = #"a "b""#
    let table = Self.text("animal,time,lat,lon") {
      "\($0 % 2 == 0 ? long : #""a ""b""""#),\(Self.time($0)),52.1,5.1"
    }
    for name in [long, quoted] { #expect(try order(table, individual: name).positions == 30) }
  }

  @Test("tracks some hundred metres apart at the same time belong to different persons")
  func tracksNearby() throws {
    func gpx(_ metres: Double) -> String {
      func points(_ shift: Double, _ seconds: String) -> String {
        (0..<40).map {
          "<trkpt lat=\"\(52.1 + shift + Double($0) / 10_000)\" lon=\"5.1\">"
            + "<time>2026-05-01T08:\($0 < 10 ? "0" : "")\($0):\(seconds)Z</time></trkpt>"
        }.joined()
      }
      return "<gpx><trk><trkseg>\(points(0, "00"))</trkseg></trk>"
        + "<trk><trkseg>\(points(metres / 111_195, "07"))</trkseg></trk></gpx>"
    }
    for metres in [300.0, 900] {
      let refusal = thrown(TraceRefusal.self) { try order(gpx(metres), .gpx) }
      #expect(refusal?.description.contains("far apart at the same time") == true)
    }
    #expect(try order(gpx(20), .gpx).positions == 80)
  }

  @Test("positions that jump to and fro come from two receivers") func toAndFro() throws {
    let table = Self.text("time,lat,lon") { index in
      let minute = index / 30
      let second = index % 30 * 2
      return "2026-05-01T08:0\(minute):\(second < 10 ? "0" : "")\(second)Z,"
        + "\(index % 2 == 0 ? 52.1 : 52.108),5.1"
    }
    let refusal = thrown(TraceRefusal.self) { try order(table) }
    #expect(refusal?.description.contains("two receivers") == true)
  }

  @Test("spreadsheet day numbers are not seconds, and seconds since the start are reported")
  func numbers() throws {
    let days = Self.text("time,lat,lon") { "\(46_085.25 + Double($0) / 4320),52.1,5.1" }
    let refusal = thrown(TraceRefusal.self) { try order(days) }
    #expect(refusal?.description.contains("day numbers of a spreadsheet") == true)
    let since = try order(Self.text("time,lat,lon") { "\($0 * 20),52.1,5.1" })
    #expect(since.positions == 60 && since.sentences.contains("all its times are of 1970"))
  }

  @Test("rows that the file itself marks as wrong are left out and reported")
  func disowned() throws {
    for (header, right, wrong) in [
      ("visible,timestamp,location-lat,location-long", "true", "false"),
      ("valid,fixTime,latitude,longitude", "1", "0"),
      ("algorithm-marked-outlier,timestamp,location-lat,location-long", "", "true"),
      ("manually-marked-outlier,timestamp,location-lat,location-long", "false", "TRUE"),
    ] {
      let found = try order(
        Self.text(header) {
          let isWrong = (20..<30).contains($0)
          return "\(isWrong ? wrong : right),\(Self.time($0)),52.1,\(isWrong ? 6 : 5.1)"
        })
      #expect(found.positions == 50)
      #expect(found.sentences.contains("10 positions that the file itself marks as wrong"))
      #expect(found.sentences.contains("line 22"))
    }
  }

  @Test("speeds in knots, and in km/h at long intervals, are rejected; right ones are accepted")
  func units() throws {
    func table(step: Int, factor: Double) -> String {
      Self.text("time,lat,lon,speed") { index in
        // 10 m/s with bends.
        let way = Double(index * step) * 10 / 111_195
        let bend = index % 2 == 0 ? 0 : 0.0003
        return "\(1_777_593_600 + index * step),\(52 + way),\(5 + bend),\(10 * factor)"
      }
    }
    for (step, factor) in [(20, 3600.0 / 1852), (300, 3.6), (5, 2.24)] {
      #expect(try order(table(step: step, factor: factor)).sentences.contains("speeds"))
      #expect(try order(table(step: step, factor: 1.05)).sentences.isEmpty)
    }
  }
}
