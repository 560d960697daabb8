import BusStandIns
import Platform
import Ports
import Core
import Records
import Testing

@testable import Hardware

@Suite(.serialized, .enabled(if: PrivateBus.isInstalled))
struct GeoClueSourceTests {
  private let bus: PrivateBus
  private let clock = TestClock()
  private let source: GeoClueSource
  private let bench: SourceBench

  init() throws {
    bus = try PrivateBus()
    let clock = clock
    source = GeoClueSource(GeoClueSettings(), address: bus.address, now: { clock.now })
    bench = SourceBench(source: source, clock: clock)
  }

  private static let client = "org.freedesktop.GeoClue2.Client"

  /// GeoClue's interfaces according to its documentation.
  private func geoClue() throws -> MockedService {
    let service = try MockedService(
      "org.freedesktop.GeoClue2", path: "/org/freedesktop/GeoClue2/Manager",
      interface: "org.freedesktop.GeoClue2.Manager", on: bus)
    try service.run(
      """
      self.AddMethod('', 'GetClient', '', 'o', 'ret = dbus.ObjectPath("/client/1")')
      self.AddObject('/client/1', '\(Self.client)', {
        'DesktopId': '', 'RequestedAccuracyLevel': dbus.UInt32(0),
        'DistanceThreshold': dbus.UInt32(0), 'TimeThreshold': dbus.UInt32(0)},
        [('Start', '', '', '')])
      """)
    return service
  }

  private func locate(
    _ service: MockedService, _ latitude: String = "52.5", _ longitude: String = "13.4",
    _ accuracy: String = "40.0", ago: Int = 5
  ) throws {
    try service.run(
      """
      import time
      self.number = getattr(self, 'number', 0) + 1
      path = '/location/%d' % self.number
      self.AddObject(path, 'org.freedesktop.GeoClue2.Location', {
        'Latitude': \(latitude), 'Longitude': \(longitude), 'Accuracy': \(accuracy),
        'Timestamp': dbus.Struct((dbus.UInt64(int(time.time()) - \(ago)), dbus.UInt64(0)),
          signature='tt')}, [])
      objects['/client/1'].EmitSignal('\(Self.client)', 'LocationUpdated', 'oo',
        [dbus.ObjectPath('/'), dbus.ObjectPath(path)])
      """)
  }

  private func location() -> CoarseObservation? {
    guard case .location(let location)? = bench.evidence() else { return nil }
    return location
  }

  @Test("a client is created and started, and its locations are reported")
  func locations() throws {
    let service = try geoClue()
    #expect(try bench.isQuiet(with: service))
    try service.run(
      "assert list(objects['/client/1'].props['\(Self.client)'].values()) == "
        + "['godwit', 6, 500, 300], 'other properties'")
    #expect(service.hears("Start"))
    try locate(service)
    let location = try #require(self.location())
    #expect(location.position == Coordinate(latitude: 52.5, longitude: 13.4))
    #expect(location.accuracy == 40)
    #expect(location.source == "geoclue" && location.time == nil)
    #expect(source.due == nil)
  }

  @Test("an invalid location is left out, and reported once")
  func nonsense() throws {
    let service = try geoClue()
    #expect(try bench.isQuiet(with: service))
    try locate(service, "float('nan')")
    #expect(bench.message()?.contains("an invalid or old location") == true)
    try locate(service, "91.0")
    try locate(service, "52.5", "float('inf')")
    try locate(service, "52.5", "13.4", "-1.0")
    try locate(service, "52.5", "13.4", "0.0")
    try locate(service, "52.5", "13.4", "1e9")
    try locate(service, "'north'")
    try locate(service, "0.0", "0.0")
    try locate(service, ago: 4000)
    #expect(try bench.isQuiet(with: service))
    try locate(service, "-90.0", "180.0")
    #expect(location()?.position == Coordinate(latitude: -90, longitude: 180))
  }

  @Test("a refusal is reported once, with advice, and retried ever less often")
  func refused() throws {
    let service = try geoClue()
    try service.run(
      "objects['/client/1'].AddMethod('\(Self.client)', 'Start', '', '', "
        + "'raise dbus.exceptions.DBusException(\"no agent\", "
        + "name=\"org.freedesktop.DBus.Error.AccessDenied\")')")
    #expect(bench.message()?.contains("[godwit]") == true)
    for pause in [5.0, 10, 20, 40] {
      let due = try #require(source.due)
      #expect((due - clock.now).value > pause / 2 && (due - clock.now).value <= pause)
      clock.ahead += Seconds(pause)
      #expect(try bench.isQuiet(with: service))
    }
    try service.run("objects['/client/1'].AddMethod('\(Self.client)', 'Start', '', '', '')")
    clock.ahead += 80
    #expect(try bench.isQuiet(with: service))
    try locate(service)
    #expect(location() != nil)
  }

  @Test("after a restart GeoClue gets a new client")
  func restart() throws {
    var service: MockedService? = try geoClue()
    #expect(try bench.isQuiet(with: #require(service)))
    _ = service
    service = nil
    // GeoClue cannot be started here.
    #expect(bench.isQuiet)
    clock.ahead = 6
    #expect(bench.message()?.contains("install geoclue-2.0") == true)
    let again = try geoClue()
    _ = try bench.isQuiet(with: again)
    clock.ahead = 30
    #expect(try bench.isQuiet(with: again))
    try locate(again)
    #expect(location() != nil)
  }
}
