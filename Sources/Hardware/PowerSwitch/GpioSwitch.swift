import Core
import Ports
import GNSS

/// Switches a receiver through GPIO lines. They are requested by `acquire()` or the first `set`,
/// and held until `close()`; a chip that disappeared is searched for again at the next `set`.
public final class GpioSwitch: PowerSwitchPort {
  public let lines: Set<PowerLine>
  private let settings: GpioSwitchSettings
  private var held: [PowerLine: HeldLine] = [:]
  /// The levels last requested. A line that could not be set counts as set to its safe level, so
  /// that it does not become active when its chip is back.
  private var wanted: [PowerLine: Bool] = [:]
  private var isClosed = false

  public init(_ settings: GpioSwitchSettings) {
    self.settings = settings
    lines = Set(settings.lines.keys)
  }

  public func isActive(_ line: PowerLine) -> Bool? { held[line] == nil ? nil : wanted[line] }

  public var name: String {
    let supply = settings.lines[.supply] ?? settings.lines.values.first
    return "GPIO line " + (supply.map { TerminalText.line($0.text) } ?? "(none)")
  }

  /// Requests all lines that are not held yet, each at its starting level. Nothing is driven before
  /// all are held, so a failure leaves the board as it was, except for what the kernel itself does
  /// to a released line (board/README.md).
  public func acquire() throws(PortError) {
    guard !isClosed else { throw PortError("\(name) was released") }
    let taken = try take(lines.subtracting(held.keys))
    var found: [PowerLine: Bool] = [:]
    if settings.onStart == .keep, wanted[.supply] == nil {
      for line in [PowerLine.supply, .uart] {
        guard let there = taken[line] else { continue }
        found[line] = try performing(line, there) { held throws(GpioRefusal) in
          try held.foundActive()
        }
      }
    }
    let levels = StartingLevels.plan(
      Set(taken.keys), onStart: settings.onStart, wanted: wanted, found: found)
    for level in levels {
      guard let there = taken[level.line] else { continue }
      try performing(level.line, there) { held throws(GpioRefusal) in
        try held.drive(active: level.isActive)
      }
      held[level.line] = there
      wanted[level.line] = level.isActive
    }
    for level in levels { try verify(level.line, active: level.isActive) }
  }

  public func set(_ line: PowerLine, active: Bool) throws(PortError) {
    guard lines.contains(line) else { throw SwitchErrorText.notWired(line) }
    do {
      if let there = held[line] {
        try performing(line, there) { held throws(GpioRefusal) in try held.set(active: active) }
        try verify(line, active: active)
        wanted[line] = active
      } else {
        wanted[line] = active
        try acquire()
      }
    } catch {
      wanted[line] = StartingLevels.safe(line)
      throw error
    }
  }

  public func close() throws(PortError) {
    guard !isClosed else { return }
    isClosed = true
    defer { release() }
    guard settings.onExit != .keep else { return }
    let isSupplied = settings.onExit == .on
    var first: PortError?
    for line in isSupplied ? PowerLineSequence.rising : PowerLineSequence.falling {
      guard let there = held[line], line == .supply || line == .uart && !isSupplied else {
        continue
      }
      do {
        try performing(line, there) { held throws(GpioRefusal) in
          try held.set(active: line == .supply && isSupplied)
        }
      } catch {
        first = first ?? error
      }
    }
    if let first { throw first }
  }

  /// The serial line first, the backup supply last.
  private func release() {
    for line in PowerLineSequence.falling { held[line] = nil }
  }

  private func take(_ missing: Set<PowerLine>) throws(PortError) -> [PowerLine: HeldLine] {
    guard !missing.isEmpty else { return [:] }
    let survey = GpioChip.survey(settings.devices)
    let search = SwitchLines.find(settings.lines.mapValues(\.specifier), in: survey)
    var taken: [PowerLine: HeldLine] = [:]
    for line in PowerLine.allCases where missing.contains(line) {
      guard let wiring = settings.lines[line], let result = search[line] else { continue }
      let found: LineSearch.Found
      do {
        found = try result.get()
      } catch {
        throw SwitchErrorText.notFound(line, wiring, error, devices: settings.devices)
      }
      let path = "\(settings.devices)/\(found.chip)"
      do {
        taken[line] = try HeldLine(path: path, offset: found.offset, wiring)
      } catch {
        throw SwitchErrorText.refused(
          line, wiring, error, path: path, holder: survey.holder(of: found))
      }
    }
    return taken
  }

  /// Checks that the line has the level that was set.
  private func verify(_ line: PowerLine, active: Bool) throws(PortError) {
    guard let there = held[line], let wiring = settings.lines[line] else { return }
    let follows = try performing(line, there) { held throws(GpioRefusal) in
      try held.follows(active)
    }
    guard follows == false else { return }
    // Do not drive it against whatever holds it, now or when its chip is back.
    wanted[line] = StartingLevels.safe(line)
    try performing(line, there) { held throws(GpioRefusal) in
      try held.set(active: StartingLevels.safe(line))
    }
    throw SwitchErrorText.doesNotFollow(line, wiring, active: active)
  }

  /// Performs an action on a line. If its chip turns out to be gone, all lines of that chip are
  /// released.
  private func performing<Result>(
    _ line: PowerLine, _ there: HeldLine, _ body: (HeldLine) throws(GpioRefusal) -> Result
  ) throws(PortError) -> Result {
    do {
      return try body(there)
    } catch {
      if error.chipIsGone {
        held[line] = nil
        held = held.filter { $0.value.isThere }
      }
      throw SwitchErrorText.refused(
        line, settings.lines[line] ?? GpioLine(.named("")), error, path: there.path, holder: nil)
    }
  }
}

public struct GpioSwitchSettings: Equatable, Sendable {
  /// The wired lines.
  public var lines: [PowerLine: GpioLine]
  var onStart: LinePolicy
  var onExit: LinePolicy
  /// The folder of the chips' devices.
  var devices: String

  public init(
    lines: [PowerLine: GpioLine], onStart: LinePolicy = .off, onExit: LinePolicy = .off,
    devices: String = "/dev"
  ) {
    self.lines = lines
    self.onStart = onStart
    self.onExit = onExit
    self.devices = devices
  }
}
