import Platform
import Ports
import Core
import Records

/// The loop's watch over one descriptor, an endpoint's or a connection's: follows what it waits
/// for, and leaves it alone for a while when nothing comes of it.
///
/// The loop is level-triggered: a descriptor that stays ready and gives nothing (a driver that
/// reports an error which no read clears) would keep it busy for ever. After many wakes in a row
/// without anything it is left alone, longer each time, until something comes again.
public final class EndpointWatch {
  static let firstRest = Seconds(1)
  static let maxRest = Seconds(60)

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
  private var rest = EndpointWatch.firstRest
  private var isResting = false

  /// - Parameters:
  ///   - kind: for messages, in a word.
  ///   - fruitlessLimit: after so many wakes in a row that nothing came of, it is left alone for a
  ///     while.
  ///   - interest: what it waits for now.
  ///   - onLog: called with what people should know.
  ///   - serve: deals with what is there; says whether anything was.
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

  /// It may wait for something else by now.
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
    rest = Self.firstRest
    isResting = false
    guard let descriptor else { return failure = nil }
    do {
      timer = try loop.timer { [unowned self] in
        isResting = false
        expect()
      }
      source = try loop.watch(descriptor) { [weak self] in self?.isReady() }
      failure = nil
    } catch {
      // Out of descriptors or memory: the next turn tries again.
      let why = "its descriptor is not watched: \(error.message)"
      if why != failure { onLog(LogEvent("\(kind)-failed", why, level: .warning)) }
      failure = why
    }
  }

  private func expect() {
    source?.expect(
      reads: !isResting && watched?.reads ?? false, writes: !isResting && watched?.writes ?? false)
  }

  private func isReady() {
    let served = source
    let isFruitful = serve()
    // What was served may be gone, or another one by now.
    guard served === source else { return }
    guard !isFruitful else {
      fruitless = 0
      rest = Self.firstRest
      return
    }
    fruitless += 1
    guard fruitless >= fruitlessLimit else { return }
    isResting = true
    expect()
    timer?.set(at: BootClock.now + rest)
    rest = min(rest * 2, Self.maxRest)
    guard fruitless == fruitlessLimit else { return }
    let reason = "its descriptor stays ready and gives nothing; it is looked at less often now"
    onLog(LogEvent("\(kind)-stuck", reason, level: .warning))
  }
}
