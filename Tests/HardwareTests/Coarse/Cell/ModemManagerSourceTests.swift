import BusStandIns
import Ports
import Core
import Records
import Testing

@testable import Hardware

@Suite(.serialized, .enabled(if: PrivateBus.isInstalled))
struct ModemManagerSourceTests {
  private let bus: PrivateBus
  private let clock = TestClock()
  private let source: ModemManagerSource
  private let bench: SourceBench

  init() throws {
    bus = try PrivateBus()
    source = Self.source(bus, clock)
    bench = SourceBench(source: source, clock: clock)
  }

  private static func source(
    _ bus: PrivateBus, _ clock: TestClock, _ change: (inout CellSettings) -> Void = { _ in }
  ) -> ModemManagerSource {
    var settings = CellSettings()
    change(&settings)
    return ModemManagerSource(settings, address: bus.address) { clock.now }
  }

  private static let path = "/org/freedesktop/ModemManager1/Modem/0"
  private static let modem = "org.freedesktop.ModemManager1.Modem"

  /// ModemManager's interfaces according to its documentation, with a modem on LTE.
  private func modemManager(state: Int = 8, enabled: Int = 0) throws -> MockedService {
    let service = try MockedService(
      "org.freedesktop.ModemManager1", path: "/org/freedesktop/ModemManager1",
      interface: "org.freedesktop.ModemManager1", on: bus)
    try service.run(
      """
      self.AddObject('\(Self.path)', '\(Self.modem)', {
        'Model': 'EC25', 'State': dbus.Int32(\(state)), 'StateFailedReason': dbus.UInt32(2),
        'AccessTechnologies': dbus.UInt32(1 << 14), 'EquipmentIdentifier': '123456789012345'}, [])
      modem = objects['\(Self.path)']
      modem.AddProperties('\(Self.modem).Location', {
        'Capabilities': dbus.UInt32(7), 'Enabled': dbus.UInt32(\(enabled)),
        'SignalsLocation': dbus.Boolean(False), 'Location': dbus.Dictionary({}, signature='uv')})
      modem.AddMethod('\(Self.modem).Location', 'Setup', 'ub', '',
        'self.props["\(Self.modem).Location"]["Enabled"] = args[0]')
      modem.AddProperties('\(Self.modem).Modem3gpp', {'RegistrationState': dbus.UInt32(1)})
      self.AddMethod('org.freedesktop.DBus.ObjectManager', 'GetManagedObjects', '', 'a{oa{sa{sv}}}',
        'ret = {dbus.ObjectPath(k): o.props for k, o in objects.items() if "/Modem/" in k}')
      """)
    try locate(service, "262,01,FFFE,2BAF01,8BE3")
    return service
  }

  private func locate(_ service: MockedService, _ text: String) throws {
    try service.run(
      """
      objects['\(Self.path)'].AddMethod('\(Self.modem).Location', 'GetLocation', '', 'a{uv}',
        'ret = {dbus.UInt32(1): dbus.String("\(text)", variant_level=1)}')
      """)
  }

  @Test("the modem is set up, queried, and queried again when it reports a new cell")
  func cells() throws {
    let service = try modemManager()
    #expect(bench.evidence() == .cell("lte 262-01-8BE3-2BAF01"))
    #expect(service.hears("Setup 1 True"))
    #expect(try bench.isQuiet(with: service))
    // A property change without a new value is not reported.
    try service.run(
      "objects['\(Self.path)'].EmitSignal('org.freedesktop.DBus.Properties', 'PropertiesChanged', "
        + "'sa{sv}as', ['\(Self.modem).Location', {'Location': dbus.Dictionary({}, "
        + "signature='uv')}, dbus.Array([], signature='s')])")
    #expect(bench.next(within: 3) == nil)
    try locate(service, "262,01,FFFE,2BAF02,8BE3")
    try service.run(
      "objects['\(Self.path)'].UpdateProperties('\(Self.modem).Modem3gpp', "
        + "{'RegistrationState': dbus.UInt32(5)})")
    #expect(bench.evidence() == .cell("lte 262-01-8BE3-2BAF02"))
    try source.request()
    #expect(bench.evidence() == .cell("lte 262-01-8BE3-2BAF02"))
    #expect(source.due == nil)
  }

  @Test("sources enabled by others are kept, and a modem that is a receiver is only queried")
  func others() throws {
    let service = try modemManager(enabled: 2)
    #expect(bench.evidence() != nil)
    #expect(service.hears("Setup 3 False"))
  }

  @Test("if the location lacks the cell, the serving cell of the list is used")
  func cellInfo() throws {
    let service = try modemManager(enabled: 1)
    try locate(service, "262,01,0,0,0")
    try service.run(
      """
      objects['\(Self.path)'].AddMethod('\(Self.modem)', 'GetCellInfo', '', 'aa{sv}',
        'ret = [{"cell-type": dbus.UInt32(5), "serving": False, "ci": "1"},'
        '{"cell-type": dbus.UInt32(6), "serving": True, "operator-id": "26202",'
        '"tac": "FFFF1", "ci": "FFFFFFFFF"}]')
      """)
    #expect(bench.evidence() == .cell("nr 262-02-FFFF1-FFFFFFFFF"))
  }

  @Test("a modem that appears later, and one that disappears, are events like others")
  func comesAndGoes() throws {
    #expect(bench.message()?.hasPrefix("ModemManager is not running") == true)
    let service = try MockedService(
      "org.freedesktop.ModemManager1", path: "/org/freedesktop/ModemManager1",
      interface: "org.freedesktop.ModemManager1", on: bus)
    try service.run(
      "self.AddMethod('org.freedesktop.DBus.ObjectManager', 'GetManagedObjects', '', "
        + "'a{oa{sa{sv}}}', 'ret = dbus.Dictionary({}, signature=\"oa{sa{sv}}\")')")
    #expect(bench.message()?.contains("no modem") == true)
    try source.request()
    #expect(try bench.isQuiet(with: service))
  }

  @Test("a modem that disappears before it answers is reported once, and queried when it is back")
  func goesUnasked() throws {
    var service: MockedService? = try modemManager()
    service?.freeze()
    #expect(bench.isQuiet)
    service = nil
    #expect(bench.message()?.hasPrefix("ModemManager is not running") == true)
    #expect(bench.isQuiet)
    #expect(source.due == nil)
    service = try modemManager()
    #expect(bench.evidence() == .cell("lte 262-01-8BE3-2BAF01"))
  }

  @Test("a silent modem is reported once, and queried again with the next request")
  func silent() throws {
    let service = try modemManager()
    service.freeze()
    #expect(bench.isQuiet)
    clock.ahead = 21
    #expect(bench.message()?.contains("does not answer") == true)
    service.thaw()
    #expect(try bench.isQuiet(with: service))
    try source.request()
    #expect(bench.evidence() == .cell("lte 262-01-8BE3-2BAF01"))
  }

  @Test("a modem without a SIM, or another one than configured, is reported once")
  func noSIM() throws {
    let service = try modemManager(state: -1)
    #expect(bench.message() == "the modem EC25 has no SIM; insert one")
    #expect(try bench.isQuiet(with: service))
    let other = Self.source(bus, clock) { $0.modem = "999" }
    #expect(
      SourceBench(source: other, clock: clock).message()?.contains("no modem \"999\"") == true)
    try service.run(
      "objects['\(Self.path)'].props['\(Self.modem)']['State'] = dbus.Int32(8)\n"
        + "objects['\(Self.path)'].EmitSignal('\(Self.modem)', 'StateChanged', 'iiu', "
        + "[dbus.Int32(-1), dbus.Int32(8), dbus.UInt32(0)])")
    #expect(bench.evidence() == .cell("lte 262-01-8BE3-2BAF01"))
  }

  @Test("a refusal by polkit is reported once, with advice")
  func refused() throws {
    let service = try modemManager()
    for method in ["Setup", "GetLocation"] {
      try service.run(
        "objects['\(Self.path)'].AddMethod('\(Self.modem).Location', '\(method)', "
          + "'\(method == "Setup" ? "ub" : "")', '', 'raise dbus.exceptions.DBusException("
          + "\"no\", name=\"org.freedesktop.ModemManager1.Error.Core.Unauthorized\")')")
    }
    #expect(bench.message()?.contains("50-godwit.rules") == true)
    #expect(bench.message()?.contains("does not report the cell") == true)
    try source.request()
    #expect(try bench.isQuiet(with: service))
  }

  @Test(
    "texts that are not a cell are refused",
    arguments: [
      "", ",,,,", "262,01,8BE3", "262,01,8BE3,0,0", "262,01,FFFE,1,FFFE", "a,b,c,d,e",
      "262,01,8BE3,FFFFFFFFFFFFFFFFFF,8BE3", "262,01,8BE3,1,1,1", "-1,01,8BE3,1,1",
    ])
  func noCell(_ text: String) {
    #expect(CellReport.cell(text, technologies: 1 << 14) == nil)
  }

  @Test("the technology determines which area code applies")
  func technologies() {
    let text = "310,260,8BE3,2BAF,1"
    #expect(CellReport.cell(text, technologies: 1 << 5)?.text == "umts 310-260-8BE3-2BAF")
    #expect(CellReport.cell(text, technologies: 1 << 3)?.text == "gsm 310-260-8BE3-2BAF")
    #expect(CellReport.cell(text, technologies: 1 << 14)?.text == "lte 310-260-1-2BAF")
    #expect(
      CellReport.cell(text, technologies: 1 << 14 | 1 << 15)?.text == "lte 310-260-1-2BAF")
    #expect(CellReport.cell(text, technologies: 1 << 15)?.text == "nr 310-260-1-2BAF")
    #expect(CellReport.cell(text, technologies: 0) == nil)
    // Four fields before ModemManager 1.10.
    #expect(
      CellReport.cell("310,260,8BE3,2BAF", technologies: 1 << 14)?.text
        == "lte 310-260-8BE3-2BAF")
  }
}
