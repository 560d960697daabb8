import GpioLines
import Platform
import Ports
import PowerControl
import Quantities
import Records

/// A motion sensor's line, as a source of evidence.
///
/// A shaken switch gives thousands of edges, and the board is to sleep nevertheless: after an edge
/// the line is not listened to for a while (`MotionSettings.mask`). What has come meanwhile waits
/// in the kernel's bounded queue and counts once, so that movement that goes on is reported every
/// time the mask ends. The first second of the mask is the same knock still bouncing, and does not
/// count: a lone knock has to remain one.
///
/// A line that cannot be had, or is lost, is tried again, less and less often; each cause is told
/// once.
public final class MotionLine: EvidencePort {
  /// By which the tracker knows it.
  public let name = "motion"
  /// Contacts bounce for milliseconds, and what was struck rings for some hundred. An
  /// accelerometer's pulse ends within it, too.
  static let knock = Seconds(1)
  static let firstPause = Seconds(5)
  static let maxPause = Seconds(300)
  /// A queue of 16 is empty after two; one that fills up again meanwhile is not waited for.
  static let maxTakes = 4

  private enum Phase {
    case closed(until: BootInstant)
    case listening
    /// Within the knock that was reported; the mask goes on until then.
    case knocked(until: BootInstant, unmasked: BootInstant)
    case masked(until: BootInstant)
  }

  private let now: () -> BootInstant
  private let request: () throws(EvidenceError) -> any EdgeQueue
  private let explain: (GpioRefusal, _ path: String) -> EvidenceError
  private let mask: Seconds
  private var queue: (any EdgeQueue)?
  private var phase = Phase.closed(until: .zero)
  private var openings = 0
  private var heldSince = BootInstant.zero
  private var pause = MotionLine.firstPause
  /// The failure that was told last.
  private var told: EvidenceError?

  /// Nil: the settings name no line. It is requested when the loop first serves it.
  /// - Parameter devices: the folder of the chips' devices.
  public convenience init?(_ settings: MotionSettings, devices: String = "/dev") {
    guard let search = MotionLineSearch(settings, devices: devices) else { return nil }
    self.init(
      mask: settings.mask, now: { BootClock.now },
      explain: { refusal, path in search.refused(refusal, path: path, holder: nil) },
      request: { () throws(EvidenceError) in try search.request() })
  }

  init(
    mask: Seconds, now: @escaping () -> BootInstant,
    explain: @escaping (GpioRefusal, _ path: String) -> EvidenceError,
    request: @escaping () throws(EvidenceError) -> any EdgeQueue
  ) {
    self.mask = mask
    self.now = now
    self.explain = explain
    self.request = request
  }

  /// What can be learnt about the line without requesting it; nil: the settings name none.
  public static func examine(_ settings: MotionSettings, devices: String = "/dev") -> LineCheck? {
    MotionLineSearch(settings, devices: devices)?.examine()
  }

  public var interest: Interest? {
    guard let queue else { return nil }
    if case .listening = phase { return Interest(queue.descriptor, opening: openings) }
    return Interest(queue.descriptor, opening: openings, reads: false)
  }

  public var due: BootInstant? {
    switch phase {
    case .closed(let next): next
    case .listening: nil
    case .knocked(let end, _): end
    case .masked(let end): end
    }
  }

  public func poll() throws(EvidenceError) -> Evidence? {
    let now = now()
    if let due, now < due { return nil }
    switch phase {
    case .closed:
      try open(at: now)
      return nil
    case .listening, .masked:
      guard let edges = try take(at: now) else { return nil }
      guard edges > 0 else {
        phase = .listening
        return nil
      }
      phase = .knocked(until: now + Self.knock, unmasked: now + mask)
      return .motion
    case .knocked(_, let unmasked):
      guard try take(at: now) != nil else { return nil }
      phase = .masked(until: unmasked)
      return nil
    }
  }

  private func open(at now: BootInstant) throws(EvidenceError) {
    do {
      queue = try request()
      openings += 1
      heldSince = now
      phase = .listening
    } catch {
      try fail(error, at: now)
    }
  }

  /// Empties the queue, unless the line chatters faster than edges are taken.
  /// - Returns: how many there were; nil: the line is lost.
  private func take(at now: BootInstant) throws(EvidenceError) -> Int? {
    guard let queue else { return nil }
    var sum = 0
    do throws(GpioRefusal) {
      for _ in 0..<Self.maxTakes {
        let taken = try queue.take()
        guard taken > 0 else { break }
        sum += taken
      }
    } catch {
      self.queue = nil
      if now - heldSince > Self.maxPause {
        pause = Self.firstPause
        told = nil
      }
      try fail(explain(error, queue.path), at: now)
      return nil
    }
    return sum
  }

  /// - Throws: what people do not know yet.
  private func fail(_ error: EvidenceError, at now: BootInstant) throws(EvidenceError) {
    phase = .closed(until: now + pause)
    pause = min(pause * 2, Self.maxPause)
    guard error != told else { return }
    told = error
    throw error
  }
}
