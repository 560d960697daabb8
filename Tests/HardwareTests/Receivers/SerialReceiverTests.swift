import Glibc
import Platform
import Ports
import Core
import ReceiverStandIns
import Testing

@testable import Hardware

@Suite struct SerialReceiverTests {
  static func message(_ body: () throws -> Void) -> PortError? {
    do {
      try body()
      return nil
    } catch {
      return error as? PortError
    }
  }

  /// Reads until `count` bytes have arrived or no more arrive.
  func collect(_ receiver: SerialReceiver, _ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count && isReady(receiver) {
      bytes += try receiver.read(limit: 4096)
    }
    return bytes
  }

  @Test("every byte value passes both ways") func everyByteValuePassesBothWays() throws {
    let line = Pseudoterminal()
    let receiver = SerialReceiver(SerialSettings(path: line.link, baud: 9600))
    try receiver.open()
    let all = (0...255).map { UInt8($0) } + [0x0d, 0x11, 0x13, 0x1a, 0x0a, 0x0d, 0x0a, 0x03, 0x04]
    line.send(all)
    #expect(try collect(receiver, all.count) == all)
    #expect(try receiver.read(limit: 100).isEmpty)
    try receiver.write(all)
    #expect(readable(line.master))
    #expect(line.received() == all)
  }

  @Test(
    "the line has the speed that is set, eight bits and no flow control",
    arguments: zip(
      SerialSpeed.all,
      [B4800, B9600, B19200, B38400, B57600, B115200, B230400, B460800, B921600].map(speed_t.init)
    ))
  func speedIsSet(baud: Int, code: speed_t) throws {
    let line = Pseudoterminal()
    let receiver = SerialReceiver(SerialSettings(path: line.link, baud: baud))
    try receiver.open()
    var settings = line.settings
    #expect(cfgetospeed(&settings) == code)
    #expect(cfgetispeed(&settings) == code)
    #expect(settings.c_cflag & tcflag_t(CSIZE) == tcflag_t(CS8))
    #expect(settings.c_cflag & tcflag_t(CLOCAL | CREAD) == tcflag_t(CLOCAL | CREAD))
    #expect(settings.c_cflag & tcflag_t(PARENB | CSTOPB) == 0)
    #expect(settings.c_iflag & tcflag_t(IXON | IXOFF | ICRNL | ISTRIP) == 0)
    #expect(receiver.name == "\(line.link) at \(baud) baud")
  }

  @Test("a read stays within its limit") func readTakesNoMoreThanItsLimit() throws {
    let line = Pseudoterminal()
    let receiver = SerialReceiver(SerialSettings(path: line.link, baud: 9600))
    try receiver.open()
    line.send(Array("$GPGGA,1234".utf8))
    #expect(isReady(receiver))
    #expect(try receiver.read(limit: 4) == Array("$GPG".utf8))
    #expect(isReady(receiver, within: 0))
    #expect(try receiver.read(limit: 100) == Array("GA,1234".utf8))
    #expect(!isReady(receiver, within: 0))
  }

  /// The kernel passes on 4095 bytes at a time and buffers more. One of its threads moves them, and
  /// on a busy machine it may be late between two system calls of one read. It suffices that one of
  /// ten attempts reads all, for which one system call is never enough.
  @Test("one read returns all that has arrived")
  func readTakesAllThatHasArrived() throws {
    let line = Pseudoterminal()
    let other = Glibc.open(line.path, O_RDWR | O_NOCTTY | O_NONBLOCK)
    defer { Glibc.close(other) }
    let receiver = SerialReceiver(SerialSettings(path: line.link, baud: 921_600))
    try receiver.open()
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    var tookAll = false
    for _ in 0..<10 where !tookAll {
      var sent = 0
      while sent < bytes.count {
        let taken = line.offer(bytes[sent...])
        if taken == 0 { break }
        sent += taken
      }
      #expect(sent > 6000)
      // Until the kernel's first buffer is full.
      var held: Int32 = 0
      for _ in 0..<1000 where held < 4095 {
        _ = readable(line.master, within: 0.01)
        #expect(ioctl(other, UInt(FIONREAD), &held) == 0)
      }
      var got = try receiver.read(limit: 65_536)
      tookAll = got.count == sent
      while got.count < sent, isReady(receiver) { got += try receiver.read(limit: 65_536) }
      #expect(got == Array(bytes.prefix(sent)))
    }
    #expect(tookAll)
    #expect(receiver.lineErrors == nil, "a pseudo-terminal counts nothing")
    #expect(receiver.bytesPerSecond == 92_160)
  }

  @Test("counts are kept when the line is unplugged")
  func countsOutliveTheLine() throws {
    let line = Pseudoterminal()
    var driver: LineErrors? = LineErrors()
    let receiver = SerialReceiver(SerialSettings(path: line.link, baud: 9600)) { _ in driver }
    try receiver.open()
    driver?.overruns = 7
    #expect(receiver.lineErrors?.overruns == 7)
    driver = nil
    #expect(receiver.lineErrors?.overruns == 7)
    receiver.close()
    #expect(receiver.lineErrors?.overruns == 7)
    // After replugging, the driver counts from zero.
    driver = LineErrors()
    try receiver.open()
    driver?.overruns = 1
    receiver.close()
    #expect(receiver.lineErrors?.overruns == 8)
  }

  @Test("stale input is discarded on opening") func staleInputIsDiscardedOnOpen() throws {
    let line = Pseudoterminal()
    // Another program has the line open, which keeps the line and its input alive.
    let other = Glibc.open(line.path, O_RDWR | O_NOCTTY | O_NONBLOCK)
    defer { Glibc.close(other) }
    line.send(Array("old\n".utf8))
    #expect(readable(other))
    let receiver = SerialReceiver(SerialSettings(path: line.link, baud: 9600))
    try receiver.open()
    #expect(!isReady(receiver, within: 0))
    line.send(Array("new".utf8))
    #expect(try collect(receiver, 3) == Array("new".utf8))
  }

  @Test("a line in use is busy and its holder named, until it is closed")
  func secondOpenIsRefusedAndNamesTheHolder() throws {
    let line = Pseudoterminal()
    let first = SerialReceiver(SerialSettings(path: line.link, baud: 9600))
    try first.open()
    let second = SerialReceiver(SerialSettings(path: line.link, baud: 9600))
    guard case .busy(let text)? = Self.message({ try second.open() }) else {
      Issue.record("the line was opened twice")
      return
    }
    #expect(text.contains(line.link) && text.contains("this program itself"))
    #expect(second.interest == nil)
    first.close()
    try second.open()
  }

  @Test("either sign of another holder is respected", arguments: [true, false])
  func eitherSignOfAnotherHolderIsRespected(byTIOCEXCL: Bool) throws {
    let line = Pseudoterminal()
    let other = Glibc.open(line.path, O_RDWR | O_NOCTTY | O_NONBLOCK)
    defer {
      _ = ioctl(other, UInt(TIOCNXCL))
      Glibc.close(other)
    }
    #expect((byTIOCEXCL ? ioctl(other, UInt(TIOCEXCL)) : flock(other, LOCK_EX)) == 0)
    let receiver = SerialReceiver(SerialSettings(path: line.link, baud: 9600))
    guard case .busy? = Self.message({ try receiver.open() }) else {
      Issue.record("the line was taken from its holder")
      return
    }
  }

  @Test("an unplugged line is lost, and found again behind the same link")
  func hangUpIsLostAndReplugBehindTheSameLinkIsFound() throws {
    var line: Pseudoterminal? = Pseudoterminal()
    let link = line!.link
    let receiver = SerialReceiver(SerialSettings(path: link, baud: 9600))
    try receiver.open()
    line!.send(Array("last".utf8))
    #expect(try collect(receiver, 4) == Array("last".utf8))
    line = nil
    let interest = receiver.interest
    #expect(isReady(receiver))
    for _ in 0..<2 {
      guard case .lost(let text)? = Self.message({ _ = try receiver.read(limit: 10) }) else {
        Issue.record("the hang-up went unnoticed")
        return
      }
      #expect(text.contains(link))
    }
    #expect(receiver.interest == interest)
    guard case .missing(let text)? = Self.message({ try receiver.open() }) else {
      Issue.record("opened what is not there")
      return
    }
    #expect(text.contains(link))
    #expect(receiver.interest == nil)
    let other = Pseudoterminal()
    let again = Pseudoterminal(link: link)
    #expect(again.path != other.path)
    try receiver.open()
    again.send(Array("back".utf8))
    #expect(try collect(receiver, 4) == Array("back".utf8))
  }

  @Test("output that does not fit waits in order, up to a limit")
  func outputThatDoesNotFitWaitsAndKeepsItsOrder() throws {
    let line = Pseudoterminal()
    let receiver = SerialReceiver(SerialSettings(path: line.link, baud: 9600))
    try receiver.open()
    var sent: [UInt8] = []
    var failure: PortError?
    while failure == nil && sent.count < 1_000_000 {
      let part = (0..<1000).map { UInt8(truncatingIfNeeded: sent.count / 1000 &* 7 &+ $0) }
      failure = Self.message { try receiver.write(part) }
      if failure == nil { sent += part }
    }
    guard case .lost(let text)? = failure else {
      Issue.record("the queue has no bound")
      return
    }
    #expect(text.contains("stuck"))
    #expect(receiver.interest?.writes == true)
    var received: [UInt8] = []
    while received.count < sent.count && readable(line.master) {
      received += line.received(limit: 700)
      if isReady(receiver, within: 0) { #expect(try receiver.read(limit: 10).isEmpty) }
    }
    #expect(received == sent)
    #expect(!isReady(receiver, within: 0))
    #expect(receiver.interest?.writes == false)
  }

  @Test("bytes written right before closing are sent")
  func whatWasWrittenRightBeforeClosingIsSent() throws {
    let line = Pseudoterminal()
    let receiver = SerialReceiver(SerialSettings(path: line.link, baud: 9600))
    try receiver.open()
    let command = Array("$PMTK161,0*28\r\n".utf8)
    try receiver.write(command)
    receiver.close()
    #expect(line.received() == command)
  }

  /// A line that accepts nothing would delay closing by half a minute.
  @Test("closing waits for the line for a limited time")
  func closingWaitsForTheLineForABoundedTime() {
    let short = SerialLine.sendingTime(bytes: 96, baud: 9600)
    #expect((short - 0.105).magnitude < 0.000_001)
    let shorter = SerialLine.sendingTime(bytes: 16, baud: 115_200)
    #expect(shorter > 0.006 && shorter < 0.007)
    #expect(SerialLine.sendingTime(bytes: 4096, baud: 4800) == SerialLine.closingTime)
    #expect(SerialLine.sendingTime(bytes: Int(Int32.max), baud: 4800) == SerialLine.closingTime)
  }

  @Test("input is discarded on demand, and the detected speed is kept")
  func inputIsDiscardedOnDemandAndTheFoundSpeedStays() throws {
    let line = Pseudoterminal()
    let receiver = SerialReceiver(SerialSettings(path: line.link))
    try receiver.open()
    line.send(Array("stale".utf8))
    #expect(isReady(receiver))
    _ = try receiver.read(limit: 100)
    try receiver.decoded(validFrames: BaudDetector.framesNeeded, at: .zero)
    #expect(receiver.isBaudKnown)
    let baud = receiver.baud
    line.send(Array("$GPGGA,the rest of the last sentence before the sl".utf8))
    #expect(isReady(receiver))
    receiver.discardInput()
    #expect(!isReady(receiver, within: 0))
    #expect(try receiver.read(limit: 100).isEmpty)
    line.send(Array("$GPGGA".utf8))
    #expect(isReady(receiver))
    #expect(try receiver.read(limit: 100) == Array("$GPGGA".utf8))
    #expect(receiver.isBaudKnown && receiver.baud == baud)
  }

  @Test("a closed line is inactive and refuses output")
  func closedPortIsQuietAndRefusesOutput() throws {
    let line = Pseudoterminal()
    let receiver = SerialReceiver(SerialSettings(path: line.link, baud: 9600))
    #expect(receiver.interest == nil)
    #expect(try receiver.read(limit: 10).isEmpty)
    guard case .lost? = Self.message({ try receiver.write([1]) }) else {
      Issue.record("wrote to a closed line")
      return
    }
    try receiver.open()
    receiver.close()
    receiver.close()
    #expect(receiver.interest == nil)
  }

  @Test("unsuitable devices are refused with advice")
  func unfitDevicesAreRefusedWithAdvice() throws {
    func refusal(_ path: String, baud: Int = 9600) -> String? {
      let receiver = SerialReceiver(SerialSettings(path: path, baud: baud))
      guard case .refused(let text)? = Self.message({ try receiver.open() }) else { return nil }
      return text
    }
    #expect(refusal("/dev/null")?.contains("not a serial line") == true)
    #expect(refusal("/etc/passwd")?.contains("not a serial line") == true)
    #expect(refusal("/tmp")?.contains("receiver.device") == true)
    #expect(refusal("/dev/null", baud: 1234)?.contains("4800, 9600") == true)
    let loop = Pseudoterminal.freshLink()
    symlink(loop, loop)
    defer { unlink(loop) }
    #expect(refusal(loop)?.contains(loop) == true)
  }

  @Test(
    "missing permissions name the group to join, or a udev rule",
    .enabled(if: geteuid() == 0, "only root can give a line to a group"))
  func permissionAdviceNamesTheGroupToJoin() throws {
    let line = Pseudoterminal()
    func advice() -> String {
      let error = SerialErrorText.opening(line.link, SystemError(code: EACCES))
      guard case .refused(let text) = error else {
        Issue.record("waiting does not help against missing permissions")
        return ""
      }
      return text
    }
    try #require(chmod(line.path, 0o660) == 0)
    let group = try #require(getgrgid(1))
    try #require(chown(line.path, geteuid(), 1) == 0)
    #expect(advice().contains("usermod -aG \(String(cString: group.pointee.gr_name)) "))
    // Not owned by root's group.
    try #require(chown(line.path, geteuid(), 0) == 0)
    #expect(advice().contains("udev rule"))
    try #require(chown(line.path, geteuid(), 1) == 0)
    try #require(chmod(line.path, 0o600) == 0)
    #expect(advice().contains("udev rule") && advice().contains(line.link))
  }

  @Test("a missing device names its link and the link's target")
  func missingDeviceNamesTheLinksTarget() {
    let link = Pseudoterminal.freshLink()
    symlink("/dev/no-such-receiver", link)
    defer { unlink(link) }
    let receiver = SerialReceiver(SerialSettings(path: link, baud: 9600))
    guard case .missing(let text)? = Self.message({ try receiver.open() }) else {
      Issue.record("opened what is not there")
      return
    }
    #expect(text.contains(link) && text.contains("/dev/no-such-receiver"))
  }

  @Test("an unknown speed is detected from decoded data, and tried first next time")
  func unknownSpeedIsFoundFromTheDecodersVerdict() throws {
    let line = Pseudoterminal()
    let receiver = SerialReceiver(SerialSettings(path: line.link))
    try receiver.open()
    #expect(receiver.baud == 9600 && !receiver.isBaudKnown)
    #expect(receiver.name.contains("not yet found"))
    var now = BootInstant.zero
    while receiver.baud != 38_400 && now < BootInstant(nanoseconds: 60_000_000_000) {
      line.send([UInt8](repeating: 0x80, count: 200))
      _ = try collect(receiver, 200)
      try receiver.decoded(validFrames: 0, at: now)
      now = now + 1
    }
    var settings = line.settings
    #expect(cfgetospeed(&settings) == speed_t(B38400))
    line.send(Array("$GPTXT*00\r\n$GPTXT*00\r\n".utf8))
    _ = try collect(receiver, 22)
    try receiver.decoded(validFrames: 2, at: now)
    #expect(receiver.isBaudKnown)
    try receiver.open()
    #expect(receiver.baud == 38_400, "the speed that was found is tried first next time")
  }
}
