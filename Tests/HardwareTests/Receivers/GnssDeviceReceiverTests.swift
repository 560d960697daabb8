import Glibc
import Ports
import ReceiverStandIns
import TestSupport
import Testing

@testable import Hardware

/// The kernel's GNSS subsystem is not available. Other character devices replace it, and a test
/// sysfs tree declares them as class gnss.
@Suite struct GnssDeviceReceiverTests {
  /// A folder that is removed with its owner.
  final class MadeSysfs {
    let root = "/tmp/godwit-sysfs-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    private var made: [String]

    init(of path: String, subsystem: String? = "gnss", type: String? = "UBX") {
      var status = stat()
      precondition(stat(path, &status) == 0)
      // From the first 256 minors of the first 4096 majors, as the devices here are.
      let number = "\(status.st_rdev >> 8 & 0xfff):\(status.st_rdev & 0xff)"
      let folder = "\(root)/dev/char/\(number)"
      made = [root, "\(root)/dev", "\(root)/dev/char", folder, "\(root)/class"]
      if let subsystem { made.append("\(root)/class/\(subsystem)") }
      for folder in made { mkdir(folder, 0o755) }
      if let subsystem {
        symlink("../../../class/\(subsystem)", "\(folder)/subsystem")
        made.append("\(folder)/subsystem")
      }
      if let type {
        let file = fopen("\(folder)/type", "w")!
        fputs("\(type)\n", file)
        fclose(file)
        made.append("\(folder)/type")
      }
    }

    deinit { for path in made.reversed() { remove(path) } }
  }

  static func refusal(_ path: String, sysfs: String = "/sys") -> PortError? {
    let receiver = GnssDeviceReceiver(GnssDeviceSettings(path: path, sysfs: sysfs))
    let refusal = thrown(PortError.self, "\(path) was opened", by: receiver.open)
    #expect(receiver.interest == nil)
    return refusal
  }

  /// A line that stands for the device: opened in raw mode, so that every byte passes.
  final class Device {
    let line = Pseudoterminal()
    let sysfs: MadeSysfs
    let receiver: GnssDeviceReceiver

    init() throws {
      sysfs = MadeSysfs(of: line.path)
      var settings = line.settings
      cfmakeraw(&settings)
      precondition(tcsetattr(line.master, TCSANOW, &settings) == 0)
      receiver = GnssDeviceReceiver(GnssDeviceSettings(path: line.path, sysfs: sysfs.root))
      try receiver.open()
    }

    func collect(_ count: Int) throws -> [UInt8] {
      var bytes: [UInt8] = []
      while bytes.count < count && isReady(receiver) {
        bytes += try receiver.read(limit: 4096)
      }
      return bytes
    }
  }

  @Test("every byte passes both ways, and a write never blocks")
  func everyByteValuePassesBothWays() throws {
    let device = try Device()
    let all = (0...255).map { UInt8($0) }
    device.line.send(all)
    #expect(try device.collect(all.count) == all)
    #expect(try device.receiver.read(limit: 100).isEmpty)
    #expect(!isReady(device.receiver, within: 0))
    try device.receiver.write(all)
    var received = device.line.received()
    #expect(received.count == GnssDeviceReceiver.slice, "more is sent at once than may block")
    while isReady(device.receiver, within: 0) {
      #expect(try device.receiver.read(limit: 100).isEmpty)
      received += device.line.received()
    }
    #expect(received == all)
  }

  @Test("a read stays within its limit") func readTakesNoMoreThanItsLimit() throws {
    let device = try Device()
    device.line.send(Array("$GPGGA,1234".utf8))
    #expect(isReady(device.receiver))
    #expect(try device.receiver.read(limit: 4) == Array("$GPG".utf8))
    #expect(try device.receiver.read(limit: 100) == Array("GA,1234".utf8))
  }

  @Test("output that is not read is limited") func outputIsBounded() throws {
    let device = try Device()
    var written = 0
    var refusal: PortError?
    while refusal == nil && written < 1_000_000 {
      do throws(PortError) {
        try device.receiver.write([UInt8](repeating: 0x55, count: 1000))
        written += 1000
      } catch {
        refusal = error
      }
    }
    #expect(refusal != nil && written <= GnssDeviceReceiver.maxOutput + 4096)
  }

  @Test("input is discarded on demand") func inputIsDiscardedOnDemand() throws {
    let device = try Device()
    device.line.send(Array("stale".utf8))
    #expect(isReady(device.receiver))
    device.receiver.discardInput()
    #expect(!isReady(device.receiver, within: 0))
    device.line.send(Array("fresh".utf8))
    #expect(try device.collect(5) == Array("fresh".utf8))
  }

  @Test("a removed device is lost after its last bytes")
  func removalIsLostAfterTheLastBytes() throws {
    var device: Device? = try Device()
    let receiver = try #require(device?.receiver)
    let sysfs = device?.sysfs
    device?.line.send(Array("last".utf8))
    #expect(isReady(receiver))
    #expect(try receiver.read(limit: 100) == Array("last".utf8))
    device = nil
    #expect(isReady(receiver))
    guard case .lost(let text)? = thrown(PortError.self, by: { try receiver.read(limit: 9) })
    else {
      Issue.record("the removal went unnoticed")
      return
    }
    #expect(text.contains(receiver.name))
    withExtendedLifetime(sysfs) { receiver.close() }
    #expect(receiver.interest == nil)
  }

  @Test("a device in use is busy until it is closed")
  func secondReceiverIsBusyAndClosingFreesIt() throws {
    let device = try Device()
    let second = GnssDeviceReceiver(device.receiver.settings)
    guard case .busy(let text)? = thrown(PortError.self, by: second.open) else {
      Issue.record("two have the device open, and closing one leaves the power on")
      return
    }
    #expect(text.contains("keeps the receiver's power on"))
    device.receiver.close()
    try second.open()
    #expect(second.interest != nil)
  }

  @Test("a closed device is inactive and refuses output")
  func closedPortIsQuietAndRefusesOutput() throws {
    let receiver = GnssDeviceReceiver(GnssDeviceSettings(path: "/dev/null"))
    #expect(receiver.interest == nil)
    #expect(try receiver.read(limit: 10).isEmpty)
    guard case .lost? = thrown(PortError.self, by: { try receiver.write([1]) }) else {
      Issue.record("wrote to a closed device")
      return
    }
    receiver.discardInput()
    receiver.close()
  }

  /// /dev/zero never runs dry and cannot be polled, which no GNSS device declares.
  @Test("a device that cannot be polled is refused")
  func deviceThatCannotBeWaitedForIsRefused() throws {
    let sysfs = MadeSysfs(of: "/dev/zero", type: "NMEA")
    guard case .refused? = Self.refusal("/dev/zero", sysfs: sysfs.root) else {
      Issue.record("a device that cannot be waited for was opened")
      return
    }
  }

  @Test("a device of another class is refused with advice", arguments: ["/dev/null", "/dev/zero"])
  func otherDevicesAreRefusedWithAdvice(path: String) {
    guard case .refused(let text)? = Self.refusal(path) else {
      Issue.record("\(path) was not refused")
      return
    }
    #expect(text.contains("of class mem") && text.contains("receiver.device"))
  }

  @Test("files, folders and serial lines are refused with advice")
  func filesFoldersAndSerialLinesAreRefusedWithAdvice() {
    for path in ["/etc/passwd", "/tmp"] {
      guard case .refused(let text)? = Self.refusal(path) else {
        Issue.record("\(path) was not refused")
        continue
      }
      #expect(text.contains("no device at all"))
    }
    let line = Pseudoterminal()
    let sysfs = MadeSysfs(of: line.path, subsystem: "tty", type: nil)
    guard case .refused(let text)? = Self.refusal(line.path, sysfs: sysfs.root) else {
      Issue.record("a serial line was not refused")
      return
    }
    #expect(text.contains("receiver.kind to serial"))
  }

  @Test("a missing device is missing, not refused") func missingDeviceIsWaitedFor() {
    guard case .missing(let text)? = Self.refusal("/dev/gnss-that-is-not") else {
      Issue.record("a missing device was not missing")
      return
    }
    #expect(text.contains("receiver.device") && text.contains("device tree"))
  }

  @Test("a protocol that cannot be decoded is refused, others are accepted")
  func undecodableProtocolIsRefusedOthersAreNot() throws {
    let line = Pseudoterminal()
    let sirf = MadeSysfs(of: line.path, type: "SiRF")
    guard case .refused(let text)? = Self.refusal(line.path, sysfs: sirf.root) else {
      Issue.record("SiRF was not refused")
      return
    }
    #expect(text.contains("SiRF") && text.contains("receiver.kind to gpsd"))
    for type in ["NMEA", "UBX", "MTK", nil] {
      let sysfs = MadeSysfs(of: line.path, type: type)
      let receiver = GnssDeviceReceiver(
        GnssDeviceSettings(path: line.path, sysfs: sysfs.root))
      try receiver.open()
      #expect(receiver.interest != nil)
    }
  }
}
