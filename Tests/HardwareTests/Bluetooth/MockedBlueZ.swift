import BusStandIns
import Core

@testable import RadioSignals

/// python-dbusmock's bluez5, plus parts missing in Debian 12: advertisement monitors, which query
/// this program's objects for their patterns, and advertised data of devices. The monitors of
/// Debian 13's version stay off, because they activate nothing.
struct MockedBlueZ {
  static let adapter = "/org/bluez/hci0"
  let service: MockedService

  init(on bus: PrivateBus, adapter: Bool = true, monitors: Bool = false) throws {
    service = try MockedService(
      "org.bluez", path: "/", interface: "", template: "bluez5", on: bus)
    if adapter { try addAdapter(monitors: monitors) }
  }

  func run(_ python: String) throws { try service.run(python) }

  func hears(_ method: String, within seconds: Double = 10) -> Bool {
    service.hears(method, within: seconds)
  }

  func freeze() { service.freeze() }

  func addAdapter(_ name: String = "hci0", monitors: Bool = false) throws {
    try run(
      """
      objects['/org/bluez'].enable_monitor_api = False
      self.AddAdapter('\(name)', 'board')
      """)
    if monitors { try addMonitors("/org/bluez/\(name)") }
  }

  func removeAdapter() throws { try run("self.RemoveAdapterWithDevices('hci0')") }

  func setPower(_ isOn: Bool) throws {
    try run(
      """
      objects['\(Self.adapter)'].UpdateProperties('org.bluez.Adapter1', {
        'Powered': dbus.Boolean(\(isOn ? "True" : "False"), variant_level=1)})
      """)
  }

  /// From now on it refuses to power the adapter on (true) or off (false); nil: neither.
  func refusePower(_ isOn: Bool?) throws {
    let refused = isOn.map { $0 ? "True" : "False" } ?? "None"
    try run(
      """
      class Properties(dict):
        def __setitem__(self, name, value):
          if name == 'Powered' and bool(value) is \(refused):
            raise dbus.exceptions.DBusException('busy', name='org.bluez.Error.Busy')
          dict.__setitem__(self, name, value)
      props = objects['\(Self.adapter)'].props
      props['org.bluez.Adapter1'] = Properties(props['org.bluez.Adapter1'])
      """)
  }

  /// BlueZ's handling of registrations (adv_monitor.c): it finds the objects below the path and
  /// activates them, and releases the unregistered ones.
  private func addMonitors(_ path: String) throws {
    try run(
      """
      import dbusmock.mockobject as mock
      mock.clients = []
      adapter = objects['\(path)']
      manager = 'org.bluez.AdvertisementMonitorManager1'
      adapter.AddProperties(manager, {
        'SupportedMonitorTypes': dbus.Array(['or_patterns'], signature='s'),
        'SupportedFeatures': dbus.Array([], signature='s')})
      def registered(self, root):
        import dbusmock.mockobject as mock
        own = self.connection.get_unique_name()
        names = [n for n in self.connection.list_names() if n.startswith(':') and n != own]
        def managed(name):
          def activate(found):
            mock.clients.append((name, root, found))
            for path in found:
              client = self.connection.get_object(name, path, introspect=False)
              client.Activate(dbus_interface='org.bluez.AdvertisementMonitor1',
                reply_handler=lambda: self.log('Activated'),
                error_handler=lambda e: self.log(str(e)))
          return activate
        for name in names:
          self.connection.get_object(name, root, introspect=False).GetManagedObjects(
            dbus_interface='org.freedesktop.DBus.ObjectManager',
            reply_handler=managed(name), error_handler=lambda e: None)
      def unregistered(self, root):
        import dbusmock.mockobject as mock
        for name, other, found in mock.clients:
          for path in found if other == root else []:
            client = self.connection.get_object(name, path, introspect=False)
            client.Release(dbus_interface='org.bluez.AdvertisementMonitor1',
              reply_handler=lambda *a: None, error_handler=lambda e: None)
        mock.clients = [c for c in mock.clients if c[1] != root]
      adapter.AddMethods(manager, [
        ('RegisterMonitor', 'o', '', registered), ('UnregisterMonitor', 'o', '', unregistered)])
      """)
  }

  /// BlueZ calls a method of every active monitor.
  func callMonitors(_ method: String, device: Int? = nil) throws {
    let argument = device.map { "dbus.ObjectPath('\(Self.path($0))')," } ?? ""
    try run(
      """
      import dbusmock.mockobject as mock
      for name, root, found in mock.clients:
        for path in found:
          client = self.connection.get_object(name, path, introspect=False)
          client.\(method)(\(argument) dbus_interface='org.bluez.AdvertisementMonitor1',
            reply_handler=lambda *a: None, error_handler=lambda e: None)
      """)
  }

  /// Writes the registered patterns to the log of the mock.
  func patterns() throws -> Bool {
    try run(
      """
      import dbusmock.mockobject as mock
      for name, root, found in mock.clients:
        for path in sorted(found):
          p = found[path]['org.bluez.AdvertisementMonitor1']
          text = ' '.join('%d:%02x:%s' % (s, t, bytes(c).hex()) for s, t, c in p['Patterns'])
          self.log('Registered %s %d/%d %d/%d %d %s' % (p['Type'],
            p['RSSIHighThreshold'], p['RSSIHighTimeout'], p['RSSILowThreshold'],
            p['RSSILowTimeout'], p['RSSISamplingPeriod'], text))
      """)
    return true
  }

  static func path(_ device: Int) -> String {
    "\(adapter)/dev_00_11_22_33_44_\(device < 10 ? "0" : "")\(device)"
  }

  // MARK: Devices

  private static func properties(_ frame: BeaconFrame?, strength: Int?) -> String {
    var parts = strength.map { ["'RSSI': dbus.Int16(\($0), variant_level=1)"] } ?? []
    for element in frame?.advertisingData.elements ?? [] {
      let bytes = element.content.dropFirst(2).map { "dbus.Byte(\($0))" }.joined(separator: ",")
      switch element.type {
      case AdvertisingData.Element.manufacturerData:
        let company = Int(element.content[0]) | Int(element.content[1]) << 8
        parts.append(
          "'ManufacturerData': dbus.Dictionary({dbus.UInt16(\(company)): "
            + "dbus.Array([\(bytes)], signature='y', variant_level=1)}, signature='qv', "
            + "variant_level=1)")
      case AdvertisingData.Element.serviceData:
        parts.append(
          "'ServiceData': dbus.Dictionary({'0000feaa-0000-1000-8000-00805f9b34fb': "
            + "dbus.Array([\(bytes)], signature='y', variant_level=1)}, signature='sv', "
            + "variant_level=1)")
      default: break
      }
    }
    return "{\(parts.joined(separator: ", "))}"
  }

  /// A device that BlueZ did not know is received for the first time.
  func appears(_ device: Int, _ frame: BeaconFrame?, strength: Int?) throws {
    try run(
      """
      path = '\(Self.path(device))'
      properties = \(Self.properties(frame, strength: strength))
      self.AddObject(path, 'org.bluez.Device1', dbus.Dictionary(properties, signature='sv'), [])
      self.EmitSignal('org.freedesktop.DBus.ObjectManager', 'InterfacesAdded', 'oa{sa{sv}}', [
        dbus.ObjectPath(path), {'org.bluez.Device1': dbus.Dictionary(properties, signature='sv')}])
      """)
  }

  /// A known device that has not been received since.
  func knows(_ device: Int, _ frame: BeaconFrame?) throws {
    try run(
      """
      properties = \(Self.properties(frame, strength: nil))
      self.AddObject('\(Self.path(device))', 'org.bluez.Device1',
        dbus.Dictionary(properties, signature='sv'), [])
      """)
  }

  /// The device was silent for half a minute.
  func forgets(_ device: Int) throws {
    try run(
      """
      self.RemoveObject('\(Self.path(device))')
      self.EmitSignal('org.freedesktop.DBus.ObjectManager', 'InterfacesRemoved', 'oas', [
        dbus.ObjectPath('\(Self.path(device))'), ['org.bluez.Device1']])
      """)
  }

  /// A known device is received again.
  func changes(_ device: Int, _ frame: BeaconFrame? = nil, strength: Int?) throws {
    try run(
      """
      changed = \(Self.properties(frame, strength: strength))
      device = objects['\(Self.path(device))']
      device.props['org.bluez.Device1'].update(changed)
      device.EmitSignal('org.freedesktop.DBus.Properties', 'PropertiesChanged', 'sa{sv}as', [
        'org.bluez.Device1', dbus.Dictionary(changed, signature='sv'), []])
      """)
  }
}

extension BeaconFrame {
  static func room(_ minor: UInt16) -> BeaconFrame {
    BeaconFrame(
      .iBeacon(
        uuid: UniqueID("e2c56db5-dffb-48d2-b060-d0f5a71096e0")!, major: 1, minor: minor),
      strengthAtOneMetre: -59)
  }

  static let tag = BeaconFrame(
    .eddystone(
      EddystoneUID(
        namespace: [0xed, 0xd1, 0xeb, 0xea, 0xc0, 0x4e, 0x5d, 0xef, 0xa0, 0x17],
        instance: [0, 0, 0, 0, 0, 7])!), strengthAtOneMetre: -62)
}

extension BeaconRegion {
  static let building = try! BeaconRegion("ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1")
  static let tags = try! BeaconRegion("eddystone:edd1ebeac04e5defa017")
}
