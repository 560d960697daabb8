import Foundation
import Core
import TestSupport
import Testing

/// How `replay` and `simulate` handle the dates in a receiver's data.
@Suite struct ReceiverDatesTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private static let place = "5206.0000,N,00506.0000,E"

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func fix(
    _ second: Int, from hour: Int = 8, date: String = "010526", at place: String = place
  ) -> String {
    let clock = "\(two(hour + second / 3600))\(two(second / 60 % 60))\(two(second % 60)).00"
    return TraceFileTests.sentence("GNRMC,\(clock),A,\(place),0.1,,\(date),,,A")
  }

  private func file(_ name: String, _ text: String) throws -> String {
    try scratch.write(text, to: name)
    return scratch.file(name)
  }

  @Test(
    "a run of wrong dates is skipped, reported and counted, however long", arguments: [5, 8, 40])
  func runsOfWrongDates(length: Int) throws {
    for date in ["020526", "151245", "150906"] {
      for start in [50, 110] {
        let recording = (0..<240).map {
          Self.fix($0 * 5, date: (start..<start + length).contains($0) ? date : "010526")
        }
        let path = try file("run.nmea", recording.joined())
        let found = try ReplayedVisits(["replay"], path, in: scratch)
        #expect(found.messages.contains("skipped \(length) wrong dates"), "\(found.messages)")
        #expect(found.are(["05-01 08:00-08:20"]), "\(date) \(start): \(found.text)")
        #expect(found.summary?["duration_s"]?.number == 1195)
        #expect(found.summary?["trace_dates_skipped"]?.integer == length)
        #expect(found.summary?["trace_first_date_skipped_line"]?.integer == start + 1)
        #expect(found.summary?["trace_dates_corrected"]?.integer == 0)
      }
    }
  }

  @Test("recordings joined in the wrong order are not corrected")
  func joinedRecordings() throws {
    let evening = (0..<60).map { Self.fix($0, from: 18) }
    let morning = (0..<600).map { Self.fix($0) }
    let path = try file("joined.nmea", (evening + morning).joined())
    let found = try ReplayedVisits(["replay"], path, in: scratch)
    #expect(!found.messages.contains("corrected"))
    #expect(found.messages.contains("600 positions earlier than the previous one"))
    #expect(
      found.messages.contains(
        "the first: fix 61, 2026-05-01T08:00:00Z, where the time goes back by 10 h 01 min"),
      "\(found.messages)")
    #expect(found.summary?["trace_earlier_left_out"]?.integer == 600)
  }

  @Test(
    "dates that go back cause no second visit", arguments: ["twice", "yesterday", "1024 weeks"])
  func backwards(how: String) throws {
    let first = (0..<600).map { Self.fix($0 * 2) }
    let second =
      switch how {
      case "twice": first
      case "yesterday": (0..<600).map { Self.fix($0 * 2, date: "300426") }
      default: (600..<1200).map { Self.fix($0 * 2, date: "150906") }
      }
    let path = try file("back.nmea", (first + second).joined())
    let found = try ReplayedVisits(["replay"], path, in: scratch)
    #expect(found.are(["05-01 08:00-"]), "\(found.text)")
    #expect(found.messages.contains("the first: fix 601"), "\(found.messages)")
  }

  /// Two logs of one trip, the later one first.
  @Test(
    "only jumps that a receiver itself corrects are corrected",
    arguments: [
      ("020526", 8, place), ("030526", 8, place), ("020526", 8, "5207.0000,N,00506.0000,E"),
    ])
  func joinedDays(date: String, hour: Int, there: String) throws {
    let isCorrection = date == "020526" && there == Self.place
    let ahead = (0..<50).map { Self.fix($0, from: hour, date: date, at: there) }
    let next = (52..<900).map { Self.fix($0) }
    let path = try file("days.nmea", (ahead + next).joined())
    let found = try ReplayedVisits(["replay"], path, in: scratch)
    #expect(found.messages.contains("corrected 50 first dates") == isCorrection)
    #expect(
      found.messages.contains("earlier than the previous one") == !isCorrection, "\(found.messages)"
    )
    let late = (650..<900).map { Self.fix($0) }
    let pause = try file("pause.nmea", (ahead + late).joined())
    let paused = try ReplayedVisits(["replay"], pause, in: scratch)
    #expect(!paused.messages.contains("corrected"), "\(paused.messages)")
  }

  @Test("dates that the receiver corrected are counted", arguments: ["replay", "simulate"])
  func correctedDates(command: String) throws {
    let recording = (0..<240).map { Self.fix($0 * 5, date: $0 < 20 ? "151245" : "010526") }
    let path = try file("first.nmea", recording.joined())
    let found = try ReplayedVisits([command], path, in: scratch)
    #expect(found.summary?["trace_dates_corrected"]?.integer == 20)
    #expect(found.summary?["trace_dates_skipped"]?.integer == 0)
  }

  @Test("a gap of more than a day is reported", arguments: ["nmea", "csv"])
  func toldHoles(ending: String) throws {
    let recording = (0..<240).map { index in
      let date = index < 237 ? "010526" : "030526"
      return ending == "nmea"
        ? Self.fix(index * 5, date: date)
        : "2026-05-\(date.prefix(2))T08:\(Self.two(index / 12)):\(Self.two(index % 12 * 5))Z,"
          + "52.1,5.1\n"
    }
    let text = (ending == "csv" ? "time,lat,lon\n" : "") + recording.joined()
    let found = try ReplayedVisits(["replay"], try file("last.\(ending)", text), in: scratch)
    #expect(
      found.messages.contains("1 hole of more than a day, the longest of 2 days"),
      "\(found.messages)")
  }

  @Test("two receivers some hundred metres apart are refused until one is chosen")
  func twoReceivers() throws {
    let recording = (0..<600).map {
      Self.fix($0, at: $0 % 2 == 0 ? Self.place : "5206.5000,N,00506.0000,E")
    }
    let path = try file("two.nmea", recording.joined())
    let replayed = try ReplayedVisits(["replay"], path, in: scratch)
    #expect(replayed.messages.contains("two receivers"), "\(replayed.messages)")
    let simulated = try ReplayedVisits(["simulate"], path, in: scratch)
    #expect(simulated.exitCode == 1 && simulated.messages.contains("two receivers"))
  }
}
