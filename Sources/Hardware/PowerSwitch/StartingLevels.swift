import GNSS

/// The levels at which the lines are requested, in the order in which they are driven.
enum StartingLevels {
  /// Lines are inactive until they are needed, except the backup supply, which is on from the
  /// start.
  static func safe(_ line: PowerLine) -> Bool { line == .backup }

  /// - Parameters:
  ///   - wanted: the levels last requested; a line without one starts at its safe level.
  ///   - found: which of the lines were active when they were requested.
  static func plan(
    _ lines: Set<PowerLine>, onStart: LinePolicy, wanted: [PowerLine: Bool],
    found: [PowerLine: Bool]
  ) -> [PowerLineSequence.Level] {
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
      // A receiver that is left running stays connected.
      if isKept, wanted[.uart] == nil { levels[.uart] = found[.uart] ?? false }
      if !isSupplied { levels[.uart] = false }
    }
    let order = isSupplied ? PowerLineSequence.rising : PowerLineSequence.falling
    return order.compactMap { line in levels[line].map { PowerLineSequence.Level(line, $0) } }
  }
}
