/// What the kernel's own trace says of one line: the events gpio_value of gpiolib, on the boot
/// clock (include/trace/events/gpio.h).
struct LineTrace {
  /// Every setting of the line in the order of time, also to the value that it already had.
  let settings: [(time: Double, value: Bool)]

  /// - Parameter offset: of the line in its chip; the only chip has eight lines, and its base is a
  ///   multiple of that.
  init(_ text: String, offset: Int) throws {
    let pattern = /\s([0-9]+\.[0-9]+): gpio_value: ([0-9]+) set ([01])/
    settings = try text.split(separator: "\n").compactMap { row in
      guard let match = row.firstMatch(of: pattern) else { return nil }
      let number = try Int(match.2).required("lines.trace: '\(row)' has no line")
      guard number % 8 == offset else { return nil }
      return (try Double(match.1).required("lines.trace: '\(row)' has no time"), match.3 == "1")
    }
  }

  /// When the line was driven high.
  var high: [ClosedRange<Double>] {
    var ranges: [ClosedRange<Double>] = []
    var since: Double?
    for (time, value) in settings {
      if value { since = since ?? time }
      if !value, let start = since {
        ranges.append(start...time)
        since = nil
      }
    }
    return ranges
  }
}
