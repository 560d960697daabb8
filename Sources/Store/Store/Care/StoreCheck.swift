import Ports
import Core
import Records

/// Looks a whole store through without changing it, also while the daemon writes: is the file
/// sound, is it a GeoPackage, can every row be read, and do the rows fit together?
public struct StoreCheck: Sendable {
  /// The first of each kind.
  public private(set) var problems: [StoreProblem] = []
  /// How many more of each kind there are.
  public private(set) var omitted: [StoreProblem.Kind: Int] = [:]
  /// The rows of each table that could be read.
  public private(set) var rows: [(table: String, count: Int)] = []
  /// What the file takes on disk, its log included.
  public private(set) var bytes = 0
  /// What records of the past have left in it: new ones go there.
  public private(set) var freeBytes = 0

  public var isSound: Bool { problems.isEmpty }

  /// Whether `StoreRepair` makes a better file of it.
  public var asksForRepair: Bool {
    problems.contains { $0.kind != .reference && $0.kind != .order }
  }

  /// Why no daemon should go on with the store.
  public var obstacle: StoreProblem? { problems.first(where: \.isObstacle) }

  /// How many problems there are, those that are not told one by one included.
  public var problemCount: Int { omitted.values.reduce(problems.count, +) }

  /// Problems of one kind that are told one by one.
  private static let listed = 50

  /// - Throws: `failed` when there is no such file or it is another program's, `newer`, `readOnly`,
  ///   `busy`. A damaged file is not an error but a result.
  public init(path: String) throws(PortError) { try self.init(path: path, name: path) }

  /// - Parameter name: what messages call the file, if it has its path only for now.
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
    // Whoever reads such a thing does what it says.
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
    // What an older one lacks, the daemon makes when it brings the store up to date.
    if applied == Migration.all.count { schemaProblems.forEach { add($0) } }
    var boxes: [String: Extent] = [:]
    // The columns of an older one are not those that are read.
    for table in Table.examined where applied == Migration.all.count && schema.has(table) {
      boxes[table.name] = try examine(table, connection)
    }
    for layer in Record.lineLayers { boxes[layer.name] = boxes[layer.points.name] }
    // What a damaged page hides was told already.
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
  /// - Returns: the box around its places.
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
      // None at all is allowed, but not one that is turned round or beyond the Earth.
      let isNone = stored == nil && !statement.isNull(1)
      guard isNone || stored?.united(with: box) != stored else { continue }
      let what =
        stored == nil ? "is none on Earth" : "does not hold all of its places"
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
  /// For people. The ids of points are their times.
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

/// Something in a store that is not as it should be.
public struct StoreProblem: Hashable, Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    /// A part of the file cannot be read.
    case damage
    /// A table or an entry is missing that makes the file a GeoPackage or a store.
    case schema
    /// A row cannot be understood: reading stops at it.
    case row
    /// A row names another that is not there.
    case reference
    /// A layer's bounding box is none, or does not hold all its places.
    case extent
    /// Times of a row are not in their order.
    case order
  }

  public let kind: Kind
  public let table: String?
  public let id: Int64?
  /// What it is, with the column where there is one.
  public let text: String
  /// Whether no daemon should go on with such a store. With the others it can, and a copy is as
  /// good as what was copied.
  public let isObstacle: Bool

  /// - Parameter isObstacle: damage is one in any case.
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
