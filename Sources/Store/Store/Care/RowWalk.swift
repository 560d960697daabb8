import Ports

/// Visits every row of a table that can be reached in a damaged file.
///
/// SQLite finds a row by its id through a tree of pages. If one of them is damaged, sequential
/// reading fails, but a row beyond may still be found by its id. So the rows are read from both
/// ends up to the damage, and the range between is bisected, the widest part first, until nothing
/// more is found for a while.
struct RowWalk {
  /// A range of ids, both ends included, of which no row could be read.
  struct Gap: Hashable, Sendable {
    let first: Int64
    let last: Int64

    static let all = Gap(first: .min, last: .max)

    fileprivate var middle: Int64 {
      first &+ Int64(bitPattern: UInt64(bitPattern: last &- first) / 2)
    }

    /// The parts below and above an id; nil if empty.
    fileprivate func below(_ id: Int64) -> Gap? {
      first < id ? Gap(first: first, last: id - 1) : nil
    }
    fileprivate func above(_ id: Int64) -> Gap? {
      id < last ? Gap(first: id + 1, last: last) : nil
    }
  }

  /// The unread ranges, in order.
  private(set) var gaps: [Gap] = []

  private let forward: Statement
  private let backward: Statement
  /// All rows in the order of the pages, from both ends.
  private let ordered: [Statement]
  private let maxRows: Int64
  private var queue: [Gap] = []
  private var abandoned: [Gap] = []
  private var queriesLeft = 0

  /// Queries without a result after which a gap between rows is abandoned; an open-ended gap gets
  /// more queries, as its rows can be anywhere.
  private static let maxQueries = 4096
  private static let maxOpenQueries = 65_536
  /// Added for every result: near one row there may be more.
  private static let extraQueries = 1024

  /// - Parameter select: a query of all rows, their id first, without WHERE and ORDER.
  init(_ connection: Connection, _ select: String) throws(PortError) {
    let rows = select + " WHERE id >= ?1 AND id <= ?2 ORDER BY id"
    forward = try connection.prepareOnce(rows)
    backward = try connection.prepareOnce(rows + " DESC")
    ordered = [
      try connection.prepareOnce(select + " ORDER BY id"),
      try connection.prepareOnce(select + " ORDER BY id DESC"),
    ]
    let pages = try connection.integer("PRAGMA page_count") ?? 0
    let pageSize = try connection.integer("PRAGMA page_size") ?? 0
    maxRows = pages * (pageSize / Self.minRowSize)
  }

  /// The least space of a row in a page (sqlite.org/fileformat2.html, 1.6).
  private static let minRowSize: Int64 = 8

  /// Calls `visit` with every row in the order of the pages, once or more: if a page was written in
  /// place of another, its rows are not found by their ids.
  func runThroughPages(_ visit: (Statement) throws(PortError) -> Void) throws(PortError) {
    for statement in ordered {
      defer { statement.reset() }
      var rows: Int64 = 0
      do {
        // A damaged page may lead into a loop.
        while rows < maxRows, try statement.step() {
          rows += 1
          try visit(statement)
        }
      } catch {
        guard error.isDamage else { throw error }
      }
    }
  }

  /// Calls `visit` with every row, once, mostly in the order of the ids.
  mutating func run(_ visit: (Statement) throws(PortError) -> Void) throws(PortError) {
    guard let upper = try read(forward, .all, visit),
      let gap = try read(backward, upper, visit)
    else { return }
    let isOpen = gap.first == .min || gap.last == .max
    queriesLeft = isOpen ? Self.maxOpenQueries : Self.maxQueries
    queue = isOpen ? Self.steps(in: gap) : [gap]
    try search(visit)
    gaps = Self.joined(abandoned + queue)
  }

  /// Reads the rows of a gap from one end up to the damage.
  ///
  /// - Returns: the rest of the gap; nil if all was read.
  private func read(
    _ statement: Statement, _ gap: Gap, _ visit: (Statement) throws(PortError) -> Void
  ) throws(PortError) -> Gap? {
    let isForward = statement === forward
    var rest: Gap? = gap
    statement.reset()
    statement.bind(1, gap.first)
    statement.bind(2, gap.last)
    defer { statement.reset() }
    while true {
      do {
        guard let isThere = try statement.stepUnlessDamaged() else { return rest }
        guard isThere else { return nil }
      } catch {
        guard error.isDamage else { throw error }
        return rest
      }
      // A damaged page may lead into a loop.
      guard let id = statement.integer(0), let open = rest, (open.first...open.last).contains(id)
      else { return rest }
      rest = isForward ? open.above(id) : open.below(id)
      try visit(statement)
    }
  }

  /// Bisects the gaps, in the order in which they were found.
  private mutating func search(
    _ visit: (Statement) throws(PortError) -> Void
  ) throws(PortError) {
    var next = 0
    while next < queue.count, queriesLeft > 0 {
      let gap = queue[next]
      next += 1
      queriesLeft -= 1
      let middle = gap.middle
      let upper = Gap(first: middle, last: gap.last)
      let rest = try read(forward, upper, visit)
      if rest == upper {
        // No row from the middle on: it is as damaged as the rest.
        queue += [gap.below(middle), gap.above(middle)].compactMap { $0 }
        abandoned.append(Gap(first: middle, last: middle))
      } else {
        queriesLeft += Self.extraQueries
        // Everything from the middle to here is read, so the part below may be read downwards.
        if let rest { queue.append(rest) }
        if let lower = gap.below(middle), let rest = try read(backward, lower, visit) {
          queue.append(rest)
        }
      }
    }
    queue.removeFirst(next)
  }

  /// An open-ended gap, in pieces that double in size away from the known end, or from zero.
  private static func steps(in gap: Gap) -> [Gap] {
    var pieces: [Gap] = []
    var rest = gap
    let isUpward = gap.first != .min || gap.last == .max
    if gap == .all { rest = Gap(first: 0, last: .max) }
    for power in 0..<63 {
      let width: Int64 = 1 << Int64(power)
      if isUpward {
        let (end, overflows) = rest.first.addingReportingOverflow(width - 1)
        guard !overflows, let more = rest.above(end) else { break }
        pieces.append(Gap(first: rest.first, last: end))
        rest = more
      } else {
        let (start, overflows) = rest.last.subtractingReportingOverflow(width - 1)
        guard !overflows, let more = rest.below(start) else { break }
        pieces.append(Gap(first: start, last: rest.last))
        rest = more
      }
    }
    pieces.append(rest)
    return gap == .all ? pieces + [Gap(first: .min, last: -1)] : pieces
  }

  /// Joins adjacent gaps.
  private static func joined(_ pieces: [Gap]) -> [Gap] {
    var joined: [Gap] = []
    for piece in pieces.sorted(by: { $0.first < $1.first }) {
      if let last = joined.last, last.last == piece.first &- 1 {
        joined[joined.count - 1] = Gap(first: last.first, last: piece.last)
      } else {
        joined.append(piece)
      }
    }
    return joined
  }
}

extension PortError {
  /// Whether a part of the file is unreadable, because of its content or a failing disk.
  var isDamage: Bool {
    switch self {
    case .corrupt, .failed: true
    default: false
    }
  }
}
