import Core

/// In which order the lines to a receiver are set, to which levels, and how long they are held. A
/// driven pin feeds a module without supply (u-blox integration manuals, "do not drive PIOs"): pins
/// are driven after the supply is on and released before it goes off.
public struct PowerLineOrder: Hashable, Sendable {
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
  /// Capacitors take a moment to discharge; a shorter cut is not a cut.
  static let cutPause = Seconds(2)

  private let lines: Set<PowerLine>

  /// - Parameter lines: those that are wired.
  public init(_ lines: Set<PowerLine>) { self.lines = lines }

  /// The first half of powering up. After it the module needs time to settle.
  public var supply: [Level] { powerUp.filter { $0.line != .uart } }

  /// The second half: what may be driven once the module has its supply.
  public var connect: [Level] { powerUp.filter { $0.line == .uart } }

  /// From any state to no supply. The backup supply and the reset line stay as they are.
  public var cut: [Level] {
    let changed = Self.falling.filter { $0 != .reset && $0 != .backup }
    return changed.filter(lines.contains).map { Level($0, false) }
  }

  /// When another line cannot be set, the supply is cut all the same.
  public var cutSupply: [Level] { cut.filter { $0.line == .supply } }

  /// The wake and reset lines are inactive meanwhile.
  private var powerUp: [Level] {
    Self.rising.filter(lines.contains).map { Level($0, $0 != .reset && $0 != .wake) }
  }
}
