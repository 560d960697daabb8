import BusStandIns
import Platform
import Ports
import Core
import Records
import Testing

@testable import Hardware

@Suite(.serialized, .enabled(if: PrivateBus.isInstalled))
struct NetworkManagerSourceTests {
  private let bus: PrivateBus
  private let clock = TestClock()
  private let source: NetworkManagerSource
  private let bench: SourceBench

  init() throws {
    bus = try PrivateBus()
    source = Self.source(bus, clock)
    bench = SourceBench(source: source, clock: clock)
  }

  private static func source(
    _ bus: PrivateBus, _ clock: TestClock, _ change: (inout WiFiSettings) -> Void = { _ in }
  ) -> NetworkManagerSource {
    var settings = WiFiSettings()
    change(&settings)
    return NetworkManagerSource(settings, address: bus.address) { clock.now }
  }

  private static let device = "/org/freedesktop/NetworkManager/Devices/w0"
  private static let wireless = "org.freedesktop.NetworkManager.Device.Wireless"

  /// dbusmock's NetworkManager, plus the time of the last scan, which it lacks.
  /// - Parameter ago: age of the last scan and of its access points in seconds.
  private func networkManager(device: Bool = true, ago: Double = 100) throws -> MockedService {
    let service = try MockedService(
      "org.freedesktop.NetworkManager", path: "/org/freedesktop", interface: "",
      template: "networkmanager", on: bus)
    guard device else { return service }
    try service.run(
      """
      import time
      manager = objects['/org/freedesktop/NetworkManager']
      manager.AddWiFiDevice('w0', 'wlan0', 100)
      device = objects['\(Self.device)']
      device.AddProperty('\(Self.wireless)', 'LastScan', dbus.Int64(-1))
      """)
    try scan(service, ago: ago, ["00:1f:33:ab:01:02 Home 80", "00:1f:33:ab:01:03 Cafe 30"])
    return service
  }

  /// Ends a scan that received these access points.
  private func scan(_ service: MockedService, ago: Double, _ accessPoints: [String]) throws {
    let list = accessPoints.map { "'\($0)'" }.joined(separator: ",")
    try service.run(
      """
      import time
      manager = objects['/org/freedesktop/NetworkManager']
      device = objects['\(Self.device)']
      seen = time.clock_gettime(time.CLOCK_BOOTTIME) - \(ago)
      for line in [\(list)]:
        address, name, strength = line.split(' ')
        path = address.replace(':', '')
        key = '/org/freedesktop/NetworkManager/AccessPoint/' + path
        if key not in objects:
          manager.AddAccessPoint('\(Self.device)', path, name, address, 2, 2412, 54000, 0, 0)
        ap = objects[key]
        ap.UpdateProperties('org.freedesktop.NetworkManager.AccessPoint', {
          'LastSeen': dbus.Int32(int(seen)), 'Strength': dbus.Byte(int(strength))})
      device.UpdateProperties('\(Self.wireless)', {'LastScan': dbus.Int64(int(seen * 1000))})
      """)
  }

  private func refuseScans(_ service: MockedService, _ name: String) throws {
    try service.run(
      """
      objects['\(Self.device)'].AddMethod('\(Self.wireless)', 'RequestScan', 'a{sv}', '',
        'raise dbus.exceptions.DBusException("not now", name="\(name)")')
      """)
  }

  @Test("a fresh list is used without a scan, strongest first, with its age")
  func freshList() throws {
    let service = try networkManager(ago: 5)
    try source.request()
    let scan = try #require(bench.scan())
    #expect(scan.signals.map(\.bssid) == ["00:1f:33:ab:01:02", "00:1f:33:ab:01:03"])
    #expect(scan.signals.map(\.strength) == [-52, -82])
    #expect(scan.age >= 4 && scan.age < 12)
    #expect(source.scans == 0)
    #expect(try bench.isQuiet(with: service))
  }

  @Test("an old list is refreshed by a scan, whose end is awaited; the next scan must wait")
  func scans() throws {
    let service = try networkManager()
    try source.request()
    #expect(try bench.isQuiet(with: service))
    #expect(service.hears("RequestScan"))
    // Not the end of the scan: NetworkManager reports the bit rate all the time.
    try service.run(
      "objects['\(Self.device)'].UpdateProperties('\(Self.wireless)', {'Bitrate': dbus.UInt32(9)})")
    #expect(try bench.isQuiet(with: service))
    try scan(service, ago: 0, ["00:1f:33:ab:01:04 New 100"])
    let heard = try #require(bench.scan())
    // Access points received only in the earlier scan are left out.
    #expect(heard.signals.map(\.bssid) == ["00:1f:33:ab:01:04"])
    #expect(heard.signals.map(\.strength) == [-40])
    #expect(source.scans == 1)
    clock.ahead = 60
    try source.request()
    #expect(try #require(bench.scan()).age >= 59)
    #expect(source.scans == 1)
    clock.ahead = 301
    try source.request()
    #expect(try bench.isQuiet(with: service))
    #expect(source.scans == 2)
  }

  @Test("a scan that does not end is given up, and reported once")
  func endlessScan() throws {
    let service = try networkManager()
    try source.request()
    #expect(try bench.isQuiet(with: service))
    #expect(source.scans == 1)
    clock.ahead = 21
    #expect(bench.message()?.contains("has not scanned within 20 s") == true)
    #expect(try #require(bench.scan()).age >= 120)
    clock.ahead = 400
    try source.request()
    #expect(try bench.isQuiet(with: service))
    clock.ahead = 421
    #expect(bench.scan() != nil)
  }

  @Test("a refused scan is reported once, with advice, and the list is used with its age")
  func refusedScan() throws {
    let service = try networkManager()
    try refuseScans(service, "org.freedesktop.NetworkManager.PermissionDenied")
    try source.request()
    #expect(bench.message()?.contains("50-godwit.rules") == true)
    #expect(try #require(bench.scan()).age >= 99)
    clock.ahead = 400
    try source.request()
    #expect(try #require(bench.scan()).age >= 499)
    #expect(source.scans == 0)
    try refuseScans(service, "org.freedesktop.NetworkManager.Device.NotAllowed")
    clock.ahead = 800
    try source.request()
    #expect(bench.message()?.contains("does not scan on request (not now)") == true)
    #expect(bench.scan() != nil)
  }

  @Test("scans by other programs are reported unrequested, at most once per minute")
  func unasked() throws {
    let service = try networkManager()
    #expect(try bench.isQuiet(with: service))
    try scan(service, ago: 0, ["00:1f:33:ab:01:05 New 50", "00:1f:33:ab:01:06 Newer 40"])
    #expect(try bench.isQuiet(with: service))
    #expect(try #require(source.due) - clock.now < 2)
    let first = try #require(bench.scan())
    #expect(first.signals.count == 2)
    try scan(service, ago: 0, ["00:1f:33:ab:01:07 Newest 50"])
    #expect(try bench.isQuiet(with: service))
    let due = try #require(source.due)
    #expect(due - clock.now > 50)
    clock.ahead = 61
    #expect(bench.scan()?.signals.isEmpty == false)
    #expect(source.scans == 0)
    // Nothing is due: it waits for events.
    #expect(source.due == nil)
  }

  @Test("a missing NetworkManager is reported once, and used when it appears or restarts")
  func restart() throws {
    try source.request()
    #expect(bench.message()?.hasPrefix("NetworkManager is not running") == true)
    #expect(source.isAbsent == true)
    #expect(source.due == nil)
    var service: MockedService? = try networkManager(ago: 5)
    // The request came before.
    #expect(bench.scan()?.signals.count == 2)
    try source.request()
    #expect(bench.scan() != nil)
    _ = service
    service = nil
    #expect(bench.message() != nil)
    service = try networkManager(ago: 5)
    #expect(try bench.isQuiet(with: #require(service)))
    #expect(source.isAbsent == false)
    try source.request()
    #expect(bench.scan() != nil)
  }

  @Test(
    "a NetworkManager that ends before it answers is reported once, and queried when it is back")
  func goesUnasked() throws {
    var service: MockedService? = try networkManager(ago: 5)
    #expect(try bench.isQuiet(with: #require(service)))
    service?.freeze()
    try source.request()
    #expect(bench.isQuiet)
    service = nil
    #expect(bench.message()?.hasPrefix("NetworkManager is not running") == true)
    #expect(bench.isQuiet)
    #expect(source.due == nil)
    service = try networkManager(ago: 5)
    #expect(bench.scan()?.signals.count == 2)
  }

  @Test("a missing Wi-Fi device, or another one than configured, is reported once")
  func noDevice() throws {
    let service = try networkManager(device: false)
    try source.request()
    #expect(bench.message()?.contains("no Wi-Fi device") == true)
    try source.request()
    #expect(try bench.isQuiet(with: service))
    try service.run(
      """
      manager = objects['/org/freedesktop/NetworkManager']
      manager.AddWiFiDevice('w0', 'wlan0', 100)
      objects['\(Self.device)'].AddProperty('\(Self.wireless)', 'LastScan', dbus.Int64(-1))
      manager.AddWiFiDevice('w1', 'wlan1', 100)
      manager.AddAccessPoint('/org/freedesktop/NetworkManager/Devices/w1', 'a', 'Other',
        '00:1f:33:ab:01:09', 2, 2412, 54000, 50, 0)
      """)
    try scan(service, ago: 1, ["00:1f:33:ab:01:05 New 50"])
    try source.request()
    #expect(bench.scan()?.signals.map(\.bssid) == ["00:1f:33:ab:01:05"])
    let other = Self.source(bus, clock) { $0.interface = "wlan7" }
    try other.request()
    #expect(
      SourceBench(source: other, clock: clock).message()?.contains("no Wi-Fi device \"wlan7\"")
        == true)
  }

  @Test("unusable or invalid access points are left out")
  func nonsense() throws {
    let service = try networkManager(ago: 3)
    try scan(
      service, ago: 1,
      [
        "00:1f:33:ab:01:05 Mine_nomap 50", "02:1f:33:ab:01:05 Phone 50", "nonsense Odd 50",
        "00:1f:33:ab:01:06 Loud 200",
      ])
    try service.run(
      """
      def wrong(address, properties):
        path = '/org/freedesktop/NetworkManager/AccessPoint/' + address
        objects[path].props['org.freedesktop.NetworkManager.AccessPoint'].update(properties)
      import time
      wrong('001f33ab0103', {'Strength': dbus.String('very'), 'Ssid': dbus.Double(1)})
      for number, value in enumerate([dbus.Int32(-1), dbus.Int64(2**62), dbus.Int32(2**31 - 1),
          dbus.String('now'), dbus.Array([], signature='a{sv}')]):
        address = '00:1f:33:ab:02:%02x' % number
        objects['/org/freedesktop/NetworkManager'].AddAccessPoint('\(Self.device)',
          address.replace(':', ''), 'x', address, 2, 2412, 54000, 50, 0)
        wrong(address.replace(':', ''), {'LastSeen': value})
      """)
    #expect(try bench.isQuiet(with: service))
    try source.request()
    #expect(bench.scan()?.signals.map(\.bssid) == ["00:1f:33:ab:01:02"])
  }

  @Test("an invalid answer is reported once, and gives nothing else")
  func wrongAnswer() throws {
    let service = try networkManager(ago: 3)
    func answer(_ signature: String, _ code: String) throws {
      try service.run(
        """
        self.AddMethod('org.freedesktop.DBus.ObjectManager', 'GetManagedObjects', '',
          '\(signature)', '\(code)')
        """)
      try source.request()
    }
    try answer("ai", "ret = dbus.Array([1], signature=\"i\")")
    #expect(bench.message()?.contains("has no Wi-Fi device") == true)
    #expect(try bench.isQuiet(with: service))
    try answer("", "raise Exception()")
    #expect(bench.message()?.contains("does not list its objects") == true)
    #expect(try bench.isQuiet(with: service))
    try answer("i", "ret = 1")
    #expect(try bench.isQuiet(with: service))
  }

  @Test("of ten thousand access points the strongest are reported, in little time")
  func tenThousand() throws {
    let service = try networkManager(ago: 3)
    try service.run(
      """
      import time
      seen = int(time.clock_gettime(time.CLOCK_BOOTTIME))
      ap = 'org.freedesktop.NetworkManager.AccessPoint'
      path = '/org/freedesktop/NetworkManager/AccessPoint/'
      points = dbus.Dictionary({}, signature='oa{sa{sv}}')
      paths = []
      for n in range(10000):
        paths.append(path + str(n))
        points[path + str(n)] = {ap: {
          'Ssid': dbus.ByteArray(b'x'), 'HwAddress': '00:1f:33:00:%02x:%02x' % (n >> 8, n & 255),
          'Strength': dbus.Byte(n % 100), 'LastSeen': dbus.Int32(seen)}}
      points['\(Self.device)'] = {'\(Self.wireless)': {
        'LastScan': dbus.Int64(seen * 1000), 'AccessPoints': dbus.Array(paths, signature='o')}}
      self.all_of_them = points
      self.AddMethod('org.freedesktop.DBus.ObjectManager', 'GetManagedObjects', '',
        'a{oa{sa{sv}}}', 'ret = self.all_of_them')
      """)
    try source.request()
    let start = BootClock.now
    let scan = try #require(bench.scan(within: 60))
    #expect(scan.signals.count == 64)
    #expect(scan.signals.allSatisfy { $0.strength > -50 })
    #expect(BootClock.now - start < 60)
  }

  @Test("without NetworkManager another source is used until it appears")
  func automatic() throws {
    let fallback = Fallback()
    var made = 0
    let automatic = AutomaticWiFi(source) {
      made += 1
      return fallback
    }
    let bench = SourceBench(source: automatic, clock: clock)
    try automatic.request()
    #expect(bench.scan()?.signals.map(\.bssid) == ["fallback"])
    #expect(fallback.asked == 1)
    try automatic.request()
    #expect(fallback.asked == 2)
    #expect(bench.scan() != nil)
    #expect(automatic.due == nil)
    let service = try networkManager(ago: 5)
    #expect(bench.next(within: 0.3) == nil)
    #expect(source.isAbsent == false)
    #expect(made == 1)
    try automatic.request()
    #expect(bench.scan()?.signals.count == 2)
    _ = service
  }
}

private final class Fallback: EvidencePort {
  let name = "wifi"
  private(set) var asked = 0
  private var waiting = 0
  var interest: Interest? { nil }
  var due: BootInstant? { waiting > 0 ? .zero : nil }

  func request() {
    asked += 1
    waiting += 1
  }

  func poll() -> Evidence? {
    guard waiting > 0 else { return nil }
    waiting -= 1
    return .accessPoints(
      AccessPointScan([AccessPointSignal(bssid: "fallback", strength: -50)], age: 0))
  }
}
