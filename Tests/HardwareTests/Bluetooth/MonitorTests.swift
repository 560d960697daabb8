import RadioSignals
import BusStandIns
import Core
import Ports
import Testing

@testable import Hardware

@Suite(.serialized, .enabled(if: PrivateBus.isInstalled))
struct MonitorTests {
  private let bus: PrivateBus
  private let clock = TestClock()

  init() throws { bus = try PrivateBus() }

  private func bench(_ change: (inout BluetoothSettings) -> Void = { _ in }) -> RadioBench {
    var settings = BluetoothSettings()
    change(&settings)
    let radio = BlueZRadio(
      settings, leastStrength: -85, address: bus.address, now: { [clock] in clock.now })
    return RadioBench(radio: radio, clock: clock)
  }

  /// Listens for the building with active monitors.
  private func watching() -> RadioBench {
    let bench = bench()
    bench.port.listen(for: [.building])
    #expect(bench.news() == .monitors(true) && bench.news() == .listening(true))
    return bench
  }

  @Test("regions are registered byte by byte, with thresholds, and become active")
  func registers() throws {
    let blueZ = try MockedBlueZ(on: bus, monitors: true)
    let bench = bench()
    bench.port.listen(for: [.building, .tags])
    #expect(bench.news() == .monitors(true))
    #expect(bench.news() == .listening(true))
    #expect(bench.port.method == .monitors)
    #expect(try blueZ.patterns())
    #expect(
      blueZ.hears(
        "Registered or_patterns -85/4 -91/30 255 "
          + "0:ff:4c000215e2c56db5dffb48d2b060d0f5a71096e00001 "
          + "4:16:edd1ebeac04e5defa017 2:16:edd1ebeac04e5defa017"))
  }

  @Test("a found device is reported once with its identity, and lost under the same name")
  func found() throws {
    let blueZ = try MockedBlueZ(on: bus, monitors: true)
    let bench = watching()
    try blueZ.knows(1, .room(4))
    try blueZ.callMonitors("DeviceFound", device: 1)
    #expect(bench.news() == .found(.room(4), 127))
    #expect(try bench.isQuiet(with: blueZ.service))
    try blueZ.callMonitors("DeviceLost", device: 1)
    #expect(bench.news() == .lost(BeaconFrame.room(4).beacon))
    try blueZ.callMonitors("DeviceLost", device: 1)
    try blueZ.callMonitors("DeviceLost", device: 2)
    #expect(try bench.isQuiet(with: blueZ.service))
  }

  @Test("a device that BlueZ removed before its monitor could lose it is lost")
  func removed() throws {
    let blueZ = try MockedBlueZ(on: bus, monitors: true)
    let bench = watching()
    try blueZ.knows(1, .room(4))
    try blueZ.callMonitors("DeviceFound", device: 1)
    #expect(bench.news() == .found(.room(4), 127))
    try blueZ.forgets(1)
    #expect(bench.news() == .lost(BeaconFrame.room(4).beacon))
  }

  @Test("a device lost and found again at once, or with the adapter's power, is not lost")
  func losses() throws {
    let blueZ = try MockedBlueZ(on: bus, monitors: true)
    let bench = watching()
    try blueZ.knows(1, .room(4))
    try blueZ.callMonitors("DeviceFound", device: 1)
    #expect(bench.news() == .found(.room(4), 127))
    try blueZ.callMonitors("DeviceLost", device: 1)
    try blueZ.callMonitors("DeviceFound", device: 1)
    #expect(bench.news() == .found(.room(4), 127))
    #expect(bench.news(within: 2) == nil)
    try blueZ.callMonitors("DeviceLost", device: 1)
    try blueZ.setPower(false)
    #expect(bench.news() == .listening(false))
    #expect(blueZ.hears("UnregisterMonitor"))
    #expect(bench.message()?.contains("hci0 is switched off") == true)
    try blueZ.setPower(true)
    #expect(bench.news() == .listening(true))
    #expect(bench.news(within: 2) == nil)
  }

  @Test("the first advertisement of a new device is received before a monitor finds it")
  func appears() throws {
    let blueZ = try MockedBlueZ(on: bus, monitors: true)
    let bench = watching()
    try blueZ.appears(1, .room(4), strength: -61)
    #expect(bench.news() == .received(.room(4), -61))
    try blueZ.appears(2, nil, strength: -61)
    try blueZ.callMonitors("DeviceFound", device: 1)
    #expect(bench.news() == .found(.room(4), -61))
  }

  @Test("a device that matches a pattern but is not a beacon is not reported")
  func noBeacon() throws {
    let blueZ = try MockedBlueZ(on: bus, monitors: true)
    let bench = watching()
    try blueZ.knows(1, nil)
    try blueZ.callMonitors("DeviceFound", device: 1)
    try blueZ.callMonitors("DeviceFound", device: 77)
    #expect(try bench.isQuiet(with: blueZ.service))
  }

  @Test("if a service releases its monitors, discovery is used") func released() throws {
    let blueZ = try MockedBlueZ(on: bus, monitors: true)
    let bench = watching()
    try blueZ.callMonitors("Release")
    #expect(bench.news() == .listening(false))
    #expect(bench.news() == .monitors(false))
    bench.port.scan(true)
    #expect(bench.news() == .listening(true))
    #expect(bench.port.method == .discovery)
    bench.port.scan(false)
    #expect(bench.news() == .listening(false))
    try blueZ.setPower(false)
    #expect(bench.message()?.contains("hci0 is switched off") == true)
    try blueZ.setPower(true)
    #expect(bench.news() == .monitors(true) && bench.news() == .listening(true))
  }

  @Test("required monitors that are refused are reported with the remedy") func required() throws {
    let blueZ = try MockedBlueZ(on: bus)
    let bench = bench { $0.method = .monitors }
    bench.port.listen(for: [.building])
    #expect(bench.news() == .monitors(true))
    #expect(bench.message()?.contains("Experimental = true") == true)
    #expect(!blueZ.hears("StartDiscovery", within: 0.1))
  }

  @Test("configured discovery is used although monitors exist") func refused() throws {
    let blueZ = try MockedBlueZ(on: bus, monitors: true)
    let bench = bench { $0.method = .discovery }
    bench.port.listen(for: [.building])
    bench.port.scan(true)
    #expect(bench.news() == .listening(true))
    #expect(!blueZ.hears("RegisterMonitor", within: 0.1))
  }

  @Test("a clock step has the monitors registered again, because their timers depend on it")
  func dateSet() throws {
    let blueZ = try MockedBlueZ(on: bus, monitors: true)
    let bench = watching()
    #expect(blueZ.hears("Activated"))
    bench.port.dateWasSet()
    #expect(bench.news() == .listening(false) && bench.news() == .listening(true))
    #expect(blueZ.hears("UnregisterMonitor") && blueZ.hears("Activated"))
  }

  @Test("only BlueZ may call the monitors") func strangers() throws {
    let blueZ = try MockedBlueZ(on: bus, monitors: true)
    let bench = watching()
    try blueZ.knows(1, .room(4))
    let other = try MockedService("org.example.Other", path: "/", interface: "x.y", on: bus)
    try other.run(
      """
      for name in self.connection.list_names():
        if name.startswith(':') and name != self.connection.get_unique_name():
          client = self.connection.get_object(name, '/org/godwit/monitors1/0', introspect=False)
          client.DeviceFound(dbus.ObjectPath('\(MockedBlueZ.path(1))'),
            dbus_interface='org.bluez.AdvertisementMonitor1',
            reply_handler=lambda *a: None, error_handler=lambda e: None)
      """)
    #expect(try bench.isQuiet(with: blueZ.service))
  }

  @Test("more regions than monitors can name are covered by their kind") func many() {
    let regions = (0..<300).map { number in
      try! BeaconRegion("ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0/\(number)/1")
    }
    #expect(MonitorObjects(regions, leastStrength: -90).paths.count == 1)
    #expect(MonitorObjects(Array(regions.prefix(40)), leastStrength: -90).paths.count == 3)
    #expect(MonitorObjects(Array(regions.prefix(128)), leastStrength: -90).paths.count == 8)
    #expect(MonitorObjects(Array(regions.prefix(129)), leastStrength: -90).paths.count == 1)
    let same = Array(repeating: regions[0], count: 300)
    #expect(MonitorObjects(same, leastStrength: -90).paths.count == 1)
  }

  @Test("more regions than monitors can name cost no time") func cost() {
    let owner = UniqueID("e2c56db5-dffb-48d2-b060-d0f5a71096e0")!
    let regions = (0..<10_000).map { number in
      BeaconRegion.iBeacon(
        uuid: owner, major: UInt16(number / 1000), minor: UInt16(number % 1000))
    }
    let taken = ContinuousClock().measure {
      #expect(MonitorObjects(regions, leastStrength: -90).paths.count == 1)
    }
    #expect(taken < .seconds(1))
  }
}
