import Core

/// The order, levels and hold times of the lines to a receiver. A driven pin feeds a module without
/// supply (u-blox integration manuals, "do not drive PIOs"): pins are driven after the supply is on
/// and released before it goes off.
public struct PowerLineSequence: Hashable, Sendable {
  public struct Level: Hashable, Sendable {
    public let line: PowerLine
    public let isActive: Bool

    public init(_ line: PowerLine, _ isActive: Bool) {
      self.line = line
      self.isActive = isActive
    }
  }

  /// The order in which lines are set while the supply is, or comes, on; and while it goes off.
  public static let rising: [PowerLine] = [.backup, .reset, .wake, .supply, .uart]
  public static let falling: [PowerLine] = [.uart, .wake, .supply, .reset, .backup]

  /// EXTINT and FORCE_ON need more than 10 ms (u-blox 8 / M8 receiver description, "EXTINT").
  static let wakePulse = Seconds(0.1)
  static let resetPulse = Seconds(0.2)
  /// Capacitors need time to discharge; a shorter interruption does not reset the module.
  static let cutPause = Seconds(2)

  private let lines: Set<PowerLine>

  /// - Parameter lines: the wired lines.
  public init(_ lines: Set<PowerLine>) { self.lines = lines }

  /// The first half of powering up. The module then needs time to settle.
  public var supply: [Level] { powerUp.filter { $0.line != .uart } }

  /// The second half: lines that may be driven once the module is supplied.
  public var connect: [Level] { powerUp.filter { $0.line == .uart } }

  /// The steps from any state to no supply. The backup supply and the reset line are unchanged.
  public var cut: [Level] {
    let changed = Self.falling.filter { $0 != .reset && $0 != .backup }
    return changed.filter(lines.contains).map { Level($0, false) }
  }

  /// For the case that another line cannot be set: the supply is cut all the same.
  public var cutSupply: [Level] { cut.filter { $0.line == .supply } }

  /// The wake and reset lines stay inactive.
  private var powerUp: [Level] {
    Self.rising.filter(lines.contains).map { Level($0, $0 != .reset && $0 != .wake) }
  }
}
