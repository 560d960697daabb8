/// The kernel's trace of the board's lines: gpiolib's events gpio_value, on the boot clock
/// (include/trace/events/gpio.h).
struct LineTrace {
  /// One setting of a line, even to its current value.
  struct Setting {
    let time: Double
    /// Offset in the only chip, which has eight lines and a base that is a multiple of eight.
    let line: Int
    let value: Bool
  }

  /// In the order of time.
  let settings: [Setting]

  init(_ text: String) throws {
    let pattern = /\s([0-9]+\.[0-9]+): gpio_value: ([0-9]+) set ([01])/
    settings = try text.split(separator: "\n").compactMap { row in
      guard let match = row.firstMatch(of: pattern) else { return nil }
      return Setting(
        time: try Double(match.1).required("lines.trace: '\(row)' has no time"),
        line: try Int(match.2).required("lines.trace: '\(row)' has no line") % 8,
        value: match.3 == "1")
    }
  }

  func settings(of line: Int) -> [Setting] { settings.filter { $0.line == line } }

  /// The times when the line was driven high.
  func high(_ line: Int) -> [ClosedRange<Double>] {
    var ranges: [ClosedRange<Double>] = []
    var since: Double?
    for setting in settings(of: line) {
      if setting.value { since = since ?? setting.time }
      if !setting.value, let start = since {
        ranges.append(start...setting.time)
        since = nil
      }
    }
    return ranges
  }

  /// How often one line was high while the other was low, even for zero time.
  func count(high: Int, whileLow low: Int) -> Int {
    var levels: [Int: Bool] = [:]
    return settings.count { setting in
      levels[setting.line] = setting.value
      return levels[high] == true && levels[low] != true
    }
  }
}

extension Results {
  func lines() throws -> LineTrace { try LineTrace(text("lines.trace")) }
}
