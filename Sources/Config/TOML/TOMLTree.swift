import Core

/// Builds the tables of a text, and enforces TOML's rules about which header or key may open or
/// extend which table.
struct TOMLTree {
  /// A key or header that redefines an existing one against the rules.
  struct Conflict: Error {
    let found: String
    let expected: String

    init(_ path: some Sequence<String>, _ what: String, since line: Int) {
      found = "'\(path.joined(separator: "."))' again"
      expected = "another name: line \(line) \(what)"
    }
  }

  /// How a table was created, which decides what may extend it.
  private enum Maker: Equatable {
    /// As part of a longer header; its own header may still follow, once.
    case implicit
    case header
    /// By dotted keys below the numbered header; closed by the next header.
    case dotted(header: Int)
  }

  private final class Node {
    enum Content {
      case value(WrittenValue.Content)
      /// An array of tables, see `elements`.
      case tables
      case table
    }

    var content: Content
    let line: Int
    var maker: Maker
    var children: [String: Node] = [:]
    var order: [String] = []
    /// The elements of an array of tables.
    var elements: [Node] = []

    init(_ content: Content, line: Int, maker: Maker = .implicit) {
      self.content = content
      self.line = line
      self.maker = maker
    }

    func add(_ key: String, _ node: Node) -> Node {
      children[key] = node
      order.append(key)
      return node
    }

    var frozen: WrittenValue.Content {
      switch content {
      case .value(let value): return value
      case .tables: return .array(elements.map { WrittenValue($0.frozen, line: $0.line) })
      case .table:
        var table = WrittenTable()
        for key in order {
          guard let child = children[key] else { continue }
          table.append(key, WrittenValue(child.frozen, line: child.line))
        }
        return .table(table)
      }
    }
  }

  private let root = Node(.table, line: 1, maker: .header)
  private var current: Node
  private var reserved: Node?
  private var headers = 0

  init() { current = root }

  var table: WrittenTable {
    guard case .table(let table) = root.frozen else { return WrittenTable() }
    return table
  }

  mutating func openTable(_ path: [String], line: Int) throws(Conflict) {
    headers += 1
    let parent = try parentForHeader(path, line: line)
    let key = path[path.count - 1]
    guard let node = parent.children[key] else {
      current = parent.add(key, Node(.table, line: line, maker: .header))
      return
    }
    guard case .table = node.content, node.maker == .implicit else {
      throw Conflict(path, "defined it already", since: node.line)
    }
    node.maker = .header
    current = node
  }

  mutating func openArrayElement(_ path: [String], line: Int) throws(Conflict) {
    headers += 1
    let parent = try parentForHeader(path, line: line)
    let key = path[path.count - 1]
    let array = parent.children[key] ?? parent.add(key, Node(.tables, line: line))
    guard case .tables = array.content else {
      throw Conflict(path, "defined it as something else", since: array.line)
    }
    current = Node(.table, line: line, maker: .header)
    array.elements.append(current)
  }

  /// Descends to the table that contains a header's last key, and creates missing tables.
  private func parentForHeader(_ path: [String], line: Int) throws(Conflict) -> Node {
    var node = root
    for (depth, key) in path.dropLast().enumerated() {
      guard let child = node.children[key] else {
        node = node.add(key, Node(.table, line: line))
        continue
      }
      switch child.content {
      case .table: node = child
      case .tables: node = child.elements[child.elements.count - 1]
      case .value:
        throw Conflict(path[...depth], "made it a value", since: child.line)
      }
    }
    return node
  }

  /// Reserves a key, before its value is read.
  mutating func reserve(_ path: [String], line: Int) throws(Conflict) {
    var node = current
    for (depth, key) in path.dropLast().enumerated() {
      let child =
        node.children[key] ?? node.add(key, Node(.table, line: line, maker: .implicit))
      guard case .table = child.content, child.maker == .implicit || child.maker == mine else {
        throw Conflict(path[...depth], "closed it", since: child.line)
      }
      child.maker = mine
      node = child
    }
    let key = path[path.count - 1]
    if let node = node.children[key] {
      throw Conflict(path, "defined it already", since: node.line)
    }
    reserved = node.add(key, Node(.table, line: line))
  }

  /// Sets the value of the reserved key.
  mutating func setReserved(_ value: WrittenValue) {
    guard let node = reserved else { return }
    node.content = .value(value.content)
    reserved = nil
  }

  private var mine: Maker { .dotted(header: headers) }
}
