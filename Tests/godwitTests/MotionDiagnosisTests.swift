import GpioLines
import MotionSensor
import PowerControl
import TestSupport
import Testing

@testable import godwit

@Suite struct MotionDiagnosisTests {
  @Test("a board without a motion sensor has nothing to check") func withoutALineNothingIsSaid() {
    #expect(MotionDiagnosis.finding(MotionSettings()) == nil)
  }

  @Test("a line that is not there fails with its setting") func aMissingLineFails() throws {
    let folder = try ScratchFolder()
    var settings = MotionSettings()
    settings.line = try GpioLine(parsing: "ACCEL_INT1")
    let finding = MotionDiagnosis.finding(settings, devices: folder.path)
    #expect(finding?.part == "motion" && finding?.verdict == .fail)
    #expect(finding?.text.contains("motion.line = \"ACCEL_INT1\": there is no GPIO chip") == true)
  }

  @Test("a line that can be had, is in use by the daemon, or by another, is told apart")
  func theHolderDecides() {
    var check = LineCheck(problem: "in use by gpiomon")
    #expect(check.finding("motion", written: "X").verdict == .fail)
    check.problem = nil
    check.resolved = "soc:6 on gpiochip0"
    check.isFree = true
    #expect(check.finding("motion", written: "X").text == "X is soc:6 on gpiochip0, and free")
    check.isOurs = true
    #expect(check.finding("motion", written: "X").text.contains("in use by the daemon"))
  }
}
