import Records
import Platform
import Ports
import Core

#if canImport(Glibc)
  import Glibc
#endif

/// Every conversion of a chip under ina2xx-adc, from its driver's buffer, with the driver's own
/// time stamps. The driver polls the chip, which costs processor time as long as it runs.
final class IIOTrace: PowerTrace {
  private let device: ChipDevice
  private let settings: MonitorSettings
  private let scales: (shunt: Double, bus: Double)
  private let layout: IIOScanLayout
  private let descriptor: Int32
  private let accuracy: MonitorAccuracy

  private static let wanted = ["in_voltage0", "in_voltage1", "in_timestamp"]
  /// How many unread records the kernel keeps.
  private static let records = 1024

  /// - Parameter scales: millivolts per step.
  init(
    _ device: ChipDevice, node: String, scales: (shunt: Double, bus: Double),
    _ settings: MonitorSettings
  ) throws(AttributeFault) {
    self.device = device
    self.settings = settings
    self.scales = scales
    accuracy = settings.accuracy()
    let folder = device.folder
    try AttributeFile.write("0\n", to: folder + "/buffer/enable")
    layout = try Self.chooseElements(folder)
    try AttributeFile.write("boottime\n", to: folder + "/current_timestamp_clock")
    try AttributeFile.write("\(Self.records)\n", to: folder + "/buffer/length")
    try AttributeFile.write("1\n", to: folder + "/buffer/enable")
    let opened = open(node, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    // Before everything is initialized: `deinit` would close -1 and overwrite errno.
    guard opened >= 0 else {
      let code = errno
      try? AttributeFile.write("0\n", to: folder + "/buffer/enable")
      throw AttributeFault(path: node, reason: .system(code))
    }
    descriptor = opened
  }

  deinit {
    close(descriptor)
    try? AttributeFile.write("0\n", to: device.folder + "/buffer/enable")
  }

  /// Enables the needed elements, disables the others, and reads their layout in the buffer.
  private static func chooseElements(_ folder: String) throws(AttributeFault) -> IIOScanLayout {
    let elements = folder + "/scan_elements/"
    for file in DeviceFolder.names(in: elements) where file.hasSuffix("_en") {
      let isWanted = wanted.contains(String(file.dropLast(3)))
      try AttributeFile.write(isWanted ? "1\n" : "0\n", to: elements + file)
    }
    var chosen: [IIOScanLayout.Element] = []
    for name in wanted {
      let path = elements + name
      let index = try AttributeFile(path + "_index").number()
      let text = try AttributeFile(path + "_type").text()
      guard let type = IIOScanType(text), (0..<64).contains(index) else {
        throw AttributeFault(path: path + "_type", reason: .notANumber)
      }
      chosen.append(.init(name: name, index: Int(index), type: type))
    }
    return IIOScanLayout(chosen)
  }

  func readings(within time: Seconds) throws(PortError) -> [PowerReading] {
    guard BootClock.wait(for: descriptor, until: BootClock.now + min(time, 60)) else { return [] }
    var bytes = [UInt8](repeating: 0, count: layout.size * 64)
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else {
      if errno == EAGAIN || errno == EINTR { return [] }
      let fault = AttributeFault(path: device.description, reason: .system(errno))
      throw PortError("power monitor \(fault.message)\(fault.advice)")
    }
    return stride(from: 0, to: count - count % layout.size, by: layout.size).compactMap {
      reading(bytes[$0..<$0 + layout.size])
    }
  }

  private func reading(_ record: ArraySlice<UInt8>) -> PowerReading? {
    // The driver declares the shunt voltage as unsigned; the chip's register has a sign.
    guard let shunt = layout.value("in_voltage0", in: record, asSigned: true),
      let bus = layout.value("in_voltage1", in: record),
      let time = layout.value("in_timestamp", in: record)
    else { return nil }
    return PowerReading(
      taken: BootInstant(nanoseconds: time),
      current: Volts(Double(shunt) * scales.shunt * 1e-3) / settings.shunt,
      voltage: Volts(Double(bus) * scales.bus * 1e-3), accuracy: accuracy)
  }
}

/// How one value is stored in an IIO buffer: "le:s12/16>>4"
/// (Documentation/ABI/testing/sysfs-bus-iio).
struct IIOScanType: Equatable {
  let isBigEndian: Bool
  let isSigned: Bool
  let bits: Int
  let bytes: Int
  let shift: Int

  /// Nil for any other text, and for repeated values.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "le" || parts[0] == "be", let sign = parts[1].first,
      sign == "s" || sign == "u"
    else { return nil }
    let sizes = parts[1].dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard sizes.count == 2, let mark = sizes[1].firstIndex(of: ">"),
      sizes[1][mark...].hasPrefix(">>"), let bits = Self.number(sizes[0]),
      let storage = Self.number(sizes[1][..<mark]),
      let shift = Self.number(sizes[1][mark...].dropFirst(2)), [8, 16, 32, 64].contains(storage),
      bits > 0, bits + shift <= storage
    else { return nil }
    isBigEndian = parts[0] == "be"
    isSigned = sign == "s"
    self.bits = bits
    bytes = storage / 8
    self.shift = shift
  }

  private static func number(_ digits: Substring) -> Int? {
    guard digits.utf8.count <= 2, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(digits)
  }

  /// - Parameter asSigned: overrides the driver's declaration.
  func value(_ raw: ArraySlice<UInt8>, asSigned: Bool = false) -> Int64 {
    let ordered = isBigEndian ? Array(raw) : raw.reversed()
    let word = ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let unused = UInt64(64 - bits)
    let top = (word >> UInt64(shift)) << unused
    return isSigned || asSigned
      ? Int64(bitPattern: top) >> Int64(unused) : Int64(bitPattern: top >> unused)
  }
}

/// The layout of one record of an IIO buffer: each value at a multiple of its size, in the order of
/// the indices, the whole a multiple of the largest.
struct IIOScanLayout: Equatable {
  struct Element: Equatable {
    let name: String
    let index: Int
    let type: IIOScanType
  }

  private(set) var offsets: [String: Int] = [:]
  private(set) var types: [String: IIOScanType] = [:]
  private(set) var size = 0

  init(_ elements: [Element]) {
    var largest = 1
    for element in elements.sorted(by: { $0.index < $1.index }) {
      let bytes = element.type.bytes
      size = (size + bytes - 1) / bytes * bytes
      offsets[element.name] = size
      types[element.name] = element.type
      size += bytes
      largest = max(largest, bytes)
    }
    size = (size + largest - 1) / largest * largest
  }

  /// Nil if the record has no such value.
  func value(_ name: String, in record: ArraySlice<UInt8>, asSigned: Bool = false) -> Int64? {
    guard let offset = offsets[name], let type = types[name], record.count >= size else {
      return nil
    }
    let start = record.startIndex + offset
    return type.value(record[start..<start + type.bytes], asSigned: asSigned)
  }
}
