import Foundation
import GodwitSettings
import TestSupport
import Testing

@testable import godwit

@Suite struct SwitchDiagnosisTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  func parameter(_ driver: String, _ text: String) throws {
    let folder = "\(scratch.path)/\(driver)/parameters"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/persist_gpio_outputs"))
  }

  @Test("the kernel says whether lines keep their level") func theKernelIsAskedWhetherLinesStay()
    throws
  {
    try parameter("pinctrl_bcm2835", "Y\n")
    try parameter("pinctrl_rp1", "N\n")
    func kept(_ label: String) -> Bool? {
      LinePersistence.kept(chip: label, modules: scratch.path)
    }
    #expect(kept("pinctrl-bcm2711") == true)
    #expect(kept("pinctrl-bcm2835") == true)
    #expect(kept("pinctrl-rp1") == false)
    #expect(kept("pcf8574") == nil)
    #expect(kept("") == nil)
    try parameter("pinctrl_bcm2835", "")
    #expect(kept("pinctrl-bcm2711") == nil)
    #expect(LinePersistence.kept(chip: "pinctrl-rp1", modules: "/nowhere") == nil)
  }

  @Test("an on_exit that the kernel undoes is a warning")
  func aPolicyThatTheKernelUndoesIsToBeLookedAt() {
    var settings = Settings().powerSwitch
    #expect(SwitchDiagnosis.afterwards(settings, isKept: true).verdict == .ok)
    #expect(SwitchDiagnosis.afterwards(settings, isKept: false).verdict == .ok)
    settings.onExit = .keep
    #expect(SwitchDiagnosis.afterwards(settings, isKept: true).verdict == .ok)
    let finding = SwitchDiagnosis.afterwards(settings, isKept: false)
    #expect(finding.verdict == .warn)
    #expect(finding.text.contains("power_switch.on_exit = \"keep\""))
  }
}
