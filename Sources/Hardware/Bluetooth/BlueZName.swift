/// Names on the bus, from BlueZ's documentation (doc/org.bluez.*.rst).
enum BlueZName {
  static let service = "org.bluez"
  static let adapter = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"
  static let monitor = "org.bluez.AdvertisementMonitor1"
  static let monitorManager = "org.bluez.AdvertisementMonitorManager1"
  static let objectManager = "org.freedesktop.DBus.ObjectManager"
}
