import Foundation
import TestSupport
import Testing

@testable import Platform

@Suite struct DeviceAccessTests {
  @Test("a device's group is what the user has to join")
  func group() {
    let advice = DeviceAccess.advice("dana", group: "dialout", "a rule")
    #expect(advice == "Add dana to its group and start again: usermod -aG dialout dana")
  }

  @Test("a device of no group needs a rule")
  func noGroup() {
    let advice = DeviceAccess.advice("dana", group: nil, "MODE=\"0660\"")
    #expect(
      advice == "Assign it to a group with a udev rule (MODE=\"0660\") and add dana to that group")
  }

  @Test("a device that only its owner may use names no group to join")
  func ownersOnly() throws {
    let folder = try ScratchFolder()
    try folder.write("", to: "device")
    chmod(folder.file("device"), 0o600)
    let advice = DeviceAccess.advice(for: folder.file("device"), udevRule: "a rule")
    #expect(advice.contains("with a udev rule (a rule)"))
  }

  @Test("a device that has gone still gets the advice of a rule")
  func goneDevice() {
    let advice = DeviceAccess.advice(for: "/nowhere/at/all", udevRule: "a rule")
    #expect(advice.contains("with a udev rule (a rule)"))
  }

  /// Root enters every directory.
  @Test("a device in a closed directory is out of reach", .enabled(if: geteuid() != 0))
  func closedDirectory() throws {
    let folder = try ScratchFolder()
    try folder.write("", to: "closed/device")
    chmod(folder.file("closed"), 0)
    defer { chmod(folder.file("closed"), 0o700) }
    let advice = DeviceAccess.advice(for: folder.file("closed/device"), udevRule: "a rule")
    #expect(advice.hasSuffix("access to the device's directory"))
  }
}
