import Platform
import Ports
import Core
import Records

/// The loop's watch of one descriptor, an endpoint's or a connection's. It follows the interest,
/// and backs off when wakes are fruitless.
///
/// The loop is level-triggered: a descriptor that stays ready without data (a driver that reports
/// an error which no read clears) would keep it busy endlessly. After many consecutive fruitless
/// wakes it is paused, longer each time, until data arrive again.
public final class EndpointWatch {
  static let firstPause = Seconds(1)
  static let maxPause = Seconds(60)

  private let kind: String
  private let fruitlessLimit: Int
  private let interest: () -> Interest?
  private let loop: EventLoop
  private let onLog: (LogEvent) -> Void
  private let serve: () -> Bool
  private var source: EventSource?
  private var timer: EventSource?
  /// What the loop waits for at present.
  private var watched: Interest?
  /// Why the loop cannot watch it; nil while it can.
  public private(set) var failure: String?
  private var fruitless = 0
  private var pause = EndpointWatch.firstPause
  private var isPaused = false

  /// - Parameters:
  ///   - kind: a word for messages.
  ///   - fruitlessLimit: after so many consecutive wakes without a result, it is paused for a
  ///     while.
  ///   - interest: what it waits for now.
  ///   - onLog: called with what people should know.
  ///   - serve: handles what is there; returns whether there was anything.
  public init(
    _ kind: String, fruitlessLimit: Int, on loop: EventLoop,
    interest: @escaping () -> Interest?, onLog: @escaping (LogEvent) -> Void,
    serve: @escaping () -> Bool
  ) {
    self.kind = kind
    self.fruitlessLimit = fruitlessLimit
    self.interest = interest
    self.loop = loop
    self.onLog = onLog
    self.serve = serve
  }

  convenience init(
    _ endpoint: any Endpoint, on loop: EventLoop, onLog: @escaping (LogEvent) -> Void,
    serve: @escaping () -> Bool
  ) {
    self.init(
      endpoint.kind, fruitlessLimit: endpoint.fruitlessLimit, on: loop,
      interest: { endpoint.interest }, onLog: onLog, serve: serve)
  }

  /// Applies a changed interest.
  public func update() {
    let interest = interest()
    guard interest != watched else { return }
    if interest?.descriptor != watched?.descriptor || interest?.opening != watched?.opening {
      rewatch(interest?.descriptor)
    }
    watched = source == nil ? nil : interest
    expect()
  }

  private func rewatch(_ descriptor: Int32?) {
    source?.end()
    source = nil
    timer = nil
    fruitless = 0
    pause = Self.firstPause
    isPaused = false
    guard let descriptor else { return failure = nil }
    do {
      timer = try loop.timer { [unowned self] in
        isPaused = false
        expect()
      }
      source = try loop.watch(descriptor) { [weak self] in self?.isReady() }
      failure = nil
    } catch {
      // Out of descriptors or memory: the next step tries again.
      let why = "its descriptor is not monitored: \(error.message)"
      if why != failure { onLog(LogEvent("\(kind)-failed", why, level: .warning)) }
      failure = why
    }
  }

  private func expect() {
    source?.expect(
      reads: !isPaused && watched?.reads ?? false, writes: !isPaused && watched?.writes ?? false)
  }

  private func isReady() {
    let served = source
    let isFruitful = serve()
    // The source may have ended or been replaced while it was served.
    guard served === source else { return }
    guard !isFruitful else {
      fruitless = 0
      pause = Self.firstPause
      return
    }
    fruitless += 1
    guard fruitless >= fruitlessLimit else { return }
    isPaused = true
    expect()
    timer?.set(at: BootClock.now + pause)
    pause = min(pause * 2, Self.maxPause)
    guard fruitless == fruitlessLimit else { return }
    let reason = "its descriptor stays ready without data; it is checked less often now"
    onLog(LogEvent("\(kind)-stuck", reason, level: .warning))
  }
}
