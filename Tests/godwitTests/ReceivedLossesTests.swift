import TestSupport
import Testing

/// `replay` and `simulate` report the unusable parts of a receiver's data.
@Suite struct ReceivedLossesTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private static func sentence(
    _ second: Int, date: String = "010526", _ place: String = "5206.0000,N,00506.0000,E"
  ) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = "08\(two(second / 60))\(two(second % 60)).00"
    return TraceFileTests.sentence("GNRMC,\(clock),A,\(place),0.1,,\(date),,,A")
  }

  private static func report(_ second: Int) -> String {
    let clock = "08:\(second / 60 < 10 ? "0" : "")\(second / 60):00"
    return #"{"class":"TPV","mode":3,"time":"2026-05-01T\#(clock)Z","lat":52.1,"lon":5.1}"# + "\n"
  }

  struct Damage: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let told: String
    let line: @Sendable (Int) -> String
  }

  private static let half = 600

  static let damages: [Damage] = [
    Damage(
      testDescription: "no checksum",
      told: "600 sentences without a checksum, the first: line 601; if your receiver sends none, "
        + "--set receiver.accept_missing_checksums=true"
    ) { $0 < half ? sentence($0) : sentence($0).prefix(while: { $0 != "*" }) + "\r\n" },
    Damage(
      testDescription: "wrong checksum",
      told: "600 sentences cut or with a wrong checksum, the first: line 601"
    ) { $0 < half ? sentence($0) : sentence($0).replacing("A*", with: "D*") },
    Damage(
      testDescription: "a few", told: "3 sentences cut or with a wrong checksum, the first: line 8"
    ) { (7..<10).contains($0) ? sentence($0).replacing("A*", with: "D*") : sentence($0) },
    Damage(
      testDescription: "gpsd", told: "600 lines of gpsd that cannot be read, the first: line 601"
    ) { $0 < half ? report($0 * 3) : report($0 * 3).replacing("TPV", with: "TPV\"") },
    Damage(
      testDescription: "clock stands still",
      told:
        "599 positions with the time of the previous one: its clock stands still, the first: line "
        + "60"
    ) { sentence(min($0, half)) },
    Damage(
      testDescription: "no N or S",
      told:
        "600 sentences with unreadable fields (digits, N, S, E, W), the first: line 601"
    ) { $0 < half ? sentence($0) : sentence($0, "5206.0000,,00506.0000,E") },
  ]

  @Test("each kind is reported with its count and first line", arguments: damages)
  func told(damage: Damage) throws {
    let lines = (0..<2 * Self.half).map(damage.line)
    try scratch.write(lines.joined(), to: "damaged.log")
    for command in ["replay", "simulate"] {
      let found = try ReplayedVisits([command], scratch.file("damaged.log"), in: scratch)
      #expect(found.exitCode == 0)
      #expect(found.messages.contains("left out \(damage.told)"), "\(command): \(found.messages)")
    }
  }

  @Test("a sound recording has no report")
  func sound() throws {
    try scratch.write((0..<600).map { Self.sentence($0) }.joined(), to: "sound.nmea")
    let found = try ReplayedVisits(["replay"], scratch.file("sound.nmea"), in: scratch)
    #expect(found.messages.isEmpty, "\(found.messages)")
  }

  @Test(
    "when nothing is left, the cause is reported",
    arguments: [
      ("300226", "5206.0000,N,00506.0000,E", "600 dates in it are impossible, the first: line 1"),
      ("010526", "5206.0000,,00506.0000,E", "600 sentences with unreadable fields"),
    ])
  func nothingLeft(date: String, place: String, told: String) throws {
    let lines = (0..<600).map { Self.sentence($0, date: date, place) }
    try scratch.write(lines.joined(), to: "nothing.nmea")
    for command in ["replay", "simulate"] {
      let found = try ReplayedVisits([command], scratch.file("nothing.nmea"), in: scratch)
      #expect(found.exitCode == 1 && found.messages.contains(told), "\(found.messages)")
      #expect(!found.messages.contains("record RMC"))
    }
  }
}
