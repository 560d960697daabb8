import ChangedSettings
import GodwitSettings
import Core
import Runtime
import Testing

@testable import godwit

/// What a reload does with each declared setting.
@Suite struct ReloadedPartsTests {
  private static func parts(_ settings: Settings) -> ReloadedParts {
    ReloadedParts(
      Composition(settings: settings, world: .live), coarseSources: [], evidenceSources: [])
  }

  /// A setting that is declared to apply on a reload but belongs to no reloaded part would apply
  /// only after a restart, without any report of that.
  @Test("each changed setting applies to the parts of the daemon, or is listed as waiting")
  func everySettingCountsOrWaits() throws {
    let running = Settings()
    for setting in DeclaredSettings(in: running).settings {
      var new = running
      try new.set(setting.key, ChangedSettings.otherValue(of: setting))
      let waiting = SettingsReload(new, since: running).waiting
      let inForce = new.keeping(Set(waiting), of: running)
      #expect(waiting == (inForce == running ? [setting.key] : []), "\(setting.key)")
      switch setting.activation {
      case .atStart: #expect(inForce == running, "\(setting.key)")
      case .atReload:
        #expect(inForce == new && Self.parts(inForce) == Self.parts(new), "\(setting.key)")
        #expect(Self.parts(inForce) != Self.parts(running), "no part gets \(setting.key)")
      case .atNextRun(let program):
        #expect(program == "godwit uplink" && setting.key.hasPrefix("uplink."))
        #expect(inForce.uplink.daemonPart == running.uplink.daemonPart, "\(setting.key)")
      }
      #expect(SettingsReload(running, since: running).waiting.isEmpty)
    }
  }

  @Test("a reload that changes nothing of tracking starts no session")
  func unchanged() throws {
    func composition(_ key: String? = nil, _ value: String = "") throws -> Composition {
      var settings = Settings()
      if let key { try settings.set(key, WrittenValue(.string(value), line: 1)) }
      return Composition(settings: settings, world: .replay)
    }
    func parts(_ composition: Composition) -> ReloadedParts {
      ReloadedParts(composition, coarseSources: [], evidenceSources: [])
    }
    var devices = Devices()
    let command = try parts(composition()).equip(&devices)
    let runtime = try composition().runtime(devices: devices, at: .zero)
    runtime.start(restoring: nil, at: .zero)
    let session = try #require(runtime.tracker.session?.id)
    let before = try parts(composition())
    let named = try parts(composition("device.name", "stork"))
    named.apply(to: runtime, command, insteadOf: before, at: .zero + 1)
    #expect(runtime.deviceName == "stork" && runtime.tracker.session?.id == session)
    let hybrid = try parts(composition("policy.name", "hybrid"))
    hybrid.apply(to: runtime, command, insteadOf: named, at: .zero + 2)
    #expect(runtime.tracker.policyName == "hybrid" && runtime.tracker.session?.id != session)
  }

  /// All at once, as after an upgrade of the settings file.
  @Test("among many changes the waiting ones keep their values from the daemon's start")
  func everythingAtOnce() throws {
    let running = Settings()
    var new = running
    let declared = DeclaredSettings(in: running).settings
    for setting in declared { try new.set(setting.key, ChangedSettings.otherValue(of: setting)) }
    let waiting = Set(SettingsReload(new, since: running).waiting)
    let inForce = new.keeping(waiting, of: running)
    for setting in declared {
      let expected = waiting.contains(setting.key) ? running : new
      #expect(inForce.value(of: setting.key) == expected.value(of: setting.key))
    }
    #expect(waiting.isSuperset(of: declared.filter { $0.activation == .atStart }.map(\.key)))
    #expect(waiting.isDisjoint(with: declared.filter { $0.activation == .atReload }.map(\.key)))
    #expect(inForce.uplink.daemonPart == running.uplink.daemonPart)
  }

  @Test("of the uplink's settings those wait that decide whether the daemon starts it")
  func uplink() throws {
    func set(_ settings: inout Settings, _ key: String, _ value: WrittenValue.Content) throws {
      try settings.set(key, WrittenValue(value, line: 1))
    }
    let brokers = WrittenValue(.string("mqtt://broker"), line: 1)
    let running = Settings()
    var new = running
    try set(&new, "uplink.privacy.round_m", .integer(500))
    #expect(SettingsReload(new, since: running).waiting == [])
    try set(&new, "uplink.mqtt.brokers", .array([brokers]))
    #expect(SettingsReload(new, since: running).waiting == ["uplink.mqtt.brokers"])
    // Once it is started, another recipient affects only the uplink.
    var other = new
    try set(&other, "uplink.mqtt.home_assistant", .bool(true))
    #expect(SettingsReload(other, since: new).waiting == [])
    try set(&other, "uplink.delay_s", .integer(1))
    #expect(SettingsReload(other, since: new).waiting == ["uplink.delay_s"])
  }

  @Test("settings that do not change the daemon's part of the uplink do not wait")
  func swapped() throws {
    func settings(_ changes: KeyValuePairs<String, WrittenValue.Content>) throws -> Settings {
      var settings = Settings()
      for (key, value) in changes { try settings.set(key, WrittenValue(value, line: 1)) }
      return settings
    }
    let broker = WrittenValue.Content.string("mqtt://broker")
    let url = WrittenValue.Content.string("https://receiver.example/pub")
    let byBroker = try settings(["uplink.mqtt.brokers": broker])
    let another = try settings([
      "uplink.mqtt.brokers": broker, "uplink.mqtt.owntracks": .bool(false),
      "uplink.mqtt.home_assistant": .bool(true),
    ])
    #expect(SettingsReload(another, since: byBroker).waiting == [])
    let byWeb = try settings(["uplink.owntracks_http.url": url])
    let withPeople = try settings([
      "uplink.mqtt.brokers": broker, "uplink.mqtt.people": .bool(true),
    ])
    // Without the waiting recipient there would be none, so the other waits, too.
    let waiting = Set(SettingsReload(withPeople, since: byWeb).waiting)
    #expect(waiting.isSuperset(of: ["uplink.mqtt.brokers", "uplink.owntracks_http.url"]))
    #expect(withPeople.keeping(waiting, of: byWeb).uplink.daemonPart == byWeb.uplink.daemonPart)
  }
}
