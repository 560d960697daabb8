import Delivery
import Glibc
import Platform
import Ports
import Core

/// Uploads by HTTP(S) through libcurl, which is loaded with the first request. Connections are kept
/// for the next request, and all certificates are checked.
///
/// Timeouts are libcurl's, whose clock stops while the board is suspended. If a server has closed a
/// kept connection meanwhile, it may get a request twice: requests have to tolerate that.
public final class WebUploader: UploadPort {
  public let name = "HTTP"
  private let options: HTTPOptions
  private let now: () -> BootInstant
  private var engine: TransferEngine?
  private var openings = 0
  private var results: [(number: Int, result: Result<UploadAnswer, UploadFailure>)] = []
  private var lastNumber = 0
  /// Traffic of engines that were closed.
  private var past = Traffic.zero

  public convenience init(_ options: HTTPOptions) {
    self.init(options, now: { BootClock.now })
  }

  init(_ options: HTTPOptions, now: @escaping () -> BootInstant) {
    self.options = options
    self.now = now
  }

  public var interest: Interest? {
    engine.map { Interest($0.descriptor, opening: openings) }
  }

  public var due: BootInstant? { results.isEmpty ? engine?.due : .zero }

  public var awaitsReply: Bool { (engine?.count ?? 0) > 0 }

  public var hasRoom: Bool { (engine?.count ?? 0) + results.count < options.mostAtOnce }

  public func begin(_ request: UploadRequest) -> Int? {
    guard hasRoom else { return nil }
    lastNumber += 1
    do throws(UploadFailure) {
      try running(for: request).begin(request, number: lastNumber)
    } catch {
      results.append((lastNumber, .failure(error)))
    }
    return lastNumber
  }

  private func running(for request: UploadRequest) throws(UploadFailure) -> TransferEngine {
    if let engine { return engine }
    do throws(EngineError) {
      // With CURLOPT_NOSIGNAL libcurl does not handle SIGPIPE; a closed pipe is then an error like
      // any other.
      if !SignalAction.isIgnored(SIGPIPE) { signal(SIGPIPE, SIG_IGN) }
      let made = try TransferEngine(options, now: now)
      engine = made
      openings += 1
      return made
    } catch {
      throw UploadFailure(error.cause, at: request.address, detail: error.text)
    }
  }

  public func poll() -> (number: Int, result: Result<UploadAnswer, UploadFailure>)? {
    if results.isEmpty, let engine { results = engine.act() }
    return results.isEmpty ? nil : results.removeFirst()
  }

  public func cancel(_ number: Int) {
    results.removeAll { $0.number == number }
    engine?.cancel(number)
  }

  public var traffic: Traffic { past + (engine?.traffic ?? .zero) }

  /// Closes all connections and cancels requests in progress; the library stays loaded.
  public func close() {
    past = traffic
    engine = nil
    results = []
  }
}
