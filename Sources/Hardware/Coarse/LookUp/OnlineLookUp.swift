import Glibc
import Platform
import Ports
import Core
import Records

/// A server on the Internet that computes the board's position from the access points and the cell
/// that it receives. It is queried only when the radio map gives no position, and less and less
/// often while the server gives none either, or refuses.
public final class OnlineLookUp: EvidencePort, LookUpPort {
  static let descriptor = EvidenceSourceDescriptor(
    "lookup", LookUpSettings.self, networkUse: { $0.url.map { _ in "lookup.url" } },
    examine: { findings($0) }, make: { OnlineLookUp($0) })

  /// The tracker's name for this source.
  public let name = "lookup"
  static let longestPause: Seconds = .hours(6)
  /// Longer than curl's own limit: a process that hangs all the same is killed.
  static let timeout: Seconds = 30

  private let url: String
  /// For messages: a URL may contain a key.
  private let host: String
  private let interval: Seconds
  private let now: () -> BootInstant
  private var running: (request: WebRequest, since: BootInstant)?
  private var openings = 0
  private var pause: Seconds
  private var mayAsk = BootInstant.zero
  /// A failure before the request could start.
  private var failure: PortError?
  /// The last reported failure; nil: none since the last success.
  private var lastReported: PortError?

  /// Nil if the settings name no server.
  public convenience init?(_ settings: LookUpSettings) {
    self.init(settings, now: { BootClock.now })
  }

  init?(_ settings: LookUpSettings, now: @escaping () -> BootInstant) {
    guard let url = settings.url, let host = settings.host else { return nil }
    self.url = url
    self.host = host
    interval = settings.interval
    self.now = now
    pause = interval
  }

  public var delivery: CoarseDelivery? { .occasional }

  /// Nothing is requested.
  private static func findings(_ settings: LookUpSettings) -> [Finding] {
    guard let host = settings.host else { return [] }
    guard hasProgram else {
      return [.warn("lookup", "the program curl is missing: install the package curl")]
    }
    return [
      .ok(
        "lookup",
        "\(host) receives the access points and the cell in range, in clear, when nothing else "
          + "locates the board; it was not queried now")
    ]
  }

  /// Whether curl is installed.
  private static var hasProgram: Bool {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return folders.split(separator: ":").contains {
      access("\($0)/\(WebRequest.program)", X_OK) == 0
    }
  }

  public var interest: Interest? {
    running.map { Interest($0.request.descriptor, opening: openings) }
  }

  public var due: BootInstant? { failure != nil ? .zero : running.map { $0.since + Self.timeout } }

  public func request(_ scan: AccessPointScan, cell: CellIdentity?) {
    let now = now()
    guard running == nil, now >= mayAsk, let request = LookUpRequest(scan, cell: cell) else {
      return
    }
    mayAsk = now + interval
    do throws(WebRequest.Failure) {
      running = (try WebRequest(url, body: request.body), now)
      openings += 1
    } catch {
      failure = refusal(error.text)
    }
  }

  public func poll() throws(PortError) -> Evidence? {
    let now = now()
    if let failure {
      self.failure = nil
      try fail(failure, at: now)
      return nil
    }
    guard let running else { return nil }
    guard running.request.hasAnswered || now - running.since >= Self.timeout else { return nil }
    self.running = nil
    let answer: LookUpAnswer
    do throws(WebRequest.Failure) {
      let (status, body) = try running.request.finish()
      answer = LookUpAnswer(status: status, body: body)
    } catch {
      answer = .refused(error.text)
    }
    return try take(answer, askedAt: running.since, at: now)
  }

  private func take(
    _ answer: LookUpAnswer, askedAt asked: BootInstant, at now: BootInstant
  ) throws(PortError) -> Evidence? {
    switch answer {
    case .located(let position, let accuracy):
      pause = interval
      lastReported = nil
      return .location(
        CoarseObservation(
          received: asked, time: nil, position: position, accuracy: accuracy, source: name))
    case .unknown:
      lastReported = nil
      wait(at: now)
      return nil
    case .refused(let why):
      try fail(refusal(why), at: now)
      return nil
    }
  }

  private func refusal(_ why: String) -> PortError {
    PortError("lookup.url: \(host) cannot be queried: \(why)")
  }

  /// - Throws: an error that is not reported yet.
  private func fail(_ error: PortError, at now: BootInstant) throws(PortError) {
    wait(at: now)
    guard error != lastReported else { return }
    lastReported = error
    throw error
  }

  private func wait(at now: BootInstant) {
    pause = min(pause * 2, max(Self.longestPause, interval))
    mayAsk = now + pause
  }
}
