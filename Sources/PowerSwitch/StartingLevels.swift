import PowerControl

/// The levels in which the lines are taken, in the order in which they are driven.
enum StartingLevels {
  /// Nothing is pulled or held until somebody wants it, and the backup supply is there from the
  /// first moment.
  static func safe(_ line: PowerLine) -> Bool { line == .backup }

  /// - Parameters:
  ///   - wanted: what the lines were last told; a line that was told nothing starts as is safe.
  ///   - found: which of the lines were active when they were taken.
  static func plan(
    _ lines: Set<PowerLine>, onStart: LinePolicy, wanted: [PowerLine: Bool],
    found: [PowerLine: Bool]
  ) -> [PowerLineOrder.Level] {
    var levels: [PowerLine: Bool] = [:]
    for line in lines { levels[line] = wanted[line] ?? safe(line) }
    let isKept = wanted[.supply] == nil && onStart == .keep
    if lines.contains(.supply), wanted[.supply] == nil {
      switch onStart {
      case .off: levels[.supply] = false
      case .on: levels[.supply] = true
      case .keep: levels[.supply] = found[.supply] ?? false
      }
    }
    let isSupplied = levels[.supply] ?? wanted[.supply] ?? false
    if lines.contains(.uart) {
      // A receiver that is left running goes on being heard.
      if isKept, wanted[.uart] == nil { levels[.uart] = found[.uart] ?? false }
      if !isSupplied { levels[.uart] = false }
    }
    let order = isSupplied ? PowerLineOrder.rising : PowerLineOrder.falling
    return order.compactMap { line in levels[line].map { PowerLineOrder.Level(line, $0) } }
  }
}
