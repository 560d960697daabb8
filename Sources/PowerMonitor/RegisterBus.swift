/// A chip's registers on a bus, as bytes: what a driver-less monitor needs of the world.
public protocol RegisterBus: AnyObject {
  /// The bytes of a register, in the order of the wire.
  func read(_ register: UInt8, bytes: Int) throws(RegisterFault) -> [UInt8]
  func write(_ register: UInt8, word: UInt16) throws(RegisterFault)
}

/// Why a register could not be read or written.
public struct RegisterFault: Error, Equatable, Sendable {
  /// The C library's error number.
  public let code: Int32
  /// What was attempted: "open /dev/i2c-1", "read register 0x01".
  public let attempt: String

  public init(_ attempt: String, code: Int32) {
    self.attempt = attempt
    self.code = code
  }
}
