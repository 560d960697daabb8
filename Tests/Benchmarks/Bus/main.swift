import BusStandIns
import Glibc

/// A private bus with NetworkManager, twenty access points, ModemManager, a modem and GeoClue2, all
/// imitated by python-dbusmock. Prints its address and ends at the end of its input.
func begin() throws -> (PrivateBus, [MockedService]) {
  let bus = try PrivateBus()
  let wireless = "org.freedesktop.NetworkManager.Device.Wireless"
  let networkManager = try MockedService(
    "org.freedesktop.NetworkManager", path: "/org/freedesktop", interface: "",
    template: "networkmanager", on: bus)
  try networkManager.run(
    """
    import time
    manager = objects['/org/freedesktop/NetworkManager']
    manager.AddWiFiDevice('w0', 'wlan0', 100)
    path = '/org/freedesktop/NetworkManager/Devices/w0'
    objects[path].AddProperty('\(wireless)', 'LastScan', dbus.Int64(-1))
    for number in range(20):
      manager.AddAccessPoint(path, 'ap%d' % number, 'Net %d' % number,
        '00:1f:33:ab:01:%02x' % number, 2, 2412, 54000, 60, 256)
    """)
  let modem = "org.freedesktop.ModemManager1.Modem"
  let modemManager = try MockedService(
    "org.freedesktop.ModemManager1", path: "/org/freedesktop/ModemManager1",
    interface: "org.freedesktop.ModemManager1", on: bus)
  try modemManager.run(
    """
    path = '/org/freedesktop/ModemManager1/Modem/0'
    self.AddObject(path, '\(modem)', {
      'Model': 'EC25', 'State': dbus.Int32(8), 'StateFailedReason': dbus.UInt32(2),
      'AccessTechnologies': dbus.UInt32(1 << 14), 'EquipmentIdentifier': '1'}, [])
    modem = objects[path]
    modem.AddProperties('\(modem).Location', {
      'Capabilities': dbus.UInt32(7), 'Enabled': dbus.UInt32(0),
      'SignalsLocation': dbus.Boolean(False), 'Location': dbus.Dictionary({}, signature='uv')})
    modem.AddMethod('\(modem).Location', 'Setup', 'ub', '', '')
    modem.AddMethod('\(modem).Location', 'GetLocation', '', 'a{uv}',
      'ret = {dbus.UInt32(1): dbus.String("262,01,FFFE,2BAF01,8BE3", variant_level=1)}')
    modem.AddProperties('\(modem).Modem3gpp', {'RegistrationState': dbus.UInt32(1)})
    self.AddMethod('org.freedesktop.DBus.ObjectManager', 'GetManagedObjects', '', 'a{oa{sa{sv}}}',
      'ret = {dbus.ObjectPath(k): o.props for k, o in objects.items() if "/Modem/" in k}')
    """)
  let geoClue = try MockedService(
    "org.freedesktop.GeoClue2", path: "/org/freedesktop/GeoClue2/Manager",
    interface: "org.freedesktop.GeoClue2.Manager", on: bus)
  try geoClue.run(
    """
    self.AddMethod('', 'GetClient', '', 'o', 'ret = dbus.ObjectPath("/client/1")')
    self.AddObject('/client/1', 'org.freedesktop.GeoClue2.Client', {
      'DesktopId': '', 'RequestedAccuracyLevel': dbus.UInt32(0),
      'DistanceThreshold': dbus.UInt32(0), 'TimeThreshold': dbus.UInt32(0)},
      [('Start', '', '', '')])
    """)
  return (bus, [networkManager, modemManager, geoClue])
}

let stage = try begin()
print(stage.0.address)
fflush(nil)
while readLine() != nil {}
withExtendedLifetime(stage) {}
