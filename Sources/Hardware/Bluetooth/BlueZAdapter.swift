/// One of BlueZ's adapters, from its objects (org.bluez.Adapter1).
struct BlueZAdapter: Equatable {
  let path: String
  var isPowered = false
  /// Whether it offers advertisement monitors that match patterns.
  var hasMonitors = false

  var name: String { String(path.split(separator: "/").last ?? "") }

  /// At most so many are read.
  private static let most = 64

  /// - Parameter objects: the answer to `GetManagedObjects`.
  static func all(_ objects: BusMessage) -> [BlueZAdapter] {
    var adapters: [BlueZAdapter] = []
    objects.entries("oa{sa{sv}}") {
      guard let path = objects.text(atMost: 255) else { return }
      var adapter = BlueZAdapter(path: path)
      if adapter.read(objects), adapters.count < most { adapters.append(adapter) }
    }
    return adapters.sorted { $0.path < $1.path }
  }

  /// - Parameter interfaces: a message positioned at the interfaces of the object.
  /// - Returns: whether it is an adapter.
  mutating func read(_ interfaces: BusMessage) -> Bool {
    var isAdapter = false
    interfaces.entries("sa{sv}") {
      switch interfaces.text(atMost: 255) {
      case BlueZName.adapter:
        isAdapter = true
        update(interfaces)
      case BlueZName.monitorManager:
        interfaces.properties { name in
          guard name == "SupportedMonitorTypes" else { return }
          interfaces.elements("s", atMost: 16) {
            if interfaces.text(atMost: 64) == "or_patterns" { hasMonitors = true }
            return true
          }
        }
      default: break
      }
    }
    return isAdapter
  }

  /// - Parameter properties: a message positioned at a dictionary of the adapter's properties.
  mutating func update(_ properties: BusMessage) {
    properties.properties { name in
      if name == "Powered" { isPowered = properties.boolean() ?? isPowered }
    }
  }
}
