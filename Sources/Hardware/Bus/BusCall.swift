import CSystemd

/// A method to be called.
public struct BusCall: Sendable {
  /// Nil: of the service that the connection is for.
  var service: String?
  var path: String
  var interface: String
  var member: String
  var arguments: [BusValue]
  /// Whether the bus may start the service for it.
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

  public static func get(_ property: String, of interface: String, at path: String) -> BusCall {
    BusCall(path, properties, "Get", [.text(interface), .text(property)])
  }

  public static func all(of interface: String, at path: String) -> BusCall {
    BusCall(path, properties, "GetAll", [.text(interface)])
  }

  public static func set(
    _ property: String, _ value: BusValue, of interface: String, at path: String
  ) -> BusCall {
    BusCall(path, properties, "Set", [.text(interface), .text(property), .variant(value)])
  }

  /// All objects below that path, with their properties.
  public static func objects(below path: String) -> BusCall {
    BusCall(path, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
  }
}

/// Signals to be told of, all of the service that the connection is for.
public struct BusSignal: Sendable {
  var path: String?
  var interface: String
  var member: String
  var firstArgument: String?

  /// - Parameter path: nil: of any object.
  public init(_ interface: String, _ member: String, at path: String? = nil) {
    self.path = path
    self.interface = interface
    self.member = member
  }

  /// A property of that interface has changed, or several. The bus does not tell them apart: where
  /// one of them changes all the time, this wakes all the time.
  ///
  /// - Parameter path: nil: of any object.
  public static func changes(of interface: String, at path: String? = nil) -> BusSignal {
    var signal = BusSignal(BusCall.properties, "PropertiesChanged", at: path)
    signal.firstArgument = interface
    return signal
  }

  /// As the D-Bus specification writes it ("Match Rules"). No name and no path of the bus has
  /// anything in it that would have to be escaped; a path that is none gives no rule.
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
