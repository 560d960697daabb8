import CSystemd

/// A method call.
public struct BusCall: Sendable {
  /// Nil: the service that the connection is for.
  var service: String?
  var path: String
  var interface: String
  var member: String
  var arguments: [BusValue]
  /// Whether the bus may start the service for this call.
  var startsService: Bool

  public init(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = [],
    startsService: Bool = false
  ) {
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
    self.startsService = startsService
  }

  static let properties = "org.freedesktop.DBus.Properties"

  static func get(_ property: String, of interface: String, at path: String) -> BusCall {
    BusCall(path, properties, "Get", [.text(interface), .text(property)])
  }

  public static func all(of interface: String, at path: String) -> BusCall {
    BusCall(path, properties, "GetAll", [.text(interface)])
  }

  static func set(
    _ property: String, _ value: BusValue, of interface: String, at path: String
  ) -> BusCall {
    BusCall(path, properties, "Set", [.text(interface), .text(property), .variant(value)])
  }

  /// All objects below that path, with their properties.
  static func objects(below path: String) -> BusCall {
    BusCall(path, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
  }
}

/// Signals to subscribe to, all from the service that the connection is for.
public struct BusSignal: Sendable {
  var path: String?
  var interface: String
  var member: String
  var firstArgument: String?

  /// - Parameter path: nil: any object.
  public init(_ interface: String, _ member: String, at path: String? = nil) {
    self.path = path
    self.interface = interface
    self.member = member
  }

  /// One or more properties of that interface have changed. The bus cannot filter by property: if
  /// one of them changes all the time, this wakes all the time.
  ///
  /// - Parameter path: nil: any object.
  static func changes(of interface: String, at path: String? = nil) -> BusSignal {
    var signal = BusSignal(BusCall.properties, "PropertiesChanged", at: path)
    signal.firstArgument = interface
    return signal
  }

  /// In the syntax of the D-Bus specification ("Match Rules"). No name and no path on the bus
  /// contains anything to be escaped; an invalid path gives no rule.
  func rule(from service: String) -> String? {
    var rule = "type='signal',sender='\(service)',interface='\(interface)',member='\(member)'"
    if let path {
      guard sd_bus_object_path_is_valid(path) > 0 else { return nil }
      rule += ",path='\(path)'"
    }
    if let firstArgument { rule += ",arg0='\(firstArgument)'" }
    return rule
  }
}
