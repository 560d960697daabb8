import Foundation
import Ports
import Core
import TestSupport
import Testing

@testable import Hardware

@Suite struct IIOTraceTests {
  static let described: [(String, [UInt8], Int64)] = [
    ("le:s16/16>>0", [0xfe, 0xff], -2), ("be:s16/16>>0", [0xff, 0xfe], -2),
    ("le:u16/16>>0", [0xfe, 0xff], 65_534), ("be:u13/16>>3", [0x19, 0xcb], 825),
    ("le:s12/16>>4", [0x00, 0x80], -2048), ("le:s64/64>>0", [1, 0, 0, 0, 0, 0, 0, 0x80], .min + 1),
    ("le:u8/8>>0", [200], 200),
  ]

  @Test("scan types are parsed", arguments: described)
  func types(text: String, bytes: [UInt8], value: Int64) throws {
    let type = try #require(IIOScanType(text))
    #expect(type.bytes == bytes.count && type.value(bytes[...]) == value)
  }

  @Test(
    "malformed scan types are refused",
    arguments: [
      "", "le:s16", "le:x16/16>>0", "le:s17/16>>0", "le:s12/16>>5", "le:s16/16X2>>0", "le:s0/16>>0",
      "le:s16/24>>0", "me:s16/16>>0",
    ])
  func typesThatAreNone(text: String) {
    #expect(IIOScanType(text) == nil)
  }

  /// Two values of two bytes, then the time at the next multiple of eight: 16 bytes in total.
  @Test("the time stamp is aligned") func theTimeIsAligned() throws {
    let word = try #require(IIOScanType("le:u16/16>>0"))
    let time = try #require(IIOScanType("le:s64/64>>0"))
    let layout = IIOScanLayout([
      .init(name: "t", index: 4, type: time), .init(name: "b", index: 1, type: word),
      .init(name: "a", index: 0, type: word),
    ])
    #expect(layout.size == 16 && layout.offsets == ["a": 0, "b": 2, "t": 8])
    let record: [UInt8] = [7, 0, 9, 0, 0xaa, 0xaa, 0xaa, 0xaa, 5, 0, 0, 0, 0, 0, 0, 0]
    #expect(layout.value("b", in: record[...]) == 9 && layout.value("t", in: record[...]) == 5)
    #expect(layout.value("c", in: record[...]) == nil)
    #expect(layout.value("a", in: record[..<15]) == nil)
  }

  /// The buffer as a pipe with the driver's output. −40 steps of 2.5 µV are −1 mA, although the
  /// driver declares the value unsigned.
  @Test("the driver's records become dated readings, and its buffer is disabled after the trace")
  func recordsBecomeReadings() throws {
    let tree = try MadeTree()
    let folder = "bus/iio/devices/iio:device0"
    let files = [
      "name": "ina226", "in_voltage0_raw": "0", "in_voltage0_scale": "0.0025",
      "in_voltage1_raw": "0", "in_voltage1_scale": "1.25", "in_sampling_frequency": "113",
      "buffer/enable": "0", "buffer/length": "2", "current_timestamp_clock": "realtime",
      "scan_elements/in_voltage0_en": "0", "scan_elements/in_voltage0_index": "0",
      "scan_elements/in_voltage0_type": "le:u16/16>>0", "scan_elements/in_voltage1_en": "0",
      "scan_elements/in_voltage1_index": "1", "scan_elements/in_voltage1_type": "le:u16/16>>0",
      "scan_elements/in_power2_en": "1", "scan_elements/in_timestamp_en": "0",
      "scan_elements/in_timestamp_index": "4", "scan_elements/in_timestamp_type": "le:s64/64>>0",
    ]
    for (name, text) in files { try tree.write(text + "\n", to: "\(folder)/\(name)") }
    let node = tree.scratch.file("iio:device0")
    mkfifo(node, 0o600)
    let feed = open(node, O_RDWR | O_NONBLOCK)
    defer { close(feed) }
    let monitor = IIOMonitor(
      MonitorSettings(bus: nil, address: nil), root: tree.root, devices: tree.root)
    var trace = try monitor.trace()
    #expect(try tree.read(folder + "/scan_elements/in_voltage0_en") == "1\n")
    #expect(try tree.read(folder + "/scan_elements/in_power2_en") == "0\n")
    #expect(try tree.read(folder + "/current_timestamp_clock").hasPrefix("boottime"))
    #expect(try tree.read(folder + "/buffer/enable") == "1\n")
    let second: [UInt8] = [0x00, 0xca, 0x9a, 0x3b, 0, 0, 0, 0]
    let records: [UInt8] =
      [0x87, 0x04, 0x50, 0x0a, 0, 0, 0, 0] + second
      + [0xd8, 0xff, 0x50, 0x0a, 0, 0, 0, 0] + second + [1, 2, 3]
    #expect(write(feed, records, records.count) == records.count)
    let readings = try #require(try trace?.readings(within: 1))
    #expect(readings.count == 2)
    #expect(abs(readings[0].current.value - 0.028_975) < 1e-12)
    #expect(abs(readings[0].voltage.value - 3.3) < 1e-9)
    #expect(readings[0].taken == BootInstant.zero + 1)
    #expect(abs(readings[1].current.value + 0.001) < 1e-12)
    let nothing = try #require(try trace?.readings(within: 0))
    #expect(nothing.isEmpty)
    trace = nil
    #expect(try tree.read(folder + "/buffer/enable") == "0\n")
  }

  @Test("a device without a buffer has no trace") func withoutABufferThereIsNoTrace() throws {
    let tree = try MadeTree()
    try tree.write("ina226\n", to: "bus/iio/devices/iio:device0/name")
    let monitor = IIOMonitor(MonitorSettings(bus: nil, address: nil), root: tree.root)
    #expect(try monitor.trace() == nil)
  }
}
