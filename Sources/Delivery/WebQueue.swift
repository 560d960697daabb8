/// The waiting messages for one receiver of web requests, as far as they are in memory, and how
/// many are sent at once.
///
/// A receiver may fail at one message for ever. Such a message must not block all others. But a
/// receiver that fails at everything makes no message suspect: suspects are only those that failed
/// just before another was accepted.
struct WebQueue: Sendable {
  /// Limit of items fetched from the outbox at once.
  static let portion = 200
  /// Factor by which a request grows after a success, and shrinks with every earlier failure.
  private static let step = 4
  /// Suspects tried per run, after all others.
  private static let mostSuspects = 3
  /// Limit of failures of a suspect; then it is abandoned.
  static let mostFailures = 10

  let plan: WebPlan
  private var items: ArraySlice<OutboxItem> = []
  private var suspects: ArraySlice<OutboxItem> = []
  private(set) var inFlight: [OutboxItem] = []
  private var isFetching = false
  private var isExhausted = false
  private var lastFetched: Int64 = 0
  /// Items in the next request.
  private var size: Int
  /// Items that failed or were refused since the last success; for refused ones with the reason.
  private var unresolved: [(item: OutboxItem, refusal: String?)] = []
  /// Limit of these: beyond it the receiver itself fails, or is the wrong one.
  private let maxUnresolved: Int
  /// Whether anything has arrived in this run.
  private var hasArrived = false
  private(set) var isOver = false

  /// - Parameter failures: in a row, in earlier runs. Requests that are too large, or contain an
  ///   item that fails, become smaller each time, at last single items, and more failing items are
  ///   skipped in search of one that passes.
  init(_ plan: WebPlan, failures: Int) {
    self.plan = plan
    size = plan.mostItems
    maxUnresolved = 1 + min(max(failures, 0), 8)
    for _ in 0..<min(max(failures, 0), 8) { size = max(size / Self.step, 1) }
  }

  /// The item after which to fetch more from the outbox; nil: not needed.
  mutating func beginFetch() -> Int64? {
    guard items.isEmpty, inFlight.isEmpty, !isFetching, !isExhausted, !isOver else { return nil }
    isFetching = true
    return lastFetched
  }

  mutating func receive(_ answer: [OutboxItem]) {
    isFetching = false
    isExhausted = answer.count < Self.portion
    lastFetched = answer.last?.number ?? lastFetched
    items = answer.filter { $0.failures == 0 }[...]
    let free = Self.mostSuspects - suspects.count
    suspects += answer.filter { $0.failures > 0 }.prefix(max(free, 0))
  }

  /// The next items to send; empty: none now.
  mutating func next() -> [OutboxItem] {
    guard !isOver, inFlight.isEmpty, !isFetching else { return [] }
    if !items.isEmpty {
      inFlight = Array(items.prefix(size))
      items = items.dropFirst(inFlight.count)
    } else if isExhausted {
      // Without a success after them they are not suspects.
      unresolved = []
      inFlight = suspects.popFirst().map { [$0] } ?? []
      isOver = inFlight.isEmpty
    }
    return inFlight
  }

  /// - Returns: the results for the items in flight, and for the present suspects.
  mutating func arrived() -> [DeliveryResult] {
    hasArrived = true
    size = min(size * Self.step, plan.mostItems)
    let suspect = unresolved.map { item, refusal in
      DeliveryResult(item.number, refusal.map { .refused($0) } ?? .failed)
    }
    unresolved = []
    defer { inFlight = [] }
    return suspect + inFlight.map { DeliveryResult($0.number, .received) }
  }

  /// Takes the request back, to be sent in smaller ones.
  ///
  /// - Returns: false: it is a single item, which stays in flight.
  mutating func split(into most: Int) -> Bool {
    guard inFlight.count > 1 else { return false }
    size = max(most, 1)
    items = ArraySlice(inFlight) + items
    inFlight = []
    return true
  }

  /// The receiver refuses a single item: if it accepts another one, the refusal is final.
  ///
  /// - Returns: false: there is no other item that it might accept.
  mutating func refuse(_ why: String) -> Bool {
    guard let item = inFlight.first, unresolved.count < max(maxUnresolved, Self.mostRefused),
      !items.isEmpty || !isExhausted
    else { return false }
    unresolved.append((item, "\(why) (\(item.payload.count) bytes)"))
    inFlight = []
    return true
  }

  /// In a row.
  private static let mostRefused = 3

  /// The receiver fails at a single item, which is skipped in this run.
  ///
  /// - Parameter onlyAfterArrival: whether a suspect counts as failed only if another item has
  ///   arrived in this run.
  /// - Returns: nil: it is more than one, or there is no other item that might pass.
  mutating func skip(_ why: String, onlyAfterArrival: Bool = false) -> [DeliveryResult]? {
    guard inFlight.count == 1, let item = inFlight.first else { return nil }
    guard item.failures == 0 else {
      guard hasArrived || !onlyAfterArrival else { return nil }
      inFlight = []
      let isLast = item.failures + 1 >= Self.mostFailures
      return [DeliveryResult(item.number, isLast ? .refused(why) : .failed)]
    }
    guard unresolved.count < maxUnresolved, !items.isEmpty || !isExhausted else { return nil }
    unresolved.append((item, nil))
    inFlight = []
    return []
  }

  /// Nothing more is sent in this run.
  mutating func stop() {
    isOver = true
    items = []
    suspects = []
    inFlight = []
  }
}
