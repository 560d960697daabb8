import RadioSignals
import BusStandIns
import Ports
import Core
import Testing

@testable import Hardware

@Suite(.serialized, .enabled(if: PrivateBus.isInstalled))
struct DiscoveryTests {
  private let bus: PrivateBus
  private let clock = TestClock()
  private let radio: BlueZRadio
  private let bench: RadioBench

  init() throws {
    bus = try PrivateBus()
    radio = BlueZRadio(
      BluetoothSettings(), leastStrength: -90, address: bus.address, now: { [clock] in clock.now })
    bench = RadioBench(radio: radio, clock: clock)
  }

  private func begin() {
    radio.listen(for: [.building])
    radio.scan(true)
  }

  /// A mocked BlueZ with a radio that has begun to listen.
  private func listening() throws -> MockedBlueZ {
    let blueZ = try MockedBlueZ(on: bus)
    begin()
    #expect(bench.news() == .listening(true))
    return blueZ
  }

  /// The radio is switched off for a restart, and BlueZ refuses to switch it on again.
  private func refusingOn() throws -> MockedBlueZ {
    let blueZ = try listening()
    try blueZ.refusePower(true)
    radio.restart()
    #expect(bench.news() == .listening(false))
    return blueZ
  }

  @Test("without a request BlueZ is not queried") func unused() throws {
    let blueZ = try MockedBlueZ(on: bus)
    #expect(radio.interest == nil && radio.due == nil)
    radio.listen(for: [])
    #expect(bench.isQuiet && radio.method == nil)
    #expect(!blueZ.hears("StartDiscovery", within: 0.1))
  }

  @Test("without monitors it uses discovery, and reports each beacon with its strength")
  func discovers() throws {
    let blueZ = try listening()
    #expect(blueZ.hears("SetDiscoveryFilter") && blueZ.hears("StartDiscovery"))
    #expect(radio.method == .discovery)
    try blueZ.appears(1, .room(3), strength: -61)
    #expect(bench.news() == .received(.room(3), -61))
    try blueZ.changes(1, strength: -64)
    #expect(bench.news() == .received(.room(3), -64))
    try blueZ.appears(2, .tag, strength: -70)
    #expect(bench.news() == .received(.tag, -70))
    radio.scan(false)
    #expect(bench.news() == .listening(false))
    #expect(blueZ.hears("StopDiscovery"))
    #expect(radio.listened > 0)
  }

  @Test("a device that BlueZ already knows is queried once, and received from then on")
  func known() throws {
    let blueZ = try MockedBlueZ(on: bus)
    try blueZ.knows(1, .room(9))
    begin()
    #expect(bench.news() == .listening(true))
    try blueZ.changes(1, strength: -64)
    #expect(bench.news() == .otherDevice)
    #expect(try bench.isQuiet(with: blueZ.service))
    try blueZ.changes(1, strength: -65)
    #expect(bench.news() == .received(.room(9), -65))
  }

  @Test("an advertisement without strength is received with an unknown one") func unknown() throws {
    let blueZ = try listening()
    try blueZ.appears(1, .room(3), strength: nil)
    #expect(bench.news() == .received(.room(3), 127))
  }

  @Test("other devices are reported as activity once per minute") func others() throws {
    let blueZ = try listening()
    for device in 1...5 { try blueZ.appears(device, nil, strength: -50) }
    #expect(bench.news() == .otherDevice)
    #expect(try bench.isQuiet(with: blueZ.service))
    clock.ahead = 61
    try blueZ.changes(1, strength: -51)
    #expect(bench.news() == .otherDevice)
  }

  @Test("a missing, added, unpowered or removed adapter is reported")
  func adapters() throws {
    let blueZ = try MockedBlueZ(on: bus, adapter: false)
    begin()
    #expect(bench.message()?.contains("BlueZ has no adapter") == true)
    try blueZ.addAdapter()
    #expect(bench.news() == .listening(true))
    try blueZ.setPower(false)
    #expect(bench.news() == .listening(false))
    #expect(bench.message()?.contains("hci0 is switched off") == true)
    #expect(radio.method == nil)
    try blueZ.setPower(true)
    #expect(bench.news() == .listening(true))
    try blueZ.removeAdapter()
    #expect(bench.news() == .listening(false))
    #expect(bench.message()?.contains("has disappeared") == true)
    try blueZ.addAdapter()
    #expect(bench.next().flatMap { try? $0.get() } == .listening(true))
  }

  @Test("a missing or restarted service is reported, and used when it appears")
  func service() throws {
    begin()
    #expect(bench.message()?.contains("not running") == true)
    var blueZ: MockedBlueZ? = try MockedBlueZ(on: bus)
    try blueZ?.addAdapter("hci1")
    #expect(bench.news() == .listening(true))
    blueZ = nil
    #expect(bench.news() == .listening(false))
    #expect(bench.message()?.contains("not running") == true)
    blueZ = try MockedBlueZ(on: bus)
    #expect(bench.news(within: 30) == .listening(true))
    try blueZ?.appears(1, .room(3), strength: -61)
    #expect(bench.news() == .received(.room(3), -61))
  }

  @Test("a service that ends before it answers is reported once, without keeping the loop awake")
  func goesUnasked() throws {
    var blueZ: MockedBlueZ? = try MockedBlueZ(on: bus)
    blueZ?.freeze()
    begin()
    #expect(bench.isQuiet)
    blueZ = nil
    #expect(bench.message()?.contains("not running") == true)
    #expect(bench.isQuiet)
    clock.ahead = 3600
    #expect(bench.isQuiet)
    #expect(radio.due == nil)
    blueZ = try MockedBlueZ(on: bus)
    #expect(bench.news() == .listening(true))
  }

  @Test("a refusal names the remedy, and is retried") func denied() throws {
    let blueZ = try MockedBlueZ(on: bus)
    try blueZ.run(
      """
      objects['/org/bluez/hci0'].AddMethod('org.bluez.Adapter1', 'StartDiscovery', '', '',
        'raise dbus.exceptions.DBusException("no", name="org.bluez.Error.NotAuthorized")')
      """)
    begin()
    #expect(bench.message()?.contains("group \"bluetooth\"") == true)
    try blueZ.run(
      """
      objects['/org/bluez/hci0'].AddMethod('org.bluez.Adapter1', 'StartDiscovery', '', '', '')
      """)
    clock.ahead = 6
    #expect(bench.news() == .listening(true))
  }

  @Test("a restart powers the adapter off and on, and listens again") func restart() throws {
    let blueZ = try listening()
    radio.restart()
    #expect(bench.news() == .listening(false))
    #expect(try bench.isQuiet(with: blueZ.service))
    clock.ahead = 3
    #expect(bench.news() == .restarted)
    #expect(bench.news() == .listening(true))
    #expect(blueZ.hears("StartDiscovery"))
  }

  @Test("an adapter that cannot be powered off for a restart stays in use")
  func refusedOff() throws {
    let blueZ = try listening()
    try blueZ.refusePower(false)
    radio.restart()
    #expect(try bench.isQuiet(with: blueZ.service))
    clock.ahead = 3
    #expect(bench.news() == .restarted)
    try blueZ.appears(1, .room(3), strength: -61)
    #expect(bench.news() == .received(.room(3), -61))
    radio.restart()
    try blueZ.refusePower(nil)
    #expect(try bench.isQuiet(with: blueZ.service))
    clock.ahead = 6
    #expect(bench.news() == .restarted)
  }

  @Test("an adapter that cannot be powered on again is reported, and retried after a while")
  func refusedOn() throws {
    let blueZ = try refusingOn()
    #expect(try bench.isQuiet(with: blueZ.service))
    clock.ahead = 3
    #expect(bench.message()?.contains("does not switch the adapter on again") == true)
    clock.ahead = 64
    #expect(try bench.isQuiet(with: blueZ.service))
    try blueZ.refusePower(nil)
    clock.ahead = 125
    #expect(bench.news() == .restarted)
    #expect(bench.news() == .listening(true))
  }

  @Test("an adapter that another program powers on meanwhile is used at once")
  func switchedByOthers() throws {
    let blueZ = try refusingOn()
    clock.ahead = 3
    #expect(bench.message() != nil)
    try blueZ.refusePower(nil)
    try blueZ.setPower(true)
    #expect(bench.news() == .listening(true))
    clock.ahead = 70
    #expect(try bench.isQuiet(with: blueZ.service))
  }

  @Test("malformed and overlong data of a device is not a beacon, and ends nothing")
  func malformed() throws {
    let blueZ = try listening()
    try blueZ.run(
      """
      for number, data in enumerate([
        {76: [2, 21] + [1] * 20}, {76: [2, 21] + [1] * 22}, {76: []}, {76: [1] * 5000},
        {k: [2, 21] + [0] * 21 for k in range(100, 400)}]):
        path = '/org/bluez/hci0/dev_%02d' % number
        properties = dbus.Dictionary({'RSSI': dbus.Int16(-60), 'ManufacturerData': dbus.Dictionary(
          {dbus.UInt16(k): dbus.Array([dbus.Byte(b) for b in v], signature='y', variant_level=1)
            for k, v in data.items()}, signature='qv')}, signature='sv')
        self.EmitSignal('org.freedesktop.DBus.ObjectManager', 'InterfacesAdded', 'oa{sa{sv}}', [
          dbus.ObjectPath(path), {'org.bluez.Device1': properties}])
      self.EmitSignal('org.freedesktop.DBus.ObjectManager', 'InterfacesAdded', 'oa{sa{sv}}', [
        dbus.ObjectPath('/org/bluez/hci0/dev_x'), {'org.bluez.Device1': dbus.Dictionary({
          'RSSI': 'loud', 'ManufacturerData': 7, 'ServiceData': ['a']}, signature='sv')}])
      """)
    try blueZ.appears(9, .room(3), strength: -61)
    #expect(bench.news() == .otherDevice)
    #expect(bench.news() == .received(.room(3), -61))
  }

  @Test("ten thousand devices, and a hundred advertisements of one, are handled") func crowd()
    throws
  {
    let blueZ = try listening()
    try blueZ.run(
      """
      from dbus.lowlevel import SignalMessage
      for number in range(10000):
        signal = SignalMessage('/', 'org.freedesktop.DBus.ObjectManager', 'InterfacesAdded')
        signal.append(dbus.ObjectPath('/org/bluez/hci0/dev_%05d' % number),
          {'org.bluez.Device1': {'RSSI': dbus.Int16(-60)}}, signature='oa{sa{sv}}')
        self.connection.send_message(signal)
      """)
    try blueZ.appears(9, .room(3), strength: -61)
    #expect(bench.news(within: 30) == .otherDevice)
    #expect(bench.news(within: 30) == .received(.room(3), -61))
    try blueZ.run(
      """
      from dbus.lowlevel import SignalMessage
      for number in range(100):
        signal = SignalMessage('\(MockedBlueZ.path(9))', 'org.freedesktop.DBus.Properties',
          'PropertiesChanged')
        signal.append('org.bluez.Device1', {'RSSI': dbus.Int16(-60 - number % 5)}, [],
          signature='sa{sv}as')
        self.connection.send_message(signal)
      """)
    var heard = 0
    while case .received? = bench.news(within: 1) { heard += 1 }
    #expect(heard == 100)
  }

  @Test("signals of another program are ignored") func spoofed() throws {
    let blueZ = try listening()
    let other = try MockedService("org.example.Other", path: "/", interface: "x.y", on: bus)
    try other.run(
      """
      self.EmitSignal('org.freedesktop.DBus.ObjectManager', 'InterfacesRemoved', 'oas', [
        dbus.ObjectPath('/org/bluez/hci0'), ['org.bluez.Adapter1']])
      """)
    #expect(try bench.isQuiet(with: blueZ.service))
    try blueZ.appears(1, .room(3), strength: -61)
    #expect(bench.news() == .received(.room(3), -61))
  }
}
