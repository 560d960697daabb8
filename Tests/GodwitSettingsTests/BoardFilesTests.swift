import Config
import Foundation
import GodwitSettings
import TestSupport
import Testing

extension SuppliedBoard {
  fileprivate var file: SettingsFile { SettingsFile(name: name, bytes: bytes) }
}

/// The board files that come with Godwit: every combination that can be wired is valid.
@Suite struct BoardFilesTests {
  /// Every folder is a part, and is listed on the page of all parts.
  @Test("every board folder is listed in the table of boards") func everyFolderIsAPartOfTheTable()
    throws
  {
    let table = try String(
      contentsOf: SuppliedBoard.folder.appendingPathComponent("README.md"), encoding: .utf8)
    let parts = try SuppliedBoard.all()
    let names = try FileManager.default.contentsOfDirectory(atPath: SuppliedBoard.folder.path)
      .filter {
        !$0.contains(".") && !["systemd", "polkit", "geoclue", "image", "protocols"].contains($0)
      }
    #expect(names.sorted() == parts.map(\.name))
    for part in parts {
      #expect(table.contains("](\(part.name)/README.md)"), "\(part.name)")
      let page = SuppliedBoard.folder.appendingPathComponent("\(part.name)/README.md").path
      #expect(FileManager.default.fileExists(atPath: page), "\(page)")
    }
    for kind in SuppliedBoard.Kind.allCases { #expect(parts.contains { $0.kind == kind }) }
  }

  /// A switch needs a host that names its line; no other part needs another one.
  @Test("every board file is valid alone") func everyPartStandsAlone() throws {
    let parts = try SuppliedBoard.all()
    let host = try #require(parts.first { $0.kind == .host })
    for part in parts {
      let boards = part.kind == .switching ? [part, host] : [part]
      let configuration = try Configuration<Settings>(boards: boards.map(\.file))
      let isSet = configuration.declared.settings.contains {
        configuration.origin(of: $0.key).description.hasPrefix("\(part.name):")
      }
      #expect(isSet, "\(part.name)")
      guard part.kind == .receiver else { continue }
      #expect(configuration.settings.receiver.family != nil, "\(part.name)")
    }
  }

  /// Every host with every switch, receiver and monitor, where the two can be wired together.
  @Test("all compatible boards compose") func everythingComposes() throws {
    let parts = try SuppliedBoard.all()
    var count = 0
    for host in parts where host.kind == .host {
      for receiver in parts where receiver.kind == .receiver {
        for monitor in parts where monitor.kind == .monitor {
          let boards = [host, receiver, monitor]
          let alone = try Configuration<Settings>(boards: boards.map(\.file))
          // The emulated board has no I2C bus.
          #expect(alone.settings.powerMonitor.bus == (host.name == "qemu-virt" ? nil : 1))
          #expect(alone.settings.powerSwitch.kind == .none)
          count += 1
          for switching in parts where switching.kind == .switching {
            guard Self.canBeSwitched(receiver, by: switching) else { continue }
            let switched = try Configuration<Settings>(boards: (boards + [switching]).map(\.file))
            #expect(switched.settings.powerSwitch.kind != .none)
            count += 1
          }
        }
      }
    }
    #expect(count > 100)
  }

  /// A modem's GNSS is on no line, and the kernel's driver supports only u-blox receivers.
  static func canBeSwitched(_ receiver: SuppliedBoard, by switching: SuppliedBoard) -> Bool {
    switch switching.name {
    case "gpio-load-switch": !receiver.name.hasPrefix("simcom-")
    case "kernel-gnss": receiver.name.hasPrefix("ublox-")
    default: false
    }
  }

  /// A combination that cannot be wired is refused with the names of both files.
  @Test(
    "boards that exclude each other are refused",
    arguments: [
      ["simcom-sim7600", "gpio-load-switch"], ["simcom-sim7080", "kernel-gnss"],
      ["ina219", "ina226"], ["raspberry-pi-4", "raspberry-pi-5"],
      ["ublox-neo-6m", "ublox-sam-m8q"], ["gpio-load-switch", "kernel-gnss"],
    ])
  func whatExcludesEachOtherIsRefused(names: [String]) throws {
    let files = try SuppliedBoard.all().filter { names.contains($0.name) }.map(\.file)
    let refusal = thrown(SettingsError.self, "\(names)") {
      _ = try Configuration<Settings>(boards: files)
    }
    let message = refusal?.description ?? ""
    for name in names { #expect(message.contains("\(name):"), "\(message)") }
  }

  /// A simulated receiver has the times and currents of its file.
  @Test("the boards' values are in the settings") func theirValuesArrive() throws {
    let parts = try SuppliedBoard.all().filter {
      ["raspberry-pi-5", "gpio-load-switch", "zhongke-atgm336h", "ina226"].contains($0.name)
    }
    let settings = try Configuration<Settings>(boards: parts.map(\.file)).settings
    #expect(settings.receiver.serial.path == "/dev/ttyAMA0")
    #expect(settings.powerSwitch.kind == .gpio)
    #expect(settings.powerSwitch.lines[.supply]?.text == "GPIO17")
    #expect(!settings.powerSwitch.hasBackupSupply)
    #expect(settings.powerMonitor.chip == .ina226)
    #expect(settings.gnss.tracking == 0.042)
    #expect(settings.gnss.coldStart == 47)
  }
}
