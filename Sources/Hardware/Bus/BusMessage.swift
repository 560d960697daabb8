import CSystemd

/// A message from the bus, read from its beginning to its end.
///
/// Its sender may have put anything into it: a value that is not of the requested type reads as nil
/// and is not consumed, and a container is always left whole, however much of it was read. After
/// truncated or inconsistent data nothing more can be read.
public final class BusMessage {
  private let message: OpaquePointer

  init(_ message: OpaquePointer) { self.message = sd_bus_message_ref(message) }

  deinit { sd_bus_message_unref(message) }

  /// Path of the object that sent it; empty for an answer.
  var path: String { sd_bus_message_get_path(message).map { String(cString: $0) } ?? "" }

  /// Returns to its beginning.
  public func rewind() { sd_bus_message_rewind(message, 1) }

  /// The unique name of the program that sent it, as guaranteed by the bus; nil: not given.
  var sender: String? { sd_bus_message_get_sender(message).map { String(cString: $0) } }

  /// A string, an object path or a signature.
  /// - Parameter limit: in bytes; a longer one is skipped and gives nil.
  public func text(atMost limit: Int = 4096) -> String? {
    guard let type = next?.type, "sog".utf8.contains(type) else { return nil }
    var text: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(message, CChar(type), &text) > 0, let text else { return nil }
    var length = 0
    while length <= limit, text[length] != 0 { length += 1 }
    return length <= limit ? String(cString: text) : nil
  }

  /// An integer of any width; one that does not fit is skipped and gives nil.
  public func integer() -> Int64? {
    guard let type = next?.type else { return nil }
    switch type {
    case UInt8(ascii: "y"): return read(type, UInt8(0)).map(Int64.init)
    case UInt8(ascii: "n"): return read(type, Int16(0)).map(Int64.init)
    case UInt8(ascii: "q"): return read(type, UInt16(0)).map(Int64.init)
    case UInt8(ascii: "i"): return read(type, Int32(0)).map(Int64.init)
    case UInt8(ascii: "u"): return read(type, UInt32(0)).map(Int64.init)
    case UInt8(ascii: "x"): return read(type, Int64(0))
    case UInt8(ascii: "t"): return read(type, UInt64(0)).flatMap(Int64.init(exactly:))
    default: return nil
    }
  }

  /// May be infinite or not a number.
  public func double() -> Double? {
    let type = UInt8(ascii: "d")
    return next?.type == type ? read(type, Double(0)) : nil
  }

  public func boolean() -> Bool? {
    let type = UInt8(ascii: "b")
    return next?.type == type ? read(type, Int32(0)).map { $0 != 0 } : nil
  }

  /// An array of bytes; a longer one is skipped and gives nil.
  public func bytes(atMost limit: Int) -> [UInt8]? {
    guard isNext("a", "y") else { return nil }
    var start: UnsafeRawPointer?
    var size = 0
    guard sd_bus_message_read_array(message, CChar(UInt8(ascii: "y")), &start, &size) > 0,
      size <= limit
    else { return nil }
    return Array(UnsafeRawBufferPointer(start: start, count: size))
  }

  /// The first member of a structure, if it is an integer.
  public func firstInteger() -> Int64? {
    guard let next, next.type == UInt8(ascii: "r"), let contents = next.contents else { return nil }
    var number: Int64?
    inside(next.type, contents) { number = integer() }
    return number
  }

  /// The value in a variant, if the body can read it.
  func variant<Value>(_ body: () -> Value?) -> Value? {
    guard let next, next.type == UInt8(ascii: "v"), let contents = next.contents else { return nil }
    var value: Value?
    inside(next.type, contents) { value = body() }
    return value
  }

  /// The elements of an array.
  /// - Parameters:
  ///   - contents: their type: "o", "a{sv}".
  ///   - limit: the rest is skipped.
  ///   - body: returns whether it has read the element.
  /// - Returns: whether it was such an array.
  @discardableResult
  func elements(_ contents: String, atMost limit: Int = .max, _ body: () -> Bool) -> Bool {
    guard isNext("a", contents) else { return false }
    inside(UInt8(ascii: "a"), contents) {
      var count = 0
      while count < limit, hasMore {
        count += 1
        guard body() || skip() else { return }
      }
    }
    return true
  }

  /// The entries of a dictionary; the body reads the key, and any part of the value.
  /// - Parameter contents: the types of key and value, as in "sv".
  /// - Returns: whether it was such a dictionary.
  @discardableResult
  public func entries(_ contents: String, atMost limit: Int = .max, _ body: () -> Void) -> Bool {
    elements("{\(contents)}", atMost: limit) {
      inside(UInt8(ascii: "e"), contents, body)
    }
  }

  /// A dictionary of properties; the body receives each name and reads its value.
  @discardableResult
  public func properties(_ body: (_ name: String) -> Void) -> Bool {
    entries("sv") {
      guard let name = text(atMost: 255) else { return }
      let _: Void? = variant { body(name) }
    }
  }
}

extension BusMessage {
  /// The type of the next value, and of its contents; nil: nothing more in this container.
  private var next: (type: UInt8, contents: UnsafePointer<CChar>?)? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard sd_bus_message_peek_type(message, &type, &contents) > 0 else { return nil }
    return (UInt8(bitPattern: type), contents)
  }

  private func isNext(_ type: Unicode.Scalar, _ contents: String) -> Bool {
    sd_bus_message_verify_type(message, CChar(UInt8(ascii: type)), contents) > 0
  }

  private var hasMore: Bool { sd_bus_message_at_end(message, 0) == 0 }

  /// Skips one complete value; false if that fails.
  private func skip() -> Bool { sd_bus_message_skip(message, nil) > 0 }

  private func read<Number: BitwiseCopyable>(_ type: UInt8, _ zero: Number) -> Number? {
    var number = zero
    return sd_bus_message_read_basic(message, CChar(type), &number) > 0 ? number : nil
  }

  /// - Returns: whether the container was left; nothing after a broken one can be read.
  @discardableResult
  private func inside(
    _ type: UInt8, _ contents: UnsafePointer<CChar>, _ body: () -> Void
  ) -> Bool {
    guard sd_bus_message_enter_container(message, CChar(type), contents) > 0 else { return false }
    body()
    while hasMore, skip() {}
    return sd_bus_message_exit_container(message) > 0
  }
}
