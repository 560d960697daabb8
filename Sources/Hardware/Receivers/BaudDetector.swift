import Core

/// Finds the speed of a serial line from the decoder's result for its bytes.
///
/// It works on received bytes alone and needs no timer. A wrong speed shows as garbage, and silence
/// shows nothing: while a receiver is off or still booting the speed stays (gpsd goes on searching
/// through silence and is then at a wrong speed when the receiver wakes). The next speed is tried
/// when enough bytes or time brought nothing valid.
public struct BaudDetector: Equatable, Sendable {
  /// Valid frames that confirm the speed. One could be chance: an NMEA checksum has 8 bits.
  static let framesNeeded = 2
  /// A speed is wrong if this many bytes contain no valid frame; no usual burst is as long.
  static let wrongSpeedBytes = 1024
  /// Or if its first byte is this old: receivers send once a second, and the first burst may be
  /// incomplete.
  static let firstTimeout: Seconds = 1.5
  /// The timeout doubles each round, for receivers that send rarely, up to this.
  static let maxTimeout: Seconds = 12
  /// A confirmed speed is searched again after this many bytes without one valid frame: the
  /// receiver lost its settings with its power and fell back to the factory speed.
  static let recheckBytes = 8192

  /// The speed at which the line should be now.
  public private(set) var baud: Int
  /// Whether valid frames have been received at `baud`.
  private(set) var isConfirmed = false
  /// How often all speeds have been tried without success.
  private(set) var rounds = 0

  private let order: [Int]
  private var position = 0
  private var bytes = 0
  private var frames = 0
  private var firstByte: BootInstant?

  /// - Parameter likely: the last known speed, tried first.
  init(likely: Int? = nil) {
    // The factory speeds of u-blox M8 and MTK, of M9/M10 and recent modules, then the others.
    let usual = [
      9600, 115_200, 38_400, 4800, 57_600, 19_200, 230_400, 460_800, 921_600,
    ]
    let first = likely.map { usual.contains($0) ? [$0] : [] } ?? []
    order = first + usual.filter { $0 != likely }
    baud = order[0]
  }

  /// Handles what has been received since the last call: the number of bytes, and how many frames
  /// with a valid checksum (NMEA sentences or UBX frames) the decoder found in them.
  ///
  /// - Returns: whether `baud` has changed, so that the line must be set to it.
  mutating func received(bytes count: Int, validFrames: Int, at now: BootInstant) -> Bool {
    guard count > 0 else { return false }
    bytes += count
    frames += validFrames
    if isConfirmed {
      if validFrames > 0 { bytes = 0 }
      if bytes < Self.recheckBytes { return false }
      self = BaudDetector(likely: baud)
      moveOn()
      return true
    }
    let first = firstByte ?? now
    firstByte = first
    if frames >= Self.framesNeeded {
      isConfirmed = true
      bytes = 0
      return false
    }
    let isWrong = frames == 0 && bytes >= Self.wrongSpeedBytes
    // One valid frame gives the speed more time, but not for ever.
    if !isWrong && now - first < timeout * (frames == 0 ? 1 : 4) { return false }
    moveOn()
    return true
  }

  /// After the receiver's power was cut or the line reopened: an incomplete search starts again.
  mutating func restart() { self = BaudDetector(likely: baud) }

  private var timeout: Seconds {
    var timeout = Self.firstTimeout
    for _ in 0..<min(rounds, 4) { timeout = timeout * 2 }
    return min(timeout, Self.maxTimeout)
  }

  private mutating func moveOn() {
    position += 1
    if position == order.count {
      position = 0
      rounds += 1
    }
    baud = order[position]
    bytes = 0
    frames = 0
    firstByte = nil
  }
}
