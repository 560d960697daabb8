import CSystemd

/// An argument or a result of a method (D-Bus specification, "Type System").
public indirect enum BusValue: Sendable {
  case text(String)
  case path(String)
  case integer(UInt32)
  case short(Int16)
  case unsignedShort(UInt16)
  case byte(UInt8)
  case boolean(Bool)
  case bytes([UInt8])
  case variant(BusValue)
  case structure([BusValue])
  /// - Parameter signature: of each element.
  case array(signature: String, [BusValue])
  /// An element of an array, which makes that a dictionary.
  case entry(BusValue, BusValue)
  /// An empty dictionary, enough for methods with options.
  case noOptions

  /// Properties by their names, "a{sv}".
  static func properties(_ properties: [(String, BusValue)]) -> BusValue {
    .array(signature: "{sv}", properties.map { .entry(.text($0.0), .variant($0.1)) })
  }

  /// - Returns: negative for an error (sd_bus_message_append_basic(3)).
  func append(to message: OpaquePointer) -> Int32 {
    switch self {
    case .text(let text): sd_bus_message_append_basic(message, Self.code("s"), text)
    case .path(let path): sd_bus_message_append_basic(message, Self.code("o"), path)
    case .integer(var number): sd_bus_message_append_basic(message, Self.code("u"), &number)
    case .short(var number): sd_bus_message_append_basic(message, Self.code("n"), &number)
    case .unsignedShort(var number): sd_bus_message_append_basic(message, Self.code("q"), &number)
    case .byte(var number): sd_bus_message_append_basic(message, Self.code("y"), &number)
    case .boolean(let isTrue): Self.append(isTrue, to: message)
    case .bytes(let bytes):
      sd_bus_message_append_array(message, Self.code("y"), bytes, bytes.count)
    case .variant(let value): Self.append([value], in: "v", value.signature, to: message)
    case .structure(let members):
      Self.append(members, in: "r", members.map(\.signature).joined(), to: message)
    case .array(let signature, let elements):
      Self.append(elements, in: "a", signature, to: message)
    case .entry(let key, let value):
      Self.append([key, value], in: "e", key.signature + value.signature, to: message)
    case .noOptions: Self.append([], in: "a", "{sv}", to: message)
    }
  }

  private static func append(_ isTrue: Bool, to message: OpaquePointer) -> Int32 {
    var number: Int32 = isTrue ? 1 : 0
    return sd_bus_message_append_basic(message, code("b"), &number)
  }

  private static func append(
    _ values: [BusValue], in container: Unicode.Scalar, _ contents: String,
    to message: OpaquePointer
  ) -> Int32 {
    let opened = sd_bus_message_open_container(message, code(container), contents)
    guard opened >= 0 else { return opened }
    for value in values {
      let appended = value.append(to: message)
      guard appended >= 0 else { return appended }
    }
    return sd_bus_message_close_container(message)
  }

  private var signature: String {
    switch self {
    case .text: "s"
    case .path: "o"
    case .integer: "u"
    case .short: "n"
    case .unsignedShort: "q"
    case .byte: "y"
    case .boolean: "b"
    case .bytes: "ay"
    case .variant: "v"
    case .structure(let members): "(\(members.map(\.signature).joined()))"
    case .array(let signature, _): "a\(signature)"
    case .entry(let key, let value): "{\(key.signature)\(value.signature)}"
    case .noOptions: "a{sv}"
    }
  }

  private static func code(_ type: Unicode.Scalar) -> CChar { CChar(UInt8(ascii: type)) }
}
