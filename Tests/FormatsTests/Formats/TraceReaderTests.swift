import Formats
import Core
import TestSupport
import Testing

private enum Sample {
  static let plt = """
    Geolife trajectory
    WGS 84
    Altitude is in Feet
    Reserved 3
    0,2,255,My Track,0,0,2,8421376
    0
    39.906631,116.385564,0,492,39925.4489583333,2009-04-22,10:46:30
    39.906554,116.385625,0,-777,39925.4490162037,2009-04-22,10:46:35

    """
}

@Suite struct TraceReaderTests {
  @Test("an impossible height counts as unknown", arguments: [-32768, -99_999, -9999, 1e9])
  func impossibleHeights(height: Double) throws {
    for (text, format) in [
      ("time,lat,lon,ele\n1777593600,1,2,\(height)\n1777593601,1,2,-400\n", .csv),
      (
        "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"><ele>\(height)</ele>"
          + "<time>2026-05-01T00:00:00Z</time></trkpt><trkpt lat=\"1\" lon=\"2\">"
          + "<ele>-400</ele><time>2026-05-01T00:00:01Z</time></trkpt></trkseg></trk></gpx>", .gpx
      ),
      (
        #"{"_type":"location","lat":1,"lon":2,"tst":1777593600,"alt":\#(height)}"#
          + #"{"_type":"location","lat":1,"lon":2,"tst":1777593601,"alt":-400}"#, .json
      ),
    ] as [(String, TraceFormat)] {
      let (samples, losses) = try TraceRun.read(text, format)
      #expect(samples.map(\.altitude) == [nil, -400], "\(format)")
      #expect(losses.heights.count == 1 && losses.heights.first?.sample.altitude != nil)
      let told = TraceFindings().sentences(losses).joined()
      #expect(
        told.contains("left out the impossible height of 1 position") && losses.values == 0,
        "\(told)")
    }
  }

  @Test("a PLT file is read") func plt() throws {
    let samples = try TraceReader.samples(of: Array(Sample.plt.utf8), as: .plt)
    #expect(samples.count == 2)
    #expect(samples[0].time == UTCInstant(seconds: 1_240_397_190))
    #expect(samples[0].position == Coordinate(latitude: 39.906631, longitude: 116.385564))
    #expect(abs((samples[0].altitude?.value ?? 0) - 149.96) < 0.01)
    #expect(samples[1].altitude == nil)
    let error = thrown(TraceError.self) {
      try TraceReader.samples(of: Array((Sample.plt + "1,2,3\n").utf8), as: .plt)
    }
    #expect(error == TraceError(line: 9, "3 columns instead of PLT's 7"))
  }

  @Test(
    "a bad line of a PLT drops only that line",
    arguments: [
      "1,2,3", "99,116.4,0,492,39925.4,2009-04-22,10:46:30", "\0\0\0\0\0",
      "39.9,116.4,0,492,39925.4,2009-04-31,10:46:30", String(repeating: "x", count: 100_000),
    ])
  func aBadLineCostsThatLineAlone(line: String) throws {
    let good = Sample.plt.split(separator: "\n").suffix(1).joined()
    let text = Sample.plt + line + "\n" + good + "\n"
    for size in [100, 1 << 20] {
      let (samples, losses) = try TraceRun.read(text, .plt, pieces: size)
      #expect(samples.count == 3)
      #expect(losses.rows == 1 && losses.firstRow?.line == 9)
    }
  }

  @Test(
    "the format is recognised by the content, otherwise by the file name",
    arguments: [
      ("time,lat,lon\n", nil, TraceFormat.csv), ("user;LONG;LAT;DateTime\r\n", nil, .csv),
      ("\u{FEFF} <?xml version='1.0'?>\n<gpx>", nil, .gpx), (Sample.plt, nil, .plt),
      ("# a comment\n# another\n$GPGGA,1*00\n", nil, .receiver),
      ("!AIVDM,1,1,,A,1,0*00\n", nil, .receiver), ("56,N*11\r\n$GPRMC,\r\n", nil, .receiver),
      (#"{"class":"VERSION","release":"3.22"}"#, nil, .gpsd),
      ("<kml/>", nil, nil), ("nothing in particular", nil, nil), ("", nil, nil),
      ("", "walk.GPX", .gpx), ("a,b,c\n", "walk.csv", .csv), ("?", "x.nmea", .receiver),
      ("time,lat,lon\n", "walk.gpx", .csv), ("?", "x", nil),
    ] as [(String, String?, TraceFormat?)])
  func formatsAreRecognised(text: String, name: String?, format: TraceFormat?) {
    #expect(TraceFormat.detect(head: Array(text.utf8), fileName: name) == format)
  }

  @Test("a binary log of a receiver is recognised") func binaryReceiverLogsAreRecognised() {
    #expect(TraceFormat.detect(head: [0, 0xFF, 0xB5, 0x62, 1, 7]) == .receiver)
  }

  /// The samples are the same, however a file is split into pieces.
  @Test("the size of the pieces does not matter") func piecesOfAnySizeGiveTheSame() throws {
    let csv = "time,lat,lon,note\r\n1.5,1,2,\"a\nb\"\r\n2,3,4,\r\n3,5,6,c"
    let gpx = """
      <gpx><trk><trkseg><!-- c --><trkpt lat="1" lon="2"><time>1970-01-01T00:00:01Z</time><ele>3\
      </ele></trkpt><trkpt lat='1' lon='-2'><time>1970-01-01T00:00:02Z</time></trkpt></trkseg>
      </trk></gpx>
      """
    for (text, format) in [(csv, TraceFormat.csv), (gpx, .gpx), (Sample.plt, .plt)] {
      let bytes = Array(text.utf8)
      let whole = try TraceReader.samples(of: bytes, as: format)
      #expect(whole.count >= 2)
      for size in 1...17 {
        var reader = try #require(TraceReader(format))
        var rows: [TraceRow] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
          try Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBufferPointer {
            try reader.feed($0, into: &rows)
          }
        }
        try reader.finish(into: &rows)
        #expect(rows.map(\.sample) == whole, "\(format) in pieces of \(size)")
      }
    }
  }

  /// Seeded damage to valid files: an error with a line, or samples within the Earth; never a trap.
  @Test("damaged files never crash", arguments: 1...6 as ClosedRange<UInt64>)
  func damagedFilesNeverTrap(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let texts: [(String, TraceFormat)] = [
      (Sample.plt, .plt),
      (
        "time,lat,lon,ele,hacc,speed\n2026-05-01T00:00:00.5Z,52.5,-5.25,1,\"2\",3e0\n1.5,2,3\n",
        .csv
      ),
      (
        "<?xml?><gpx><!--c--><trk><trkseg><trkpt lat=\"1\" lon='2'><ele>&#49;</ele><time>"
          + "2026-05-01T00:00:00Z</time><![CDATA[x]]></trkpt></trkseg></trk></gpx>", .gpx
      ),
    ]
    let alphabet = Array("<>&;\"'=/![]-?#.,0159eE+- \n\r\t:TZ\0\u{FF}gpxtrk".utf8)
    for _ in 0..<2000 {
      let (text, format) = texts[Int(random.next() % 3)]
      var bytes = Array(text.utf8)
      for _ in 0...(random.next() % 4) {
        let index = Int(random.next() % UInt64(bytes.count))
        let byte = alphabet[Int(random.next() % UInt64(alphabet.count))]
        switch random.next() % 4 {
        case 0: bytes[index] = byte
        case 1: bytes.insert(byte, at: index)
        case 2: bytes.removeLast(min(bytes.count - 1, index))
        default: bytes.append(contentsOf: bytes[index...])
        }
      }
      do {
        let samples = try TraceReader.samples(of: bytes, as: format)
        #expect(samples.allSatisfy { $0.position.latitude.magnitude <= 90 })
      } catch { #expect(error.line >= 1 && !error.reason.isEmpty) }
    }
  }
}
