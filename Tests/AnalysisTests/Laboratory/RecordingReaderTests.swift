import Analysis
import Core
import Testing

/// How recorded files are read, whatever they contain.
@Suite struct RecordingReaderTests {
  @Test("a recording of a steady current has its charge, in JSON, CSV, lines and pieces")
  func steady() throws {
    let recording = WrittenRecording.steady(36, for: 100)
    let lines = recording.json.split(separator: "\n").dropFirst(2).dropLast()
      .map { $0.hasSuffix("],") ? $0.dropLast(2) : $0.dropLast() }.joined(separator: "\n")
    for text in [recording.json, recording.csv, lines] {
      for piece in [1, 7, 1 << 20] {
        let run = try WrittenRecording.read(text, piece: piece)
        // 36 mA for 100 s are 1 mAh; at 5 V 18 J.
        #expect((run.statistics.charge.milliampereHours - 1).magnitude < 1e-9)
        #expect((run.statistics.energy.value - 18).magnitude < 1e-9)
        #expect((try #require(run.meanCurrent).value - 0.036).magnitude < 1e-12)
        #expect((try #require(run.systematicCurrent).value - 0.0005).magnitude < 1e-12)
        #expect(run.doubts == [] && run.statistics.readings == 1001)
      }
    }
    #expect(try recording.run().details.instrument == "ina226 at 1-0040 with 100.000 mΩ")
  }

  @Test("a recording altered by a spreadsheet is refused with a reason") func spreadsheets() {
    let csv = WrittenRecording.steady(36, for: 2).csv
    func refusal(_ text: String) -> String {
      do { return try "\(WrittenRecording.read(text).statistics.readings)" } catch {
        return "\(error)"
      }
    }
    #expect(refusal(csv.replacing(",", with: ";")).contains("line 1: semicolons separate"))
    let german = csv.replacing(",", with: "\t").replacing(".", with: ",")
    #expect(refusal(german).contains("line 2: its numbers have decimal commas"))
    let wide = String(decoding: csv.utf8.flatMap { [$0, 0] }, as: UTF8.self)
    #expect(refusal(wide).contains("UTF-16"), "\(refusal(wide))")
  }

  @Test("missing time counts as neither charge nor duration, and is reported") func gaps() throws {
    var recording = WrittenRecording.steady(36, for: 100)
    recording.samples.removeAll { $0.time > 20 && $0.time < 45 }
    let run = try recording.run()
    #expect((run.statistics.missing.value - 25).magnitude < 0.01)
    #expect((run.statistics.charge.milliampereHours - 0.75).magnitude < 1e-9)
    #expect(run.doubts == ["25.0 % of the time is missing"])
    #expect(run.curve.points.count(where: \.beginsLine) == 1)
  }

  @Test("a monitor at the end of its range is reported") func saturated() throws {
    var recording = WrittenRecording.steady(36, for: 20)
    // 81.92 mV at 100 mΩ (TI SBOS547B).
    recording.samples[50].current = 819.2
    recording.samples[51].current = 819.175
    let run = try recording.run()
    #expect(run.saturated == 2 && run.doubts.count == 1)
    #expect(try #require(run.doubts.first).contains("2 readings: the true current is larger"))
    recording.metadata = #"{"monitor":"unknown"}"#
    #expect(try recording.run().saturated == 0)
  }

  @Test("a recording truncated anywhere is read up to there, and this is reported")
  func cutOff() throws {
    let recording = WrittenRecording.steady(36, for: 30)
    let bytes = Array(recording.json.utf8)
    let complete = bytes.count - "\"statistics\":{\"readings\":301}}\n".utf8.count
    for length in stride(from: 2000, to: complete, by: 997) {
      let run = try WrittenRecording.read(String(decoding: bytes[..<length], as: UTF8.self))
      #expect(run.isCutOff && run.doubts.contains("the file ends before the recording does"))
    }
  }

  @Test("reverse current, failed readings and a short duration are reported") func others() throws {
    let reversed = try WrittenRecording.steady(-5, for: 60).run()
    #expect(reversed.doubts.count == 1)
    #expect(
      reversed.doubts.first?.hasPrefix("the current is reversed, so there is no energy") == true)
    #expect(try WrittenRecording.steady(5, for: 3).run().doubts == ["it is shorter than 10 s"])
    let watched =
      "time_s\tcurrent_mA\tvoltage_V\n"
      + (0..<40).map { $0 == 7 ? "7\t# i2c: no answer\n" : "\($0)\t5\t3.3\n" }.joined()
    let run = try WrittenRecording.read(watched)
    #expect(run.statistics.failures == 1 && run.statistics.readings == 39)
    #expect(run.doubts == ["1 reading failed"])
  }

  @Test(
    "a file that is not a recording is refused with a reason",
    arguments: [
      ("", "it is empty"), ("\n\n", "it is empty"),
      ("<gpx></gpx>", "line 1 is not the beginning"), ("{\"metadata\":", "line 1 is not"),
      ("time_s,current_mA\n1,2\n", "line 1 is not"),
      ("time_s,current_mA,voltage_V,voltage_V\n", "line 1 is not"),
      ("time_s,current_mA,voltage_V\n", "it contains no reading"),
      ("time_s,current_mA,voltage_V\n1,2,-3.3\n2,2,-3.3\n", "2 rows"),
      ("time_s,current_mA,voltage_V\n1,nan,3\n1e99,1,1\n-1,1,1\n1,1e300,3\n1,2\n", "5 rows"),
      ("{\"metadata\":{}}\n{\"type\":\"FeatureCollection\"}", "line 1 is not"),
      ("{\"type\":\"FeatureCollection\",\"features\":[]}", "1 row could not be read"),
      (String(repeating: "{", count: 70_000), "it is empty"),
    ])
  func refused(text: String, reason: String) {
    #expect {
      try WrittenRecording.read(text)
    } throws: { ($0 as? RecordingError)?.description.contains(reason) == true }
  }

  @Test("repeated or decreasing times are duplicates, not charge") func order() throws {
    var recording = WrittenRecording.steady(36, for: 100)
    recording.samples.insert((50, 36_000), at: 600)
    recording.samples.insert((60, 36_000), at: 602)
    let run = try recording.run()
    #expect(run.statistics.duplicates == 2)
    #expect(run.doubts == ["2 readings are not later than the previous one"])
    #expect((run.statistics.charge.milliampereHours - 1).magnitude < 1e-9)
  }

  @Test("a long recording keeps a curve of bounded size with its first and last point")
  func longCurve() throws {
    let run = try WrittenRecording.steady(36, for: 1000).run()
    let points = run.curve.points
    #expect(points.count <= 2001 && points.count > 1000)
    #expect(points.first?.value.elapsed == 0 && points.last?.value.elapsed == 1000)
    #expect((try #require(points.last).value.charge.milliampereHours - 10).magnitude < 1e-9)
  }

  @Test("charge counted by the chip itself is exact at any reading interval")
  func counted() throws {
    let rows = (0...4).map { minute in
      #"{"time_s":\#(60 * minute),"current_mA":\#(minute == 2 ? 50 : 10),"voltage_V":5,"#
        + #""accumulated_energy_J":\#(1000 + 6 * minute)}"#
    }
    let run = try WrittenRecording.read(rows.joined(separator: "\n"))
    // 24 J in 240 s: 100 mW, 20 mA at 5 V.
    #expect(run.isCounted)
    #expect((try #require(run.meanPower).value - 0.1).magnitude < 1e-12)
    #expect((try #require(run.meanCurrent).value - 0.02).magnitude < 1e-12)
    let anew = rows + [#"{"time_s":300,"current_mA":10,"voltage_V":5,"accumulated_energy_J":1}"#]
    let restarted = try WrittenRecording.read(anew.joined(separator: "\n"))
    #expect(!restarted.isCounted)
  }
}
