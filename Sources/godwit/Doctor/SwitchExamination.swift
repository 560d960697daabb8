import Config
import PowerControl
import PowerSwitch

/// Whether the lines that switch the receiver exist and are to be had. It takes and sets none.
enum SwitchExamination {
  static func findings(_ settings: Settings.PowerSwitch) -> [Finding] {
    guard let gpio = ConfiguredSwitch.gpio(settings) else { return [] }
    let lines = LineExamination.examine(gpio)
    return PowerLine.allCases.compactMap { line in
      lines[line].map { finding(line, $0, written: gpio.lines[line]?.text ?? "") }
    }
  }

  static func finding(_ line: PowerLine, _ state: LineExamination, written: String) -> Finding {
    let part = "switch.\(line.rawValue)"
    if let problem = state.problem { return .fail(part, problem) }
    let place = "\(written) is \(state.place ?? "nowhere")"
    if state.isOurs { return .ok(part, "\(place), in the daemon's hands; ask godwit status") }
    return .ok(part, "\(place), free, now an \(state.isOutput ? "output" : "input")")
  }
}
