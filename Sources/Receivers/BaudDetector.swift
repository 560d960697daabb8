import Quantities

/// Finds the speed of a serial line from what the decoder makes of its bytes.
///
/// It runs on arriving bytes alone and needs no timer. A receiver at another speed is heard as
/// garbage, so silence says nothing about the speed: a receiver that is off or still booting is
/// waited for where we are (gpsd hunts through silence and is then at a wrong speed when the
/// receiver wakes). A speed is left when it has had a fair chance and gave nothing valid.
public struct BaudDetector: Equatable, Sendable {
  /// Checksummed frames that settle the speed. One could be chance: an NMEA checksum has 8 bits.
  public static let framesNeeded = 2
  /// A speed is wrong when this many bytes held no valid frame; more than any usual burst needs.
  static let hopelessBytes = 1024
  /// Or when its first byte is this old: receivers speak once a second, and the first burst that
  /// is heard may be the tail of one.
  static let firstPatience: Seconds = 1.5
  /// Patience doubles each time round, for receivers that speak seldom, up to this.
  static let mostPatience: Seconds = 12
  /// A settled speed is doubted after this many bytes without one valid frame: the receiver lost
  /// its settings with its power and fell back to the speed of the factory.
  static let doubtBytes = 8192

  /// The speed at which the line should be now.
  public private(set) var baud: Int
  /// Whether valid frames have been heard at `baud`.
  public private(set) var isSettled = false
  /// How often all speeds have been tried in vain.
  public private(set) var rounds = 0

  private let order: [Int]
  private var position = 0
  private var bytes = 0
  private var frames = 0
  private var firstByte: BootInstant?

  /// - Parameter likely: the speed of last time, tried first.
  public init(likely: Int? = nil) {
    // The factory speeds of u-blox M8 and MTK, of M9/M10 and recent modules, then the rest.
    let usual = [
      9600, 115_200, 38_400, 4800, 57_600, 19_200, 230_400, 460_800, 921_600,
    ]
    let first = likely.map { usual.contains($0) ? [$0] : [] } ?? []
    order = first + usual.filter { $0 != likely }
    baud = order[0]
  }

  /// Takes what has been heard since the last call: the number of bytes, and how many frames with a
  /// good checksum (NMEA sentences or UBX frames) the decoder found in them.
  ///
  /// - Returns: whether `baud` has changed, so that the line must be set to it.
  public mutating func heard(bytes count: Int, validFrames: Int, at now: BootInstant) -> Bool {
    guard count > 0 else { return false }
    bytes += count
    frames += validFrames
    if isSettled {
      if validFrames > 0 { bytes = 0 }
      if bytes < Self.doubtBytes { return false }
      self = BaudDetector(likely: baud)
      moveOn()
      return true
    }
    let first = firstByte ?? now
    firstByte = first
    if frames >= Self.framesNeeded {
      isSettled = true
      bytes = 0
      return false
    }
    let hopeless = frames == 0 && bytes >= Self.hopelessBytes
    // One valid frame earns the speed more time, not for ever.
    if !hopeless && now - first < patience * (frames == 0 ? 1 : 4) { return false }
    moveOn()
    return true
  }

  /// After the receiver's power was cut or the line reopened: what was half heard is void.
  public mutating func restart() { self = BaudDetector(likely: baud) }

  private var patience: Seconds {
    var patience = Self.firstPatience
    for _ in 0..<min(rounds, 4) { patience = patience * 2 }
    return min(patience, Self.mostPatience)
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
