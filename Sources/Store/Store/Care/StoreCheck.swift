import Ports
import Core
import Records

/// Checks a whole store without changing it, also while the daemon writes: is the file undamaged,
/// is it a GeoPackage, is every row readable, and are the rows consistent with each other?
public struct StoreCheck: Sendable {
  /// The first of each kind.
  public private(set) var problems: [StoreProblem] = []
  /// How many more of each kind there are.
  public private(set) var omitted: [StoreProblem.Kind: Int] = [:]
  /// The readable rows of each table.
  public private(set) var rows: [(table: String, count: Int)] = []
  /// Size on disk, with the log.
  public private(set) var bytes = 0
  /// Space of deleted records in it, which new ones reuse.
  public private(set) var freeBytes = 0

  public var isSound: Bool { problems.isEmpty }

  /// Whether `StoreRepair` can improve the file.
  public var needsRepair: Bool {
    problems.contains { $0.kind != .reference && $0.kind != .order }
  }

  /// Why a daemon should not go on with the store.
  public var obstacle: StoreProblem? { problems.first(where: \.isObstacle) }

  /// Number of problems, including those that are not listed.
  public var problemCount: Int { omitted.values.reduce(problems.count, +) }

  /// Limit of listed problems of each kind.
  private static let listed = 50

  /// - Throws: `failed` if there is no such file or it is another program's, `newer`, `readOnly`,
  ///   `busy`. A damaged file is not an error but a result.
  public init(path: String) throws(PortError) { try self.init(path: path, name: path) }

  /// - Parameter name: the file's name in messages, if its path is temporary.
  init(path: String, name: String) throws(PortError) {
    bytes = StoreFiles(path).bytes
    do {
      let connection = try StoreReader.connection(path, name: name)
      try connection.freeze()
      try examine(connection)
    } catch {
      guard case .corrupt = error else { throw error }
      add(StoreProblem(.damage, "the file cannot be opened: \(error.message)"))
    }
  }

  private mutating func examine(_ connection: Connection) throws(PortError) {
    try examineFile(connection)
    if let objection = try Migration.objection(in: connection) { return add(objection) }
    let applied = try Migration.appliedCount(Migration.all, in: connection)
    let comparison = try SchemaComparison(of: connection, applied: applied)
    comparison.objections.forEach { add($0) }
    // Reading such an object would run its SQL.
    guard !comparison.objections.contains(where: \.concernsReading) else { return }
    if problems.isEmpty {
      for index in try connection.spatialIndexes() {
        guard let text = try connection.problem(ofSpatialIndex: index) else { continue }
        add(StoreProblem(.damage, in: index, "the spatial index \(index) is damaged: \(text)"))
      }
    }
    if applied < Migration.all.count {
      add(
        StoreProblem(
          .schema, in: "migrations",
          "the store is empty or of an older godwit; start the daemon once to bring it up to date"))
      guard applied > 0 else { return }
    }
    var schema = SchemaCheck(connection)
    let schemaProblems = try schema.run(comparison)
    // The daemon adds what an older store lacks when it migrates the store.
    if applied == Migration.all.count { schemaProblems.forEach { add($0) } }
    var boxes: [String: Extent] = [:]
    // An older store has other columns than those that are read.
    for table in Table.examined where applied == Migration.all.count && schema.has(table) {
      boxes[table.name] = try examine(table, connection)
    }
    for layer in Record.lineLayers { boxes[layer.name] = boxes[layer.points.name] }
    // The effects of a damaged page were reported already.
    guard !problems.contains(where: { $0.kind == .damage || $0.kind == .schema }) else { return }
    try RowRelations(connection).problems().forEach { add($0) }
    try examine(boxes, connection)
  }

  private mutating func examineFile(_ connection: Connection) throws(PortError) {
    for text in try connection.integrityProblems(atMost: Self.listed) {
      add(StoreProblem(.damage, text))
    }
    let pageSize = try connection.integer("PRAGMA page_size") ?? 0
    let free = try connection.integer("PRAGMA freelist_count") ?? 0
    freeBytes = Int(clamping: pageSize.multipliedReportingOverflow(by: free).partialValue)
  }

  /// Reads every row.
  ///
  /// - Returns: the bounding box of its places.
  private mutating func examine(
    _ table: Table, _ connection: Connection
  ) throws(PortError) -> Extent? {
    var box: Extent?
    var count = 0
    var walk = try RowWalk(connection, table.select)
    try walk.run { (row) throws(PortError) in
      do throws(PortError) {
        try table.examine(row)
        count += 1
        if let column = table.layout?.geometryColumn, let own = Extent(geometry: column, of: row) {
          box = box?.united(with: own) ?? own
        }
      } catch {
        add(StoreProblem(.row, in: table.name, id: row.id, error.message))
      }
    }
    for gap in walk.gaps {
      let which = gap.text(of: table.name)
      add(StoreProblem(.damage, in: table.name, "rows cannot be read: \(which)"))
    }
    rows.append((table.name, count))
    return box
  }

  private mutating func examine(
    _ boxes: [String: Extent], _ connection: Connection
  ) throws(PortError) {
    let statement = try connection.prepareOnce(
      "SELECT table_name, min_x, min_y, max_x, max_y FROM gpkg_contents")
    while try statement.step() {
      guard let table = statement.text(0), let box = boxes[table]
      else { continue }
      let stored = Extent(statement, from: 1)
      // A missing box is allowed, but not one that is reversed or beyond the Earth.
      let isNone = stored == nil && !statement.isNull(1)
      guard isNone || stored?.united(with: box) != stored else { continue }
      let what =
        stored == nil ? "is not on Earth" : "does not contain all of its places"
      add(StoreProblem(.extent, in: table, "the bounding box in gpkg_contents \(what)"))
    }
  }

  private mutating func add(_ objection: SchemaViolation) {
    add(StoreProblem(.schema, in: objection.table, isObstacle: true, objection.text))
  }

  private mutating func add(_ problem: StoreProblem) {
    guard problems.count(where: { $0.kind == problem.kind }) < Self.listed else {
      return omitted[problem.kind, default: 0] += 1
    }
    problems.append(problem)
  }
}

extension RowWalk.Gap {
  /// As text for people. The ids of points are their times.
  func text(of table: String) -> String {
    if table == TrackPoint.layout.name, let from = DateTime.ofIdentifier(first),
      let to = DateTime.ofIdentifier(last)
    {
      return "from \(DateTime.text(from)) to \(DateTime.text(to))"
    }
    return switch (first, last) {
    case (.min, .max): "all of them"
    case (.min, _): "ids up to \(last)"
    case (_, .max): "ids from \(first) on"
    case (last, _): "id \(first)"
    default: "ids \(first) to \(last)"
    }
  }
}

/// A fault in a store.
public struct StoreProblem: Hashable, Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    /// A part of the file is unreadable.
    case damage
    /// A table or an entry required for a GeoPackage or a store is missing.
    case schema
    /// A row is invalid: reading stops at it.
    case row
    /// A row refers to another that does not exist.
    case reference
    /// A layer's bounding box is missing, or does not contain all its places.
    case extent
    /// Times of a row are in the wrong order.
    case order
  }

  public let kind: Kind
  public let table: String?
  public let id: Int64?
  /// Description, with the column if there is one.
  public let text: String
  /// Whether a daemon should not go on with such a store. With other faults it can, and a copy is
  /// as good as the original.
  public let isObstacle: Bool

  /// - Parameter isObstacle: damage always is one.
  init(
    _ kind: Kind, in table: String? = nil, id: Int64? = nil, isObstacle: Bool = false,
    _ text: String
  ) {
    self.isObstacle = isObstacle || kind == .damage
    self.kind = kind
    self.table = table
    self.id = id
    self.text = text
  }
}
