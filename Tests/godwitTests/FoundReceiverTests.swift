import GodwitSettings
import Ports
import GNSS
import Core
import Testing

@testable import godwit

/// The state in which `doctor --switch` leaves the receiver.
@Suite struct FoundReceiverTests {
  /// Records the levels that are set.
  private final class Lines: PowerSwitchPort {
    let name = "lines"
    let lines: Set<PowerLine>
    private(set) var transcript: [String] = []

    init(_ lines: Set<PowerLine>) { self.lines = lines }

    func set(_ line: PowerLine, active: Bool) {
      transcript.append("\(line.rawValue) \(active ? "on" : "off")")
    }

    func wait(_ time: Seconds) { transcript.append("wait \(time.value)") }
  }

  private func restored(_ found: FoundReceiver, _ lines: Set<PowerLine>) throws -> [String] {
    let port = Lines(lines)
    try found.restore(port, settle: 0.5, wait: port.wait)
    return port.transcript
  }

  @Test("a supply that was on is left on, and one that was off is left off")
  func supply() throws {
    let on = FoundReceiver(isSupplied: true, hadOutput: true)
    #expect(try restored(on, [.supply, .uart]) == ["supply on", "wait 0.5", "uart on"])
    #expect(on.finding.verdict == .ok && on.finding.text.contains("on again"))
    let off = FoundReceiver(isSupplied: false, hadOutput: true)
    #expect(try restored(off, [.supply, .uart]) == ["uart off", "supply off"])
    #expect(off.finding.text.contains("off again") && !off.isToBeWoken)
  }

  @Test("the receiver is powered before its pins are driven") func powering() throws {
    let port = Lines([.supply, .uart])
    try port.powerUp(settle: 0.5, wait: port.wait)
    #expect(port.transcript == ["supply on", "wait 0.5", "uart on"])
  }

  @Test("a board without a supply line has nothing to switch") func noSupplyLine() throws {
    #expect(try TemporarySupply(PowerSwitchSettings()) == nil)
  }

  @Test("without a supply line a receiver that was awake is woken again, a sleeping one is not")
  func sleep() throws {
    let awake = FoundReceiver(isSupplied: nil, hadOutput: true)
    #expect(awake.isToBeWoken && awake.finding.text.contains("awake"))
    let asleep = FoundReceiver(isSupplied: nil, hadOutput: false)
    #expect(!asleep.isToBeWoken && asleep.finding.text.contains("asleep"))
    #expect(try restored(asleep, [.wake]) == [])
  }

  @Test("whatever the settings for the daemon's start and end, the trial restores the state")
  func settings() {
    var settings = PowerSwitchSettings()
    settings.onStart = .on
    settings.onExit = .off
    let trial = SwitchTrial.leaving(settings)
    #expect(trial.onStart == .keep && trial.onExit == .keep)
  }
}
