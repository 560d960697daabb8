import Glibc
import Core
import Platform
import Ports

/// A receiver on a serial line (UART, USB-serial or USB-CDC).
public final class SerialReceiver: ReceiverPort {
  /// Limit for commands that wait while the kernel's buffer is full. Most have a few hundred bytes;
  /// a restored navigation database (UBX-MGA-DBD) has some ten thousand.
  static let maxOutput = 65_536

  public let settings: SerialSettings
  private var detector: BaudDetector?
  private var line: SerialLine?
  private var openings = 0
  private var output: ArraySlice<UInt8> = []
  private var uncheckedBytes = 0
  private var account = LineStatistics()
  private let counts: (SerialLine) -> LineErrors?

  /// - Parameter likelyBaud: the speed to try first if it is to be found; the last known one.
  public convenience init(_ settings: SerialSettings, likelyBaud: Int? = nil) {
    self.init(settings, likelyBaud: likelyBaud) { $0.errors }
  }

  /// - Parameter counts: the counts of the line's driver; a pseudo-terminal counts nothing.
  init(
    _ settings: SerialSettings, likelyBaud: Int? = nil,
    counts: @escaping (SerialLine) -> LineErrors?
  ) {
    self.settings = settings
    self.counts = counts
    detector = settings.baud == nil ? BaudDetector(likely: likelyBaud) : nil
  }

  deinit { close() }

  public var name: String {
    guard let detector else { return "\(settings.path) at \(speed) baud" }
    return
      "\(settings.path) at \(speed) baud\(detector.isConfirmed ? "" : " (speed not yet found)")"
  }

  public var baud: Int? { speed }

  private var speed: Int { settings.baud ?? detector!.baud }

  /// Whether the speed was given or has been found.
  var isBaudKnown: Bool { detector?.isConfirmed ?? true }

  /// 8N1 takes ten bit times per byte. A USB receiver has no such limit, but waits to be read.
  public var bytesPerSecond: Int? { speed / 10 }

  /// The counts are kept here: after a line is unplugged they cannot be read.
  public var lineErrors: LineErrors? {
    readErrorCounts()
    return account.total
  }

  private func readErrorCounts() {
    if let line { account.update(counts(line)) }
  }

  public var interest: Interest? {
    line.map { Interest($0.descriptor, opening: openings, writes: !output.isEmpty) }
  }

  public func open() throws(PortError) {
    close()
    detector?.restart()
    let opened = try SerialLine(path: settings.path, baud: speed)
    line = opened
    openings += 1
    account.open(counts(opened))
  }

  public func read(limit: Int) throws(PortError) -> [UInt8] {
    guard let line else { return [] }
    try send()
    let bytes = try line.read(limit: limit)
    uncheckedBytes += bytes.count
    return bytes
  }

  public func write(_ bytes: [UInt8]) throws(PortError) {
    guard line != nil else {
      throw .lost(
        "\(settings.path) is closed, so nothing can be sent to the receiver; open it first")
    }
    guard output.count + bytes.count <= Self.maxOutput else {
      throw .lost(
        "\(settings.path) has not accepted \(Counted.text(output.count, "byte")) of commands; "
          + "the line is stuck. "
          + "Check the wiring, or replug the receiver")
    }
    output += bytes
    try send()
  }

  public func decoded(validFrames: Int, at now: BootInstant) throws(PortError) {
    let bytes = uncheckedBytes
    uncheckedBytes = 0
    guard let line, detector != nil else { return }
    if detector!.received(bytes: bytes, validFrames: validFrames, at: now) {
      try line.set(baud: speed)
    }
  }

  /// The detected speed stays: a receiver that slept has kept it.
  public func discardInput() {
    line?.discardInput()
    uncheckedBytes = 0
  }

  /// Commands that the kernel has accepted are still sent, for `SerialLine.closingTime` at most;
  /// those that wait for room in its buffer are dropped.
  public func close() {
    readErrorCounts()
    account.close()
    line?.close(baud: speed)
    line = nil
    output = []
    uncheckedBytes = 0
  }

  /// Writes as much as the kernel accepts now; the rest follows when there is room.
  private func send() throws(PortError) {
    guard let line, !output.isEmpty else { return }
    let taken = try line.write(output)
    output = output.dropFirst(taken)
    if output.isEmpty { output = [] }
  }
}

/// How to reach a receiver on a serial line.
public struct SerialSettings: Hashable, Sendable {
  /// Usually the symbolic link made by udev, so that renumbering does not matter.
  public var path: String
  /// One of `SerialSpeed.all`. Nil: try them until sentences with valid checksums arrive.
  public var baud: Int?

  public init(path: String = "/dev/gnss-receiver", baud: Int? = nil) {
    self.path = path
    self.baud = baud
  }

  /// Settings of the section receiver. The path is also that of the kernel's GNSS device.
  public mutating func declare(_ setting: SettingVisitor) {
    setting(
      "device", &path, .text(bytes: 1...255),
      "Serial line, or GNSS device of the kernel (/dev/gnss0). The udev rules of Godwit create "
        + "/dev/gnss-receiver, which stays the same when USB devices are renumbered.")
    setting(
      "baud", &baud,
      .optional(
        .integer(
          oneOf: [0, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]),
        noneAt: 0),
      "Speed of the serial line in baud. 0: try the usual speeds until sentences with correct "
        + "checksums arrive.")
  }
}
