import ArgumentParser
import Core
import Platform
import Runtime

/// `godwit near`: the beacons received now.
struct NearCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "near",
    abstract: "Show the Bluetooth beacons in range, and their distances.",
    discussion: """
      Queries the daemon once a second; meanwhile the radio receives continuously, which costs \
      energy. All beacons are shown, those of places with the names of the places: copy an \
      identity to 'godwit places add --beacon'. A distance assumes free space; half to twice as \
      much is as likely. Ends with Ctrl-C, or after --for.
      """)

  @OptionGroup var control: ControlOptions
  @Option(
    name: .customLong("for"), parsing: .unconditional,
    help: ArgumentHelp("Duration, 1 to 86400. Default: until Ctrl-C.", valueName: "seconds"))
  var duration: Int?
  @Flag(help: "Print one JSON object per line.") var json = false

  func validate() throws {
    if let duration, !(1...86_400).contains(duration) {
      throw ValidationError("--for \(duration): must be 1 to 86400 seconds")
    }
  }

  func run() throws {
    Interruption.watch()
    let end = duration.map { BootClock.now + Seconds(Double($0)) }
    var pages = NearPages()
    repeat {
      let answer = try control.query(.near)
      if let text = json ? answer.text : pages.next(answer) { try OutputBytes.print(text) }
      BootClock.wait(until: BootClock.now + 1) { Interruption.isWanted }
    } while !Interruption.isWanted && end.map { BootClock.now < $0 } ?? true
  }
}

/// Formats the daemon's successive answers. The answers are untrusted.
struct NearPages {
  /// The last text without beacons: it is not repeated every second.
  private var silence: String?

  /// Nil: nothing has changed.
  mutating func next(_ answer: JSONValue) -> String? {
    let text = Self.text(answer)
    let isSilence = answer["beacons"]?.array?.isEmpty ?? true
    guard !isSilence || silence != text else { return nil }
    silence = isSilence ? text : nil
    return text
  }

  private static func text(_ answer: JSONValue) -> String {
    let state = answer["state"]
    let beacons = answer["beacons"]?.array ?? []
    let columns = TextTable([
      .init(width: 9), .init(width: 8), .init(width: 9), .init(width: 8), .init(width: 20), .init(),
    ])
    var lines = beacons.map { one in
      TerminalText.line(
        columns.line([
          one["proximity"]?.string ?? "", Self.number(one["strength_dBm"], "dBm"),
          Self.number(one["distance_m"], "m"), Self.number(one["heard_ago_s"], "s ago"),
          (one["places"]?.array ?? []).compactMap(\.string).joined(separator: ", "),
          one["beacon"]?.string ?? "",
        ]))
    }
    if let failure = state?["failure"]?.string {
      lines.append(TerminalText.line(failure))
    } else if beacons.isEmpty {
      lines.append("no beacon in range yet")
    }
    return lines.joined(separator: "\n")
  }

  private static func number(_ value: JSONValue?, _ unit: String) -> String {
    value?.number.map { "\(FixedDecimal.text($0, digits: unit == "m" ? 1 : 0)) \(unit)" } ?? "-"
  }
}
