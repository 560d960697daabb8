import Records
import GNSS
import Core

/// A sequencer with a clock, and a log of its actions, one line each.
struct Bench {
  var sequencer: PowerSequencer
  var now = BootInstant.zero
  private(set) var transcript: [String] = []
  private(set) var levels: [PowerLine: Bool] = [:]
  private(set) var isOpen = false
  /// Conditions that must not occur on any board.
  private(set) var violations: [String] = []
  /// Lines that cannot be set.
  var failing: Set<PowerLine> = []
  private let wiring: PowerWiring

  init(_ wiring: PowerWiring) {
    self.wiring = wiring
    sequencer = PowerSequencer(wiring)
  }

  /// Five seconds after it was switched on; the receiver sends.
  static func running(_ wiring: PowerWiring) -> Bench {
    var bench = Bench(wiring)
    bench.want(.on)
    bench.pass(5, whileSpeaking: true)
    _ = bench.take()
    return bench
  }

  mutating func step(_ event: PowerEvent) {
    for action in sequencer.step(event, at: now) {
      if case .set(let line, _) = action, failing.contains(line) {
        return step(.lineFailed(line, reason: "\(line.rawValue) is gone"))
      }
      perform(action)
    }
  }

  mutating func want(_ state: PowerState) { step(.request(state, until: nil)) }

  /// Lets time pass until `end`, from one due time to the next. Returns the number of wake-ups.
  @discardableResult
  mutating func pass(_ time: Seconds, whileSpeaking isSpeaking: Bool = false) -> Int {
    let end = now + time
    var wakes = 0
    while now < end {
      let epoch = isSpeaking ? now + 1 : end
      let next = min(sequencer.due.map { max($0, now) } ?? end, epoch, end)
      now = next
      if let due = sequencer.due, due <= now {
        wakes += 1
        step(.timePassed)
        if wakes > 1000 { violations.append("spins"); return wakes }
      }
      if isSpeaking, next == epoch { step(.received(validFrames: 3)) }
    }
    return wakes
  }

  mutating func take() -> [String] {
    defer { transcript = [] }
    return transcript
  }

  private mutating func perform(_ action: PowerAction) {
    let seconds = (now - .zero).value
    transcript.append("\(seconds) \(describe(action))")
    switch action {
    case .set(let line, let active): set(line, active)
    case .openReceiver:
      isOpen = true
      if isDead { violations.append("opened without supply") }
    case .closeReceiver: isOpen = false
    case .send: if !isOpen { violations.append("sent to a closed line") }
    default: break
    }
  }

  private var isDead: Bool { wiring.lines.contains(.supply) && levels[.supply] != true }

  private mutating func set(_ line: PowerLine, _ active: Bool) {
    if !wiring.lines.contains(line) { violations.append("\(line) is not wired") }
    levels[line] = active
    if line == .supply, !active {
      if isOpen { violations.append("supply cut while the line was open") }
      if levels[.uart] == true, !failing.contains(.uart) {
        violations.append("supply cut while its UART was driven")
      }
      if levels[.wake] == true { violations.append("supply cut while its wake line was driven") }
    }
    if line == .uart, active, isDead { violations.append("UART driven without supply") }
  }

  private func describe(_ action: PowerAction) -> String {
    switch action {
    case .set(let line, let active): "\(line.rawValue) \(active ? "on" : "off")"
    case .openReceiver: "open"
    case .discardInput: "discard"
    case .send(let bytes): "send \(Self.text(bytes))"
    case .closeReceiver: "close"
    case .reached(let state): "reached \(state.rawValue)"
    case .failed(let reason): "failed: \(reason)"
    case .restartFailed(let reason): "not restarted: \(reason)"
    case .sleepUnavailable(let reason): "cannot sleep: \(reason)"
    case .identified(let identity): "is \(identity.family?.rawValue ?? "unknown")"
    case .capabilitiesChanged: "capabilities changed"
    case .log(let event): "log \(event.kind)"
    }
  }

  /// Sentences unchanged, frames as hexadecimal digits.
  private static func text(_ bytes: [UInt8]) -> String {
    if bytes.first == 0x24 { return String(decoding: bytes.dropLast(2), as: UTF8.self) }
    return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
