/// Finds the functions, initialisers and computed properties of a file by counting braces.
struct FunctionBodies {
  struct Body: Equatable {
    let name: String
    let firstLine: Int
    let lastLine: Int
  }

  private(set) var all: [Body] = []

  init(_ file: SourceText) {
    // Words and brackets in order; strings and comments are already removed.
    let token = /\w+|[(){}\[\]]/
    let tokens = file.code.enumerated().flatMap { index, line in
      line.matches(of: token).map { (text: $0.0, line: index + 1) }
    }
    for (index, token) in tokens.enumerated() where Self.keywords.contains(String(token.text)) {
      guard let open = Self.openingBrace(after: index, in: tokens),
        let close = Self.closingBrace(of: open, in: tokens)
      else { continue }
      let name =
        token.text == "func" || token.text == "var" ? "\(tokens[index + 1].text)" : "\(token.text)"
      all.append(Body(name: name, firstLine: token.line, lastLine: tokens[close].line))
    }
  }

  private static let keywords: Set = ["func", "init", "deinit", "subscript", "var"]
  /// Keywords that can follow only after a declaration without a body has ended.
  private static let nextDeclaration: Set = [
    "func", "init", "deinit", "subscript", "var", "let", "case", "struct", "class", "enum",
    "protocol", "extension", "associatedtype", "import",
  ]

  private typealias Token = (text: Substring, line: Int)

  /// The brace that opens the body; nil for requirements, stored properties and calls of `init`.
  private static func openingBrace(after start: Int, in tokens: [Token]) -> Int? {
    var depth = 0
    for index in (start + 1)..<max(start + 1, tokens.count) {
      let token = tokens[index]
      // A property's brace is on the line of its name.
      if tokens[start].text == "var", token.line > tokens[start].line { return nil }
      switch token.text {
      case "(", "[": depth += 1
      case ")", "]":
        depth -= 1
        if depth < 0 { return nil }
      case "{" where depth == 0: return index
      case "}" where depth == 0: return nil
      case let word where depth == 0 && nextDeclaration.contains(String(word)): return nil
      default: break
      }
    }
    return nil
  }

  private static func closingBrace(of open: Int, in tokens: [Token]) -> Int? {
    var depth = 0
    for index in open..<tokens.count {
      if tokens[index].text == "{" { depth += 1 }
      if tokens[index].text == "}" { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}
