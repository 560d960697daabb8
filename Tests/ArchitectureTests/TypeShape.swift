/// A type of a module with all its extensions in all files: its length, and how much of its state
/// other code may write.
struct TypeShape {
  /// "PowerControl/PowerSequencer", "Config/Settings.Receiver".
  let name: String
  private(set) var path: String
  private(set) var line: Int
  /// Lines of a top-level type, including its nested types.
  private(set) var lines = 0
  /// Stored variables that code outside the type can write.
  private(set) var open = 0
  private(set) var closed = 0
  private var isReference = false
  private var methods = 0
  private var mutatingMethods = 0

  /// Without mutating methods a type with open variables is a record: it enforces no rule.
  var changesItself: Bool { isReference ? methods > 0 : mutatingMethods > 0 }

  /// Every type that is declared or extended in the files.
  static func all(in files: [SourceText]) -> [TypeShape] {
    var shapes: [String: TypeShape] = [:]
    for file in files {
      var reader = Reader(file: file, shapes: shapes)
      reader.read()
      shapes = reader.shapes
    }
    return shapes.values.sorted { $0.name < $1.name }
  }

  private init(name: String, path: String, line: Int) {
    self.name = name
    self.path = path
    self.line = line
  }

  /// Reads one file line by line and tracks nesting by braces.
  private struct Reader {
    private struct Scope {
      let type: String
      let depth: Int
      let firstLine: Int
    }

    // Stored, because a regex literal is compiled at every evaluation.
    private let typePattern =
      /^ *(?:@?\w+(?:\([^)]*\))? )*?(struct|class|enum|actor|protocol|extension) ((?:\w+\.)*\w+)/
    private let functionPattern = /^\s*((?:@?\w+(?:\(\w+\))?\s+)*)func\s/
    private let variablePattern = /^\s*((?:@?\w+(?:\(\w+\))?\s+)*)var\s+\w+(.*)/

    /// A settings declaration mutates only so that a value can be read into the property.
    private static let declaration = "(_ setting: SettingVisitor)"

    let file: SourceText
    var shapes: [String: TypeShape]
    private var scopes: [Scope] = []
    private var depth = 0
    /// A declaration whose opening brace has not been reached.
    private var pending: (type: String, line: Int)?

    init(file: SourceText, shapes: [String: TypeShape]) {
      self.file = file
      self.shapes = shapes
    }

    mutating func read() {
      for (index, line) in file.code.enumerated() {
        if scopes.last?.depth ?? 0 == depth {
          declaration(line, at: index)
          member(line, at: index)
        }
        braces(line, at: index)
      }
    }

    private mutating func declaration(_ line: Substring, at index: Int) {
      guard let match = line.prefixMatch(of: typePattern), !["func", "var"].contains(match.2)
      else { return }
      let inner = scopes.last.map { "\($0.type).\(match.2)" } ?? "\(file.module)/\(match.2)"
      pending = (inner, index)
      var shape = shapes[inner] ?? TypeShape(name: inner, path: file.path, line: index + 1)
      if match.1 != "extension" {
        shape.path = file.path
        shape.line = index + 1
        shape.isReference = match.1 == "class" || match.1 == "actor"
      }
      shapes[inner] = shape
    }

    private mutating func member(_ line: Substring, at index: Int) {
      guard let type = scopes.last?.type else { return }
      if let match = line.prefixMatch(of: functionPattern) {
        shapes[type]?.methods += 1
        if match.1.contains("mutating"), !match.1.contains("nonmutating"),
          !line.contains(Self.declaration)
        {
          shapes[type]?.mutatingMethods += 1
        }
      } else if let match = line.prefixMatch(of: variablePattern),
        !match.1.contains("static "), isStored(match.2, at: index)
      {
        if match.1.contains("private") {
          shapes[type]?.closed += 1
        } else {
          shapes[type]?.open += 1
        }
      }
    }

    /// - Parameter rest: the text after a variable's name.
    private func isStored(_ rest: Substring, at index: Int) -> Bool {
      guard let brace = rest.firstIndex(of: "{"), !rest[..<brace].contains("=") else { return true }
      let next = file.code.dropFirst(index + 1).first?.drop { $0 == " " } ?? ""
      return next.hasPrefix("didSet") || next.hasPrefix("willSet")
    }

    private mutating func braces(_ line: Substring, at index: Int) {
      for byte in line.utf8 {
        if byte == UInt8(ascii: "{") {
          depth += 1
          guard let (type, first) = pending else { continue }
          scopes.append(Scope(type: type, depth: depth, firstLine: first))
          pending = nil
        } else if byte == UInt8(ascii: "}") {
          if let scope = scopes.last, scope.depth == depth {
            scopes.removeLast()
            if scopes.isEmpty { shapes[scope.type]?.lines += index - scope.firstLine + 1 }
          }
          depth -= 1
        }
      }
    }
  }
}

extension Rules {
  static let maxTypeLength = 400
  static let maxOpenVariables = 8

  /// A concept is a type with its own state and a few verbs. Without this rule it could exceed the
  /// limit for files by being spread over extensions.
  static func types(_ files: [SourceText]) -> [Violation] {
    TypeShape.all(in: files).flatMap { shape -> [Violation] in
      var messages: [String] = []
      if shape.lines > maxTypeLength {
        let name = shape.name
        messages.append("\(name) has \(shape.lines) lines in all, at most \(maxTypeLength)")
      }
      let stored = shape.open + shape.closed
      if stored > maxOpenVariables, shape.open > shape.closed, shape.changesItself {
        messages.append(
          "\(shape.name) has \(stored) stored variables, and others may write \(shape.open)")
      }
      return messages.map { Violation(path: shape.path, line: shape.line, message: $0) }
    }
  }
}
