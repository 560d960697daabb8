import Foundation
import GodwitSettings
import Hardware

@testable import Config

/// A board's system in memory: the result of applying a boot file.
struct BootBench {
  static let places = BootPlaces(
    settings: "/boot/firmware/godwit.toml", report: "/boot/firmware/godwit-report.txt",
    user: "godwit",
    secrets: ["lookup.url"])
  static let key =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJkn5dGX5nRMSjNjqr6yL1tHqD0mNvqU9jv8q4xHqv7A me@laptop"

  var facts: SystemFacts
  /// Texts of board files by name; "" is the default when no board is named.
  var boards = [
    "host": "[gnss]\noff_mA = 0.25\n", "hat": "[receiver]\ndevice = \"/dev/ttyAMA0\"\n",
    "other-host": "[gnss]\noff_mA = 0.5\n", "": "[gnss]\nsleeping_mA = 0.5\n",
  ]

  init() {
    facts = SystemFacts()
    facts.hosts = "127.0.0.1\tlocalhost\n127.0.1.1\told-name\n::1\tlocalhost\n"
    facts.timeZones = ["Etc/UTC", "Europe/Berlin", "Europe/Berne"]
    facts.examples = "/usr/share/doc/godwit/examples"
  }

  func provisioning(_ text: String) -> Provisioning<Settings> {
    provisioning(.read(Array(text.utf8)))
  }

  func provisioning(_ boot: BootBytes) -> Provisioning<Settings> {
    Provisioning(boot, Self.places, facts, library, needs: Self.needs)
  }

  private var library: BoardLibrary {
    BoardLibrary(usual: file("")) { name throws(SettingsError) in
      guard let file = file(name.text) else {
        throw SettingsError(problems: [SettingProblem(at: name.origin, "no board \(name.text)")])
      }
      return file
    }
  }

  private func file(_ name: String) -> SettingsFile? {
    boards[name].map { SettingsFile(name: "\(name).board", bytes: Array($0.utf8)) }
  }

  private static func needs(_ settings: Settings) -> DaemonRequirements {
    var needs = DaemonRequirements()
    needs.deviceName = settings.device.name
    needs.hasLocalGpsd = settings.receiver.kind == .gpsd
    needs.gpsdDevice = settings.receiver.gpsd.device
    if settings.sources[NetworkSettings.self].kind != .none {
      needs.networkUsers.append("network.kind = \"netlink\"")
    }
    return needs
  }

  /// The daemon's configuration from the settings file.
  func daemon(_ provisioning: Provisioning<Settings>) throws -> Configuration<Settings> {
    let text = try provisioning.text(SystemPlan.settings)
    let settings = SettingsFile(name: "godwit.toml", bytes: Array(text.utf8))
    let named = BoardName.named(in: settings)
    let files = named.map { $0.compactMap { file($0.text) } } ?? [file("")].compactMap { $0 }
    return try Configuration(boards: files, settings: settings)
  }
}

struct NoSuchFile: Error {}

extension Provisioning {
  func content(_ path: String) -> SystemFile.Content? { files.first { $0.path == path }?.content }

  func text(_ path: String) throws -> String {
    guard case .file(let bytes, _)? = content(path) else { throw NoSuchFile() }
    return String(decoding: bytes, as: UTF8.self)
  }

  var remarks: [String] { diagnostics.map(\.description) }

  var report: String {
    BootReport(self, BootBench.places, version: "1.2.3", failures: [])
      .text(at: "2026-01-01T00:00:00Z")
  }
}
