import Formats
import Core
import TestSupport
import Testing

@Suite struct CSVTraceReaderTests {
  private func read(_ text: String) throws -> [TraceSample] {
    try TraceReader.samples(of: Array(text.utf8), as: .csv)
  }

  private let plain = TraceSample(
    time: UTCInstant(nanoseconds: 1_777_593_600_500_000_000),
    position: Coordinate(latitude: 52.5, longitude: -5.25))

  @Test(
    "all kinds of tables are read",
    arguments: [
      "time,lat,lon\n2026-05-01T00:00:00.5Z,52.5,-5.25\n",
      "time,lat,lon\r\n2026-05-01T00:00:00.5Z,52.5,-5.25",
      "\u{FEFF}Longitude;Latitude;Time\n-5.25;52.5;2026-05-01 00:00:00.5\n",
      "user,ts,lng,LATITUDE,note\nnl1,1777593600.5,-5.25,52.5,\"a, b\nand c\"\n",
      "# made by hand\n\nx\tid\ty\ttimestamp\n-5.25\t1\t52.5\t1777593600500\n\n",
      "\"time\",\"lat\",\"lon\"\n\"2026-05-01T02:00:00.5+02:00\", 52.5 ,\"-5.25\"\n",
      "time_iso,ts,lat,lon\n2026-05-01T00:00:00.5Z,99,5.25e1,-.525E+01\n",
      "sep=;\nlon;lat;time\n-5,25;52,5;2026-05-01T00:00:00,5Z\n",
      "date,time,lat,lon\n2026-05-01,00:00:00.5,52.5,-5.25\n",
      "time,lat,lon,date\n02:00:00.5+02:00,52.5,-5.25,2026-05-01\n",
      "date,time,lat,lon\n2026-04-30,2026-05-01T00:00:00.5Z,52.5,-5.25\n",
      "location-long,location-lat,timestamp,visible\n-5.25,52.5,2026-05-01 00:00:00.500,true\n",
      "deviceId,fixTime,latitude,longitude,attributes\n"
        + "1,2026-05-01T00:00:00.500+00:00,52.5,-5.25,\"{\"\"a\"\":1,\"\"b\"\":2}\"\n",
      "user_id,tracked_at,longitude,latitude\n0,2026-05-01 00:00:00.5+00:00,-5.25,52.5\n",
      "date,time,lat,lon\n20260501,000000.5,52.5,-5.25\n",
      "UTC DATE,UTC TIME,LATITUDE,N/S,LONGITUDE,E/W\n2026/05/01,00:00:00.5,52.5,N,5.25,W\n",
      "INDEX,TAG,DATE,TIME,LATITUDE N/S,LONGITUDE E/W\n1,T,260501,000000.5,52.5N,5.25W\n",
      "time,lat,lon\n2026/05/01 00:00:00.5,52.5n,5.25w\n",
      "time,lat,lon\n2026/05/01 00:00:00.5,52.5 N,5.25 W\n",
      "time,utc_offset,lat,lon\n2026-05-01 02:00:00.5,+02:00,52.5,-5.25\n",
      "time,utc offset,lat,lon\n2026-05-01T02:00:00.5,7200,52.5,-5.25\n",
      "time,lat,lon,utcoffset\n2026-04-30T20:30:00.5,52.5,-5.25,-3.5\n",
      "time,lat,lon,utcoffset\n2026-05-01T00:00:00.5Z,52.5,-5.25,60\n",
      "\"sep=,\"\ntime,lat,lon\n2026-05-01T00:00:00.5Z,52.5,-5.25\n",
      "time,lat,lon\n,,\n2026-05-01T00:00:00.5Z,52.500000000000000000000,-005.25\n",
    ])
  func tablesOfAllKinds(text: String) throws { #expect(try read(text) == [plain]) }

  @Test("every column is read") func everyColumn() throws {
    let samples = try read(
      """
      speed,hacc,ele,time,lat,lon,hdop
      1.5,4.25,-3.5,2026-05-01T00:00:00.5Z,52.5,-5.25,9
      -1,-1,,2026-05-01T00:00:00.5Z,52.5,-5.25,
      ,,,2026-05-01T00:00:00.5Z,52.5,-5.25,1.2
      1.4651255592097872e-07,2e-400,3e+2,2026-05-01T00:00:00.5Z,52.5,-5.25,
      """)
    var full = plain
    full.altitude = -3.5
    full.accuracy = 4.25
    full.speed = 1.5
    var diluted = plain
    diluted.accuracy = 6
    var tiny = plain
    tiny.speed = MetresPerSecond(1.4651255592097872e-07)
    tiny.accuracy = 0
    tiny.altitude = 300
    #expect(samples == [full, plain, diluted, tiny])
  }

  @Test(
    "a UTC offset is read with its meaning",
    arguments: [
      ("+0200", 120), ("-0330", -210), ("-0800", -480), ("0200", 120), ("+1400", 840),
      ("+02:00", 120), ("2", 120), ("-3.5", -210), ("120", 120), ("-480", -480), ("7200", 120),
      ("-3600", -60), ("0", 0),
    ])
  func offsets(text: String, minutes: Double) throws {
    let samples = try read("time,utc_offset,lat,lon\n2026-05-01T00:00:00.5,\(text),52.5,-5.25\n")
    #expect(samples.map(\.time) == [plain.time - .minutes(minutes)])
  }

  @Test("12-hour times, and zeros removed by a spreadsheet, are read as times of the day")
  func timesOfTheDay() throws {
    for (header, row, time) in [
      ("date,time", "20260501,70000", "2026-05-01T07:00:00Z"),
      ("date,time", "20260501,70000.5", "2026-05-01T07:00:00.5Z"),
      ("date,time", "2026-05-01,7:00:00", "2026-05-01T07:00:00Z"),
      ("date,time,ampm", "2026-05-01,7:00:00,AM", "2026-05-01T07:00:00Z"),
      ("date,time,ampm", "2026-05-01,12:00:05,am", "2026-05-01T00:00:05Z"),
      ("date,time,am/pm", "2026-05-01,12:00:05,P.M.", "2026-05-01T12:00:05Z"),
      ("date,time,ampm", "2026-05-01,11:59:59,pm", "2026-05-01T23:59:59Z"),
      ("timestamp,AM PM,utc_offset", "2026-05-01 01:00:00,PM,+0100", "2026-05-01T12:00:00Z"),
    ] {
      let samples = try read("\(header),lat,lon\n\(row),52.5,-5.25\n")
      #expect(samples.map(\.time) == [ISO8601.parse(time)], "\(row)")
    }
    for (header, row) in [
      ("date,time,ampm", "2026-05-01,13:00:00,PM"), ("date,time,ampm", "2026-05-01,0:30:00,AM"),
      ("date,time,ampm", "2026-05-01,7:00:00,x"), ("time,ampm", "1777593600,AM"),
    ] {
      let losses = try TraceRun.read("\(header),lat,lon\n\(row),52.5,-5.25\n", .csv).1
      #expect(losses.firstRow?.reason.contains("12-hour") == true, "\(row)")
    }
  }

  @Test("few digits are hours, minutes and seconds only if other rows have all of them")
  func shortTimes() throws {
    let rows = [95_950, 100_000, 0, 5, 959].map { "20260501,\($0),52.5,-5.25\n" }
    let times = try read("date,time,lat,lon\n" + rows.joined()).map(\.time)
    let expected = ["09:59:50", "10:00:00", "00:00:00", "00:00:05", "00:09:59"].map {
      ISO8601.parse("2026-05-01T\($0)Z")
    }
    #expect(times == expected)
    let losses = try TraceRun.read(
      "date,time,lat,lon\n20260501,0700,52.5,-5.25\n20260501,959,52.5,-5.25\n", .csv
    ).1
    #expect(losses.rows == 2 && losses.firstRow?.reason.contains("may be hours") == true)
  }

  @Test(
    "numbers that read as dates are not times since 1970",
    arguments: ["202605040700", "260504070000", "20260504070000"])
  func digitsOfDates(time: String) throws {
    let losses = try TraceRun.read("time,lat,lon\n\(time),52.5,-5.25\n", .csv).1
    #expect(losses.rows == 1)
    let feature =
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[5,52]},"#
      + "\"properties\":{\"time\":\(time)}}"
    #expect(try TraceRun.read(feature, .json).1.rows == 1)
  }

  @Test("milliseconds before 2000 are read as times") func oldMilliseconds() throws {
    let samples = try read("time,lat,lon\n946684799999,52.5,-5.25\n")
    #expect(samples.first?.time == UTCInstant(nanoseconds: 946_684_799_999_000_000))
  }

  @Test("a number in a column of GPS time is not read as seconds since 1970")
  func gpsTimes() throws {
    let number = try TraceRun.read("gps_time,lat,lon\n1461913218,52.5,-5.25\n", .csv).1
    #expect(number.firstRow?.reason.contains("from 1980 or from 1970") == true)
    for text in [
      "gps_time,lat,lon\n2026-05-01T00:00:00.5Z,52.5,-5.25\n",
      "gps_date,gps_time,lat,lon\n2026-05-01,00:00:00.5,52.5,-5.25\n",
      "gps_time,unixtime,time,lat,lon\n1461913218,1,1777593600.5,52.5,-5.25\n",
    ] {
      #expect(try read(text) == [plain])
    }
  }

  @Test("columns beside a position are read by their words") func companions() throws {
    let south = Coordinate(latitude: -52.5, longitude: -5.25)
    let north = plain.position
    for (words, position) in [
      ("North,West", north), ("south,WEST", south), ("S,w", south), ("N,W", north),
    ] {
      let text = "time,lat,N/S,lon,E/W\n1777593600.5,52.5,%,5.25,#\n"
      let parts = words.split(separator: ",").map(String.init)
      let row = text.replacing("%", with: parts[0]).replacing("#", with: parts[1])
      #expect(try read(row).map(\.position) == [position], "\(words)")
    }
    for (value, count) in [
      ("A", 1), ("V", 0), ("valid", 1), ("Invalid", 0), ("1", 1), ("no", 0), ("SPS", 1),
      ("DGPS", 1), ("NO FIX", 0), ("Estimated", 0), ("Simulator", 0),
    ] {
      let (samples, losses) = try TraceRun.read(
        "time,lat,lon,valid\n1777593600.5,52.5,-5.25,\(value)\n", .csv)
      #expect(samples.count == count && losses.markedInvalid == 1 - count && losses.rows == 0)
    }
  }

  @Test(
    "an unknown word beside a position drops the row",
    arguments: [
      ("n/s", "up", "neither north nor south"), ("e/w", "N", "neither east nor west"),
      ("valid", "perhaps", "does not show whether"), ("visible", "A3", "does not show whether"),
      ("manually-marked-outlier", "V", "does not show whether"),
      ("utc_offset", "CEST", "is not an offset from UTC"),
    ])
  func unknownWords(column: String, word: String, reason: String) throws {
    let text =
      "time,lat,lon,\(column)\n2026-05-01 00:00:00,52.5,-5.25,\n"
      + "2026-05-01 00:00:00,52.5,-5.25,\(word)\n"
    let (samples, losses) = try TraceRun.read(text, .csv)
    #expect(samples.count == 1 && losses.rows == 1 && losses.firstRow?.line == 3)
    #expect(losses.firstRow?.reason.contains(reason) == true)
  }

  @Test("a row with more columns than the header is a fault, except for trailing separators")
  func wideRows() throws {
    for (text, rows) in [
      ("time,lat,lon\n1777593600.5,52,5,-5,25\n", 1),
      ("time,lat,lon,ele,note\n1777593600.5,52,5,-5,25,3\n", 1),
      ("time,lat,lon,ele\n1777593600.5,52.5,-5.25,3,5\n", 1),
      ("time,lat,lon\n1777593600.5,52.5,-5.25,,\n", 0),
      ("time,lat,lon,a,b\n1777593600.5,52.5,-5.25\n", 0),
      ("time,lat,lon,note\n1777593600.5,52.5,-5.25,\"1,2,3\"\n", 0),
    ] {
      let (samples, losses) = try TraceRun.read(text, .csv)
      #expect(samples.count == 1 - rows && losses.rows == rows, "\(text)")
      if rows > 0 { #expect(losses.firstRow?.reason.contains("decimal commas?") == true) }
    }
  }

  @Test("the speeds of each format are metres per second") func speedUnits() throws {
    for (header, speed) in [
      ("time,speed", 36.0), ("time,speed_kmh", 10), ("timestamp,ground-speed", 36),
      ("fixTime,protocol,speed", 18.52), ("fixTime,deviceId,speed", 18.52),
    ] {
      let protocolField = header.contains(",speed") && header.hasPrefix("fix") ? "osmand," : ""
      let samples = try read(
        "lat,lon,\(header)\n52.5,-5.25,2026-05-01T00:00:00.5Z,\(protocolField)36\n")
      let found = try #require(samples.first?.speed?.value)
      #expect(abs(found - speed) < 1e-9, "\(header)")
    }
  }

  @Test(
    "an invalid height, accuracy or speed drops only itself",
    arguments: [
      "nan", "NaN", "null", "None", "NA", "N/A", "-", "3 m", "\"3,5\"",
    ])
  func aBadValueCostsItselfAlone(value: String) throws {
    for column in ["ele", "hacc", "hdop", "speed"] {
      let text =
        "time,lat,lon,\(column)\n1777593600.5,52.5,-5.25,1\n"
        + "1777593600.5,52.5,-5.25,\(value)\n1777593600.5,52.5,-5.25,\(value)\n"
      let (samples, losses) = try TraceRun.read(text, .csv)
      #expect(samples.dropFirst() == [plain, plain], "\(column)")
      #expect(samples.count == 3 && losses.rows == 0)
      #expect(losses.values == 2 && losses.firstValue?.line == 3)
    }
  }

  @Test("a header within the table applies from there on") func joinedTables() throws {
    let (samples, losses) = try TraceRun.read(
      "time,lat,lon\n1777593600.5,52.5,-5.25\ntime,lon,lat\n1777593600.5,-5.25,52.5\n", .csv)
    #expect(samples == [plain, plain] && losses.rows == 0)
  }

  @Test("if no comma separates columns, decimals may have one") func decimalCommas() throws {
    let samples = try read("time;lat;lon;ele;hacc\n1777593600.5;52,5;-5,25;-3,5;4,25\n")
    #expect(samples.map(\.position) == [plain.position])
    #expect(samples.first?.altitude == -3.5 && samples.first?.accuracy == 4.25)
  }

  @Test("a time without a zone is noted, unless the format defines UTC") func zones() throws {
    for (text, line) in [
      ("time,lat,lon\n2026-05-01T00:00:00Z,1,2\n2026-05-01 00:00:01,1,2\n", 3),
      ("time,lat,lon\n2026-05-01T00:00:00-02:00,1,2\n1777593600,1,2\n", nil),
      ("date,time,lat,lon\n2026-05-01,00:00:00,1,2\n", 2),
      ("timestamp,location-lat,location-long\n2026-05-01 00:00:00.000,1,2\n", nil),
    ] as [(String, Int?)] {
      #expect(try TraceRun.read(text, .csv).1.firstWithoutZone == line)
    }
  }

  @Test(
    "faults are reported with their line",
    arguments: [
      ("", 1, "empty"), ("lat,lon\n1,2\n", 1, "\"time\""),
      ("time,lat\n", 1, "\"lon\""),
      ("when,lat,lon\n", 1, "the first line is \"when,lat,lon\""),
      (
        "date,time,lat,lon\n01/05/2026,08:00:00,1,2\n", 2,
        "\"01/05/2026\" with \"08:00:00\" is not a time"
      ),
      ("time,lat,lon\r1777593600,1,2\r", 1, "a carriage return without a line feed"),
      (
        "time,lat,lon\n\u{1B}[2J\0\u{9B}x,1,2\n", 2,
        "\"\u{FFFD}[2J\u{FFFD}\u{FFFD}x\" is not a time"
      ),
      ("time,lat,lon,lat\n1777593600,1,2,3\n", 1, "two columns \"lat\""),
      ("time,lat,lon\n\nnow,1,2\n", 3, "\"now\" is not a time"),
      ("time,lat,lon\n2026-02-30T00:00:00Z,1,2\n", 2, "is not a time"),
      ("time,lat,lon\n1777593600,north,2\n", 2, "\"north\" is not a number"),
      ("time,lat,lon\n1777593600,91,2\n", 2, "not a position"),
      ("time,lat,lon\n1777593600,nan,2\n", 2, "not a number"),
      ("time,lat,lon\n1777593600,1\n", 2, "missing"),
      ("time,lat,lon\n,1,2\n", 2, "time is missing"),
      ("time,lat,lon,note\n1777593600,1,2,\"open\n\n\n", 2, "does not end"),
      ("time,lat,lon,note\n1,1,2,\"a\n\"\n1,1,x\n", 4, "\"x\" is not a number"),
    ])
  func faultsAreNamedWithTheirLine(text: String, line: Int, reason: String) {
    let error = thrown(TraceError.self) { try read(text) }
    #expect(error?.line == line)
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
  }

  @Test("endless lines are refused") func endlessLinesAreRefused() {
    let error = thrown(TraceError.self) {
      try read("time,lat,lon\n" + String(repeating: "1", count: 100_000))
    }
    #expect(error?.line == 2)
  }

  @Test(
    "a bad row drops only that row",
    arguments: [
      "1777593600.5,91,5", "1777593600.5,52.5,nan", "\0\0\0\0", ",,\0", "x", "1777593600.5,52.5",
      "1777593600.5,\"52.5,-5.25", "\"", "\u{FFFD}\u{1},2,3",
    ])
  func aBadRowCostsThatRowAlone(row: String) throws {
    let good = "1777593600.5,52.5,-5.25\n"
    let text = "time,lat,lon\n" + good + row + "\n" + good + good + row + "\n" + good + row
    let (samples, losses) = try TraceRun.read(text, .csv)
    #expect(samples == [plain, plain, plain, plain])
    #expect(losses.rows == 3 && losses.firstRow?.line == 3)
    #expect(losses.firstRow?.reason.isEmpty == false)
  }

  @Test("an unclosed quote drops only its own row, however far the end of the file is")
  func aStrayQuoteCostsItsOwnRow() throws {
    let good = String(repeating: "1777593600.5,52.5,-5.25\n", count: 10_000)
    let bad = "1777593600.5,\"52.5,-5.25\n"
    let (samples, losses) = try TraceRun.read(
      "time,lat,lon\n# 5\" antenna\n" + good + bad + good + bad + good, .csv)
    #expect(samples.count == 30_000)
    #expect(losses.rows == 2 && losses.firstRow?.line == 10_003)
  }

  @Test(
    "blocks of NULs and endless lines are skipped in bounded memory",
    arguments: [
      UInt8(0), UInt8(ascii: "1"), UInt8(ascii: "\""),
    ])
  func endlessLinesArePassedOver(byte: UInt8) throws {
    let head = Array("time,lat,lon\n1777593600.5,52.5,-5.25\n".utf8)
    let endless = [UInt8](repeating: byte, count: 3_000_001)
    let tail = Array("\n1777593600.5,52.5,-5.25\n".utf8)
    for size in [100, 65_536, 1 << 20] {
      let (samples, losses) = try TraceRun.read(head + endless + tail, .csv, pieces: size)
      #expect(samples == [plain, plain])
      #expect(losses.rows == 1 && losses.firstRow?.line == 3)
    }
  }

  @Test("a table without its header is an error of line 1") func aTableWithoutItsHeaderIsAnError() {
    let error = thrown(TraceError.self) {
      try TraceRun.read([UInt8](repeating: 0x31, count: 100_000) + [0x0A], .csv)
    }
    #expect(error?.line == 1)
  }
}
