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

/// An argument of a method.
public indirect enum BusValue: Sendable {
  case text(String)
  case integer(UInt32)
  case boolean(Bool)
  case variant(BusValue)
  /// Without any entries, which is what methods with options are content with.
  case noOptions

  /// - Returns: negative for an error (sd_bus_message_append_basic(3)).
  func append(to message: OpaquePointer) -> Int32 {
    switch self {
    case .text(let text):
      return sd_bus_message_append_basic(message, Self.code("s"), text)
    case .integer(var number):
      return sd_bus_message_append_basic(message, Self.code("u"), &number)
    case .boolean(let isTrue):
      var number: Int32 = isTrue ? 1 : 0
      return sd_bus_message_append_basic(message, Self.code("b"), &number)
    case .variant(let value):
      let opened = sd_bus_message_open_container(message, Self.code("v"), value.signature)
      guard opened >= 0 else { return opened }
      let appended = value.append(to: message)
      return appended < 0 ? appended : sd_bus_message_close_container(message)
    case .noOptions:
      let opened = sd_bus_message_open_container(message, Self.code("a"), "{sv}")
      return opened < 0 ? opened : sd_bus_message_close_container(message)
    }
  }

  private var signature: String {
    switch self {
    case .text: "s"
    case .integer: "u"
    case .boolean: "b"
    case .variant: "v"
    case .noOptions: "a{sv}"
    }
  }

  private static func code(_ type: Unicode.Scalar) -> CChar { CChar(UInt8(ascii: type)) }
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
  public static func changes(of interface: String, at path: String) -> BusSignal {
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
