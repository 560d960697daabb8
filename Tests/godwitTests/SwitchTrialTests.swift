import GodwitSettings
import Ports
import GNSS
import Core
import Testing

@testable import godwit

@Suite struct SwitchTrialTests {
  private func mean(_ value: Amperes, _ uncertainty: Amperes = 0.0005) -> MeanCurrent {
    MeanCurrent(value: value, uncertainty: uncertainty, isBelowFloor: value < uncertainty)
  }

  @Test("a current that falls by more than its error passes")
  func aCurrentThatFallsByMoreThanItsErrorPasses() {
    #expect(SwitchTrial.fall(from: mean(0.030), to: mean(0.0001)).verdict == .ok)
    let still = SwitchTrial.fall(from: mean(0.030), to: mean(0.0295))
    #expect(still.verdict == .fail)
    #expect(still.text.contains("30.00 mA ± 0.50 mA on, 29.50 mA ± 0.50 mA off"))
  }

  @Test("a current far from the expected one suggests a wrong shunt")
  func aWrongShuntIsTenOrFortyTimesOff() {
    #expect(SwitchTrial.shunt(mean(0.035), expected: 0.032) == nil)
    #expect(SwitchTrial.shunt(mean(0.32), expected: 0.032)?.text.contains("shunt_mOhm") == true)
    #expect(SwitchTrial.shunt(mean(0.003), expected: 0.032)?.text.contains("far less") == true)
    #expect(SwitchTrial.shunt(mean(0.32), expected: 0) == nil)
  }

  /// If a line cuts the supply, the line is tried, not the sleep command.
  @Test("a receiver with a supply line is cut in the trial, not put to sleep")
  func theSupplyIsCutAndNotPutToSleep() {
    var settings = Settings()
    settings.powerSwitch.kind = .gpio
    settings.powerSwitch.sleepCommand = .auto
    #expect(SwitchTrial.cutting(settings).powerSwitch.sleepCommand == .auto)
    settings.powerSwitch.lines[.supply] = GpioLine(.named("GNSS_EN"))
    #expect(SwitchTrial.cutting(settings).powerSwitch.sleepCommand == .none)
  }

  @Test("without a switch there is nothing to test") func withoutASwitchThereIsNothingToTry() {
    var trial = SwitchTrial(Settings())
    var examined = false
    trial.perform(
      examine: {
        examined = true
        return false
      }, progress: { _ in })
    #expect(trial.findings.map(\.verdict) == [.warn])
    #expect(!examined)
  }

  @Test("a receiver without a switch causes a warning, with what would save energy")
  func aReceiverThatNothingCanSwitchIsWarnedOf() throws {
    var settings = Settings()
    settings.receiver.kind = .serial
    let warning = try #require(SwitchDiagnosis.findings(settings).first)
    #expect(warning.verdict == .warn)
    #expect(warning.text.contains("kJ a day"))
    #expect(warning.text.contains("godwit gnss probe"))
    settings.powerSwitch.lines[.supply] = try GpioLine(parsing: "GPIO17")
    #expect(
      SwitchDiagnosis.findings(settings).first?.text.contains("GPIO17, which is set but not used")
        == true)
    settings.receiver.family = .ubloxM8
    #expect(settings.advice.first?.contains("\"command\" puts it to sleep") == true)
    settings.powerSwitch.kind = .command
    #expect(settings.advice.isEmpty)
    settings.powerSwitch.kind = .none
    settings.receiver.kind = .none
    #expect(settings.advice.isEmpty)
  }

  @Test("the probe names the supply of a silent receiver")
  func theProbeSaysWhatPowersASilentReceiver()
    throws
  {
    var settings = Settings().powerSwitch
    settings.lines[.supply] = try GpioLine(parsing: "GPIO17")
    #expect(ProbeCommand.hint(settings).isEmpty)
    settings.kind = .gpio
    #expect(ProbeCommand.hint(settings).contains("power_switch.supply = \"GPIO17\""))
  }

  @Test("a missing monitor fails with its settings")
  func aMonitorThatIsNotThereFailsWithItsSetting() {
    var settings = Settings()
    settings.powerMonitor.kind = .hwmon
    settings.powerMonitor.chip = .ina228
    let findings = MonitorDiagnosis.findings(settings)
    #expect(findings.map(\.verdict) == [.fail])
    #expect(findings.first?.text.contains("power_monitor") == true)
  }
}
