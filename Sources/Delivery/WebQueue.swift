/// What waits for one receiver of web requests, as far as it is in memory, and how much of it goes
/// at once.
///
/// A receiver may fail at one message for ever. Such a one must not stand in the way of all others,
/// and one that fails at everything is no reason to suspect a message: suspect is what it failed at
/// just before it took another.
struct WebQueue: Sendable {
  /// Asked of the outbox at once.
  static let portion = 200
  /// By which a request grows after one that arrived, and shrinks with every failure before.
  private static let step = 4
  /// Suspects are tried at a visit, after all others.
  private static let mostSuspects = 3
  /// So often at a suspect, and it is given up.
  static let mostFailures = 10

  let plan: WebPlan
  private var items: ArraySlice<OutboxItem> = []
  private var suspects: ArraySlice<OutboxItem> = []
  private(set) var underWay: [OutboxItem] = []
  private var isAsking = false
  private var isExhausted = false
  private var lastFetched: Int64 = 0
  /// Items in the next request.
  private var size: Int
  /// What the receiver failed at, or refused, since it took something; of those why.
  private var doubtful: [(item: OutboxItem, refusal: String?)] = []
  /// With so many it is the receiver that fails, or is another one than was meant.
  private let mostDoubtful: Int
  /// Whether anything has arrived at this visit.
  private var hasTaken = false
  private(set) var isOver = false

  /// - Parameter failures: in a row, at earlier visits. What is too much for the receiver, or has
  ///   something in it that it fails at, goes in smaller requests each time, at last alone, and
  ///   more of those that it fails at are left out in search of one that passes.
  init(_ plan: WebPlan, failures: Int) {
    self.plan = plan
    size = plan.mostItems
    mostDoubtful = 1 + min(max(failures, 0), 8)
    for _ in 0..<min(max(failures, 0), 8) { size = max(size / Self.step, 1) }
  }

  /// After which item the outbox is to be asked for more; nil: it need not be.
  mutating func ask() -> Int64? {
    guard items.isEmpty, underWay.isEmpty, !isAsking, !isExhausted, !isOver else { return nil }
    isAsking = true
    return lastFetched
  }

  mutating func take(_ answer: [OutboxItem]) {
    isAsking = false
    isExhausted = answer.count < Self.portion
    lastFetched = answer.last?.number ?? lastFetched
    items = answer.filter { $0.failures == 0 }[...]
    let free = Self.mostSuspects - suspects.count
    suspects += answer.filter { $0.failures > 0 }.prefix(max(free, 0))
  }

  /// What goes next; empty: nothing now.
  mutating func next() -> [OutboxItem] {
    guard !isOver, underWay.isEmpty, !isAsking else { return [] }
    if !items.isEmpty {
      underWay = Array(items.prefix(size))
      items = items.dropFirst(underWay.count)
    } else if isExhausted {
      // Those that nothing has passed after are no suspects.
      doubtful = []
      underWay = suspects.popFirst().map { [$0] } ?? []
      isOver = underWay.isEmpty
    }
    return underWay
  }

  /// - Returns: what has become of what was under way, and of what is suspect now.
  mutating func arrived() -> [DeliveryResult] {
    hasTaken = true
    size = min(size * Self.step, plan.mostItems)
    let suspect = doubtful.map { item, refusal in
      DeliveryResult(item.number, refusal.map { .refused($0) } ?? .failed)
    }
    doubtful = []
    defer { underWay = [] }
    return suspect + underWay.map { DeliveryResult($0.number, .received) }
  }

  /// Takes the request back, to be sent in smaller ones.
  ///
  /// - Returns: false: it is a single item, which stays under way.
  mutating func split(into most: Int) -> Bool {
    guard underWay.count > 1 else { return false }
    size = max(most, 1)
    items = ArraySlice(underWay) + items
    underWay = []
    return true
  }

  /// The receiver refuses a single item: should it take another one, it will never take this.
  ///
  /// - Returns: false: there is nothing else that it might take.
  mutating func refuse(_ why: String) -> Bool {
    guard let item = underWay.first, doubtful.count < max(mostDoubtful, Self.mostRefused),
      !items.isEmpty || !isExhausted
    else { return false }
    doubtful.append((item, "\(why) (\(item.payload.count) bytes)"))
    underWay = []
    return true
  }

  /// In a row.
  private static let mostRefused = 3

  /// The receiver fails at a single item: leaves it out at this visit.
  ///
  /// - Parameter onlyAfterArrival: whether a suspect fails only where another item has arrived at
  ///   this visit.
  /// - Returns: nil: it is more than one, or there is nothing else that might pass.
  mutating func skip(_ why: String, onlyAfterArrival: Bool = false) -> [DeliveryResult]? {
    guard underWay.count == 1, let item = underWay.first else { return nil }
    guard item.failures == 0 else {
      guard hasTaken || !onlyAfterArrival else { return nil }
      underWay = []
      let isLast = item.failures + 1 >= Self.mostFailures
      return [DeliveryResult(item.number, isLast ? .refused(why) : .failed)]
    }
    guard doubtful.count < mostDoubtful, !items.isEmpty || !isExhausted else { return nil }
    doubtful.append((item, nil))
    underWay = []
    return []
  }

  /// Nothing more goes out at this visit.
  mutating func stop() {
    isOver = true
    items = []
    suspects = []
    underWay = []
  }
}
