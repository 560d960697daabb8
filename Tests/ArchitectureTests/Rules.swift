/// One rule broken on one line.
struct Violation: Equatable, CustomStringConvertible {
  let path: String
  let line: Int
  let message: String

  var description: String { "\(path):\(line): \(message)" }
}

/// The rules of the architecture, each applied to one file.
enum Rules {
  static let maxFileLength = 400
  static let maxFunctionLength = 70
  static let maxLineLength = 100

  static func check(_ file: SourceText) -> [Violation] {
    imports(file) + BannedCalls.check(file) + BannedWords.check(file) + size(file)
      + functionLength(file) + names(file)
  }

  static func imports(_ file: SourceText) -> [Violation] {
    guard let module = try? Module.named(file.module) else {
      return [
        Violation(path: file.path, line: 1, message: "\(file.module) is no module that is known")
      ]
    }
    let pattern = /^\s*(?:@?\w+\s+)*import\s+(?:(?:struct|class|enum|protocol|func|var)\s+)?(\w+)/
    return file.code.enumerated().compactMap { index, line in
      guard line.contains("import"), let match = line.prefixMatch(of: pattern) else { return nil }
      let imported = String(match.1)
      guard (try? module.mayImport(imported, in: file.folder)) != true else { return nil }
      let why =
        imported.hasPrefix("Foundation")
        ? "a program with full Foundation has 44 MB, 9 MB of them resident"
        : "neither the manifest nor the table of libraries lists it"
      return Violation(
        path: file.path, line: index + 1, message: "\(file.module) imports \(imported): \(why)")
    }
  }

  static func size(_ file: SourceText) -> [Violation] {
    var found: [Violation] = []
    let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
    if count > maxFileLength {
      let message = "\(count) lines, at most \(maxFileLength)"
      found.append(Violation(path: file.path, line: count, message: message))
    }
    for (index, line) in file.lines.enumerated() where line.count > maxLineLength {
      let message = "\(line.count) columns, at most \(maxLineLength)"
      found.append(Violation(path: file.path, line: index + 1, message: message))
    }
    return found
  }

  static func functionLength(_ file: SourceText) -> [Violation] {
    FunctionBodies(file).all.compactMap { body in
      let length = body.lastLine - body.firstLine + 1
      guard length > maxFunctionLength else { return nil }
      return Violation(
        path: file.path, line: body.firstLine,
        message: "\(body.name) has \(length) lines, at most \(maxFunctionLength)")
    }
  }

  /// A file is named after a type that it declares, or `Type+Subject` after one that it extends.
  static func names(_ file: SourceText) -> [Violation] {
    var found: [Violation] = []
    // A type within another type is indented.
    let declaration =
      /(?:@?\w+(?:\(\w+\))?\s+)*?(struct|class|enum|protocol|typealias|extension) (?:\w+\.)*(\w+)/
    let matches = file.code.compactMap { $0.first == " " ? nil : $0.prefixMatch(of: declaration) }
    let declared = Set(matches.filter { $0.1 != "extension" }.map(\.2))
    let extended = Set(matches.filter { $0.1 == "extension" }.map(\.2))
    let base = file.name.split(separator: ".").first ?? ""
    let type = base.split(separator: "+").first ?? ""
    let named = type == base ? declared : declared.union(extended)
    if !named.contains(type), !subjects.contains("\(file.module)/\(base)") {
      let message = "declares no type \(type), after which it is named"
      found.append(Violation(path: file.path, line: 1, message: message))
    }
    for name in declared.union([type]) {
      guard let banned = bannedNames.first(where: { name.hasSuffix($0) }) else { continue }
      let message = "\(name): the word \(banned) says nothing"
      found.append(Violation(path: file.path, line: 1, message: message))
    }
    return found
  }

  private static let bannedNames = [
    "Utils", "Util", "Utilities", "Helper", "Helpers", "Manager", "Common", "Misc",
  ]

  /// Files that group small related types under the name of their subject: NMEA sentences with the
  /// same content, named by the standard's letters.
  private static let subjects: Set<String> = [
    "GNSS/NMEAAccuracy", "GNSS/NMEAMotion", "GNSS/NMEAPositions",
  ]

  /// The compiler of Debian 13 (Swift 6.0.3, built with assertions) stops at interpolations and at
  /// closures within the arguments of `@Test` and `@Suite`.
  static func testAttributes(_ file: SourceText) -> [Violation] {
    let interpolation = /(?:^|[^\\])\\\(/
    let opening = /@(?:Test|Suite)(?=\()/
    var depth = 0
    var found: [Violation] = []
    for (index, line) in file.code.enumerated() {
      var rest = line
      if depth == 0 {
        guard let attribute = line.firstMatch(of: opening) else { continue }
        rest = line[attribute.range.upperBound...]
      }
      let arguments = rest.prefix { character in
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        return depth > 0
      }
      if arguments.contains("{") || file.lines[index].contains(interpolation) {
        let message = "closure or interpolation in a test's attribute: Debian 13's compiler stops"
        found.append(Violation(path: file.path, line: index + 1, message: message))
      }
    }
    return found
  }

  /// Every test needs a display name, because a list of failed tests shows only that.
  static func testNames(_ file: SourceText) -> [Violation] {
    let pattern = /(?:^|\s)@Test(?!\w)/
    return file.code.indices.compactMap { index in
      // `code` keeps the columns of `lines`, but only `lines` keep the text of strings.
      guard let attribute = file.code[index].firstMatch(of: pattern) else {
        return nil
      }
      let column = file.code[index].distance(
        from: file.code[index].startIndex, to: attribute.range.upperBound)
      let rest = file.lines[index].dropFirst(column) + file.lines[(index + 1)...].prefix(1).joined()
      guard rest.prefixMatch(of: /\s*\(\s*"[^"]/) == nil else { return nil }
      return Violation(path: file.path, line: index + 1, message: "a test without a display name")
    }
  }
}
