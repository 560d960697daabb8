import CLinux

#if canImport(Glibc)
  import Glibc
#endif

/// A chip on /dev/i2c-N, read by SMBus transfers, which every I2C controller supports
/// (Documentation/i2c/dev-interface.rst).
final class I2CDevice: RegisterBus {
  private let descriptor: Int32

  /// - Parameter folder: where device nodes are.
  init(bus: Int, address: Int, folder: String = "/dev") throws(RegisterFault) {
    let path = "\(folder)/i2c-\(bus)"
    let opened = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    // Before everything is initialized: `deinit` would close -1 and overwrite errno.
    guard opened >= 0 else { throw RegisterFault("open \(path)", code: errno) }
    descriptor = opened
    // Refused with EBUSY while a kernel driver has the address. `deinit` closes after a throw, too.
    guard ioctl(descriptor, UInt(I2C_SLAVE), CInt(address)) == 0 else {
      throw RegisterFault("use address \(BusAddress.text(address)) on \(path)", code: errno)
    }
  }

  deinit { close(descriptor) }

  func read(_ register: UInt8, bytes: Int) throws(RegisterFault) -> [UInt8] {
    var data = i2c_smbus_data()
    let isWord = bytes == 2
    if !isWord { data.block.0 = UInt8(clamping: bytes) }
    try transfer(
      I2C_SMBUS_READ, register, isWord ? I2C_SMBUS_WORD_DATA : I2C_SMBUS_I2C_BLOCK_DATA, &data,
      "read register \(BusAddress.text(Int(register)))")
    // SMBus sends the low byte first, these chips the high one.
    if isWord { return [UInt8(truncatingIfNeeded: data.word), UInt8(data.word >> 8)] }
    let block = withUnsafeBytes(of: data) { Array($0) }
    guard Int(block[0]) == bytes, bytes < block.count else {
      throw RegisterFault("read register \(BusAddress.text(Int(register)))", code: EPROTO)
    }
    return Array(block[1...bytes])
  }

  func write(_ register: UInt8, word: UInt16) throws(RegisterFault) {
    var data = i2c_smbus_data()
    data.word = word.byteSwapped
    try transfer(
      I2C_SMBUS_WRITE, register, I2C_SMBUS_WORD_DATA, &data,
      "write register \(BusAddress.text(Int(register)))")
  }

  private func transfer(
    _ direction: Int32, _ register: UInt8, _ size: Int32, _ data: inout i2c_smbus_data,
    _ attempt: String
  ) throws(RegisterFault) {
    let result = withUnsafeMutablePointer(to: &data) { pointer in
      var request = i2c_smbus_ioctl_data(
        read_write: UInt8(direction), command: register, size: UInt32(size), data: pointer)
      return ioctl(descriptor, UInt(I2C_SMBUS), &request)
    }
    guard result >= 0 else { throw RegisterFault(attempt, code: errno) }
  }
}

/// A chip's registers on a bus, as bytes: what a monitor without a kernel driver needs.
public protocol RegisterBus: AnyObject {
  /// The bytes of a register, in the order of the wire.
  func read(_ register: UInt8, bytes: Int) throws(RegisterFault) -> [UInt8]
  func write(_ register: UInt8, word: UInt16) throws(RegisterFault)
}

/// Why a register could not be read or written.
public struct RegisterFault: Error, Equatable, Sendable {
  /// The C library's error number.
  let code: Int32
  /// What was attempted: "open /dev/i2c-1", "read register 0x01".
  let attempt: String

  public init(_ attempt: String, code: Int32) {
    self.attempt = attempt
    self.code = code
  }
}
