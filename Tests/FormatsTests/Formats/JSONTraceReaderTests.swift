import Formats
import Foundation
import Core
import TestSupport
import Testing

/// Each form has the same content: 52.1° N 5.1° E at 08:00:00 and 08:00:30.
@Suite struct JSONTraceReaderTests {
  private static let start = UTCInstant(seconds: 1_777_622_400)
  private static let place = Coordinate(latitude: 52.1, longitude: 5.1)
  private static let feature: String =
    #"{"type":"Feature","geometry":{"type":"Point","coordinates":[5.1,52.1]},"properties":{"#

  private func read(_ text: String, pieces: Int = 1 << 20) throws -> ([TraceSample], TraceLosses) {
    #expect(TraceFormat.detect(head: Array(text.utf8)) == .json, "\(text.prefix(60))")
    return try TraceRun.read(text, .json, pieces: pieces)
  }

  private static let texts: [String] = [
    // OwnTracks: one message per line, a list, and the recorder's file.
    #"""
    {"_type":"location","lat":52.1,"lon":5.1,"tst":1777622400}
    {"_type":"transition","tst":1777622410}
    {"_type":"location","lat":52.1,"lon":5.1,"tst":1777622430}
    """#,
    #"""
    [{"_type":"location","lat":52.1,"lon":5.1,"tst":1777622400},
    {"_type":"location","lat":52.1,"lon":5.1,"tst":1777622430}]
    """#,
    "2026-05-01T08:00:00Z\t*\t{\"_type\":\"location\",\"lat\":52.1,\"lon\":5.1,"
      + "\"tst\":1777622400}\n2026-05-01T08:00:20Z\tlwt\t{\"_type\":\"lwt\",\"tst\":1}\n"
      + "2026-05-01T08:00:30Z\t*\t{\"_type\":\"location\",\"lat\":52.1,\"lon\":5.1,"
      + "\"tst\":1777622430}\n",
    // Google: records, the semantic history, and two kinds of the phone's history.
    #"""
    {"locations":[{"latitudeE7":521000000,"longitudeE7":51000000,"timestampMs":"1777622400000"},
    {"latitudeE7":521000000,"longitudeE7":51000000,"timestamp":"2026-05-01T08:00:30Z"}]}
    """#,
    #"""
    {"timelineObjects":[{"placeVisit":{"location":{"latitudeE7":521000000,"longitudeE7":51000000},
    "duration":{"startTimestamp":"2026-05-01T08:00:00Z","endTimestamp":"2026-05-01T08:00:30Z"}}}]}
    """#,
    #"""
    {"timelineObjects":[{"activitySegment":{"duration":{},"simplifiedRawPath":{"points":[
    {"latE7":521000000,"lngE7":51000000,"timestampMs":"1777622400000"},
    {"latE7":521000000,"lngE7":51000000,"timestamp":"2026-05-01T08:00:30Z"}]}}}]}
    """#,
    #"""
    {"semanticSegments":[{"startTime":"2026-05-01T08:00:00Z","endTime":"2026-05-01T09:00:00Z",
    "timelinePath":[{"point":"52.1°, 5.1°","time":"2026-05-01T10:00:00+02:00"},
    {"point":"52.1°, 5.1°","time":"2026-05-01T08:00:30Z"}]}],"userLocationProfile":{"a":[1]}}
    """#,
    #"""
    {"semanticSegments":[],"rawSignals":[{"wifiScan":{}},
    {"position":{"LatLng":"52.1°, 5.1°","timestamp":"2026-05-01T08:00:00Z"}},
    {"position":{"LatLng":"52.1°, 5.1°","timestamp":"2026-05-01T08:00:30Z"}}]}
    """#,
    #"""
    [{"startTime":"2026-05-01T08:00:00Z","endTime":"2026-05-01T08:00:30Z",
    "visit":{"topCandidate":{"placeLocation":"geo:52.1,5.1"}}}]
    """#,
    #"""
    [{"startTime":"2026-05-01T08:00:00Z","timelinePath":[
    {"point":"geo:52.1,5.1","durationMinutesOffsetFromStartTime":"0"},
    {"point":"geo:52.1,5.1","durationMinutesOffsetFromStartTime":"0.5"}]}]
    """#,
    // Overland's batch, GeoJSON's points and its line.
    "{\"locations\":[\(feature)\"timestamp\":\"2026-05-01T08:00:00Z\",\"speed\":-1}},"
      + "\(feature)\"timestamp\":\"2026-05-01T08:00:30Z\"}}]}",
    "{\"type\":\"FeatureCollection\",\"features\":[\(feature)\"time\":1777622400}},"
      + "\(feature)\"time\":1777622430000}}]}",
    #"""
    {"type":"Feature","geometry":{"type":"LineString","coordinates":[[5.1,52.1],[5.1,52.1]]},
    "properties":{"coordTimes":["2026-05-01T08:00:00Z","2026-05-01T08:00:30Z"]}}
    """#,
  ]

  @Test("every form is read in pieces of any size") func forms() throws {
    let expected = [0.0, 30].map {
      TraceSample(time: Self.start + Seconds($0), position: Self.place)
    }
    for text in Self.texts {
      for size in [1, 7, 1 << 20] {
        let (samples, losses) = try read(text, pieces: size)
        #expect(samples == expected, "\(text)")
        #expect(losses.first == nil && losses.values == 0, "\(text) \(losses)")
      }
    }
  }

  @Test("heights, accuracies and speeds are read, each in its unit") func values() throws {
    for text in [
      #"{"_type":"location","lat":52.1,"lon":5.1,"tst":1777622400,"alt":3,"acc":12,"vel":36}"#,
      #"{"locations":[{"latitudeE7":521000000,"longitudeE7":51000000,"timestamp":1777622400,"#
        + #""altitude":3,"accuracy":12,"velocity":10}]}"#,
      "{\"locations\":[\(Self.feature)\"timestamp\":1777622400,\"altitude\":3,\"speed\":10,"
        + "\"horizontal_accuracy\":12}}]}",
    ] {
      let sample = try #require(try read(text).0.first)
      #expect(sample.altitude == 3 && sample.accuracy == 12, "\(text)")
      #expect((sample.speed.map { abs($0.value - 10) } ?? 1) < 1e-9)
    }
  }

  @Test("an invalid position drops only itself, with its line")
  func faults() throws {
    let good = #"{"_type":"location","lat":52.1,"lon":5.1,"tst":1777622400}"#
    for bad in [
      #"{"_type":"location","lat":91,"lon":5.1,"tst":1777622400}"#,
      #"{"_type":"location","lat":52.1,"lon":5.1,"tst":"soon"}"#,
      #"{"_type":"location","lat":52.1,"lon":5.1}"#, #"{"_type":"location","tst":1777622400}"#,
      #"{"_type":"location",}"#,
    ] {
      let (samples, losses) = try read("\(good)\n\(bad)\n\(good)\n")
      #expect(samples.count == 2 && losses.rows == 1 && losses.firstRow?.line == 2, "\(losses)")
    }
    let worded = good.replacingOccurrences(of: "}", with: ",\"acc\":\"3 m\"}")
    let (samples, losses) = try read("\(good)\n\(worded)\n")
    #expect(samples.count == 2 && losses.values == 1 && losses.firstValue?.line == 2)
    let local = good.replacingOccurrences(of: "1777622400", with: "\"2026-05-01T08:00:00\"")
    #expect(try read("\(good)\n\(local)\n").1.firstWithoutZone == 2)
  }

  @Test("the person of the positions is read") func individuals() throws {
    let owntracks = (0..<2).map {
      #"{"_type":"location","lat":52.1,"lon":5.1,"tst":1777622400,"topic":"o/\#($0)/p"}"#
    }
    let overland = (0..<2).map {
      "\(Self.feature)\"timestamp\":1777622400,\"device_id\":\"o/\($0)/p\"}}"
    }
    let google = (0..<2).map {
      #"{"latitudeE7":521000000,"longitudeE7":51000000,"timestamp":1777622400,"deviceTag":\#($0)}"#
    }
    for (items, names) in [
      (owntracks, ["o/0/p", "o/1/p"]), (overland, ["o/0/p", "o/1/p"]), (google, ["0", "1"]),
    ] {
      var rows: [TraceRow] = []
      var reader = try #require(TraceReader(.json))
      let text = "{\"locations\":[\(items.joined(separator: ","))]}"
      try Array(text.utf8).withUnsafeBufferPointer { try reader.feed($0, into: &rows) }
      #expect(reader.individuals?.names == names && rows.map(\.individual) == [0, 1])
    }
  }

  @Test("a visit before the path within it does not count as a wrong date")
  func itemsWithTwoTimes() throws {
    func visit(_ start: Int, _ end: Int) -> String {
      #"{"startTime":"2026-05-01T\#(start):00:00Z","endTime":"2026-05-01T\#(end):00:00Z","#
        + #""visit":{"topCandidate":{"placeLocation":"geo:52.1,5.1"}}}"#
    }
    let path =
      #"{"startTime":"2026-05-01T12:00:00Z","endTime":"2026-05-01T14:00:00Z","timelinePath":["#
      + #"{"point":"geo:52.1,5.1","durationMinutesOffsetFromStartTime":"5"},"#
      + #"{"point":"geo:52.1,5.1","durationMinutesOffsetFromStartTime":"50"}]}"#
    let text = "[\(visit(10, 12)),\(visit(12, 13)),\(visit(13, 23)),\(path)]"
    var rows: [TraceRow] = []
    var reader = try #require(TraceReader(.json))
    try Array(text.utf8).withUnsafeBufferPointer { try reader.feed($0, into: &rows) }
    var ordering = TraceOrdering()
    ordering.take(rows, of: nil)
    let kept = try #require(try ordering.finish(nil, of: nil))
    #expect(ordering.findings.wrongDates.count == 0 && kept.last?.line == rows[4].line)
    #expect(kept.count + ordering.findings.repeats.count == 8)
  }

  @Test("an offset beyond the path's end is not a time", arguments: ["1e300", "-5", "121.5", "x"])
  func offsetsBeyondTheEnd(offset: String) throws {
    let (samples, losses) = try read(
      #"[{"startTime":"2026-05-01T12:00:00Z","endTime":"2026-05-01T14:00:00Z","timelinePath":["#
        + #"{"point":"geo:52.1,5.1","durationMinutesOffsetFromStartTime":"120"},"#
        + #"{"point":"geo:52.1,5.1","durationMinutesOffsetFromStartTime":"\#(offset)"}]}]"#)
    #expect(samples.count == 1 && losses.rows == 1)
  }

  @Test("stays of a Godwit export are recognised") func ownExport() throws {
    let own = ["visit", "destination"].map { "\(Self.feature)\"kind\":\"\($0)\"}}" }
    let point =
      "\(Self.feature)\"kind\":\"track\",\"coordTimes\":[\"2026-05-01T08:00:00Z\"]}}"
    let (samples, losses) = try read("[\((own + [point]).joined(separator: ","))]")
    #expect(samples.map(\.time) == [Self.start] && losses.places == 2 && losses.rows == 0)
    let theirs = "\(Self.feature)\"kind\":\"visit\",\"time\":1777622400}}"
    #expect(try read("[\(theirs)]").0.count == 1)
  }

  @Test("neither a property called class nor the order of keys makes it a report of gpsd")
  func detection() throws {
    let feature = "\(Self.feature)\"class\":\"walk\",\"time\":1777622400}}"
    #expect(try read("{\"type\":\"FeatureCollection\",\"features\":[\(feature)]}").0.count == 1)
    #expect(
      try read(
        "2026-05-01T08:00:00Z\t*\t{\"tst\":1777622400,\"lat\":52.1,\"lon\":5.1,"
          + "\"_type\":\"location\"}\n"
      ).0.count == 1)
    #expect(TraceFormat.detect(head: Array(#"{ "class":"TPV","time":1}"#.utf8)) == .gpsd)
  }

  @Test("a truncated file keeps the positions before the cut") func cutFiles() throws {
    let (samples, losses) = try read(
      #"{"locations":[{"latitudeE7":521000000,"longitudeE7":51000000,"timestamp":1777622400},{"#)
    #expect(samples.count == 1 && losses.cut != nil)
    #expect(throws: TraceError.self) { try read(#"{"locations":[{"latitudeE7":1]}"#) }
  }

  @Test(
    "JSON of other kinds is not a trace",
    arguments: [
      #"{"class":"TPV","mode":3}"#, #"{"a":[1,2]}"#, "[1,2,3]",
      #"[{"arrival":"2026-05-01T08:00:00Z","lat":52.1,"lon":5.1}]"#,
    ])
  func otherJSON(text: String) {
    #expect(TraceFormat.detect(head: Array(text.utf8)) != .json)
  }
}
