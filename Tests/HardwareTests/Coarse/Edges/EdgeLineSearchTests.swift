import Glibc
import Platform
import Ports
import GNSS
import TestSupport
import Testing

@testable import Hardware

/// Tests that need no chip; the kernel laboratory covers the rest.
@Suite struct EdgeLineSearchTests {
  private func settings(_ line: String) throws -> MotionSettings {
    var settings = MotionSettings()
    settings.line = try GpioLine(parsing: line)
    return settings
  }

  @Test("without a line in the settings there is no source") func noLineNoSource() {
    #expect(MotionSensor(MotionSettings()) == nil)
    #expect(MotionSensor.findings(MotionSettings()).isEmpty)
  }

  @Test("a missing line is reported with its setting and the remedy")
  func aMissingLineIsExplained() throws {
    let folder = try ScratchFolder()
    let settings = try settings("ACCEL_INT1 pull-up")
    let line = try #require(MotionSensor(settings, devices: folder.path))
    let words = [
      "motion.line = \"ACCEL_INT1 pull-up\": there is no GPIO chip (\(folder.path)/gpiochip*)"
    ]
    let error = thrown(PortError.self) { _ = try line.poll() }
    for word in words { #expect(error?.message.contains(word) == true, "\(error as Any)") }
    #expect(line.interest == nil && line.due != nil)
    let finding = MotionSensor.findings(settings, devices: folder.path).first
    #expect(finding?.verdict == .fail && finding?.text == error?.message)
  }

  @Test(
    "every refusal names the remedy",
    arguments: [
      (GpioRefusal.Step.opening, EACCES, "group"), (.watching, EBUSY, "in use by gpiomon"),
      (.watching, ENXIO, "raises no interrupt"), (.watching, ENODEV, "raises no interrupt"),
      (.watching, EINVAL, "pull words"), (.watching, EIO, "another function"),
      (.reading, ENODEV, "has disappeared"), (.reading, EIO, "requested again"),
    ])
  func everyRefusalSaysWhatToDo(step: GpioRefusal.Step, code: Int32, words: String) throws {
    let search = EdgeLineSearch(
      setting: "motion.line", line: try GpioLine(parsing: "ACCEL_INT1"), devices: "/dev")
    let message = search.refused(
      GpioRefusal(step: step, error: SystemError(code: code)), path: "/dev/gpiochip3",
      holder: "gpiomon"
    ).message
    #expect(message.hasPrefix("motion.line = \"ACCEL_INT1\": "))
    #expect(message.contains(words), "\(message)")
  }
}
