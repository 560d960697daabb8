/// One rule broken at one place.
struct Violation: Equatable, CustomStringConvertible {
  let path: String
  let line: Int
  let message: String

  var description: String { "\(path):\(line): \(message)" }
}

/// The rules of the architecture, each a question to one file.
enum Rules {
  static let longestFile = 400
  static let longestFunction = 70
  static let longestLine = 100

  static func check(_ file: SourceText) -> [Violation] {
    imports(file) + bannedCalls(file) + size(file) + functionLength(file) + names(file)
  }

  static func imports(_ file: SourceText) -> [Violation] {
    guard let room = Room.byName[file.room] else {
      return [Violation(path: file.path, line: 1, message: "\(file.room) is no room that is known")]
    }
    let pattern = /^\s*(?:@?\w+\s+)*import\s+(?:(?:struct|class|enum|protocol|func|var)\s+)?(\w+)/
    return file.code.enumerated().compactMap { index, line in
      guard line.contains("import"), let match = line.prefixMatch(of: pattern) else { return nil }
      let module = String(match.1)
      guard !room.allowed.contains(module) else { return nil }
      let known = Room.byName[module]
      let why =
        module.hasPrefix("Foundation")
        ? "Foundation costs more memory than the whole daemon"
        : known?.kind == .adapter && room.kind == .adapter
          ? "adapters never import each other"
          : known?.kind == .adapter
            ? "only the command line names a concrete adapter"
            : "not in the table of this room"
      return Violation(
        path: file.path, line: index + 1, message: "\(file.room) imports \(module): \(why)")
    }
  }

  /// What would make a pure room depend on the moment, the machine or chance.
  static func bannedCalls(_ file: SourceText) -> [Violation] {
    guard Room.byName[file.room]?.kind == .pure else { return [] }
    let bannedCalls = bannedCalls
    return file.code.enumerated().flatMap { index, line -> [Violation] in
      // A declaration of that name is no call.
      let line = line.replacing(/func \w+/, with: "func")
      return bannedCalls.compactMap { pattern, why in
        guard let match = line.firstMatch(of: pattern) else { return nil }
        let call = match.0.trimmingPrefix { !$0.isLetter && $0 != "_" }
        return Violation(
          path: file.path, line: index + 1, message: "\(call) in the pure room \(file.room): \(why)"
        )
      }
    }
  }

  private static var bannedCalls: [(Regex<(Substring, Substring)>, String)] {
    [
      (
        /(?:^|[^.\w])(clock_gettime|gettimeofday|time|clock|localtime_r|mktime)\s*\(/,
        "time comes in with the event"
      ),
      (
        /\b(ContinuousClock|SuspendingClock|Date\s*\(|DispatchTime|CFAbsoluteTimeGetCurrent)/,
        "time comes in with the event"
      ),
      (
        /\b(usleep|nanosleep|await|async|Thread|Task|DispatchQueue|DispatchSemaphore)\b/,
        "nothing waits"
      ),
      (/(?:^|[^.\w])(sleep|pause)\s*\(/, "nothing waits"),
      (
        /(?:^|[^.\w])(print|debugPrint|dump|fputs|printf|puts|perror|syslog)\s*\(/,
        "nothing prints"
      ),
      (
        /(?:^|[^.\w])((?:fopen|getenv|readLine|socket|ioctl|exit|abort)\s*\(|CommandLine)/,
        "the world is behind the ports"
      ),
      (
        /\b(SystemRandomNumberGenerator|arc4random|drand48|srand|rand\s*\()/,
        "chance comes from a seeded generator"
      ),
      (
        /\.(random\s*\((?![^)]*using:)|(?:shuffled|shuffle|randomElement)\s*\(\s*\))/,
        "chance comes from a seeded generator"
      ),
    ]
  }

  static func size(_ file: SourceText) -> [Violation] {
    var found: [Violation] = []
    let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
    if count > longestFile {
      let message = "\(count) lines, at most \(longestFile)"
      found.append(Violation(path: file.path, line: count, message: message))
    }
    for (index, line) in file.lines.enumerated() where line.count > longestLine {
      let message = "\(line.count) columns, at most \(longestLine)"
      found.append(Violation(path: file.path, line: index + 1, message: message))
    }
    return found
  }

  static func functionLength(_ file: SourceText) -> [Violation] {
    FunctionBodies(file).all.compactMap { body in
      let length = body.lastLine - body.firstLine + 1
      guard length > longestFunction else { return nil }
      return Violation(
        path: file.path, line: body.firstLine,
        message: "\(body.name) has \(length) lines, at most \(longestFunction)")
    }
  }

  /// A file is named after a type that it declares, or `Type+Subject` after one that it extends.
  /// One that declares none has the name of its subject.
  static func names(_ file: SourceText) -> [Violation] {
    var found: [Violation] = []
    // What stands inside another type is indented.
    let declaration =
      /(?:@?\w+(?:\(\w+\))?\s+)*?(struct|class|enum|protocol|typealias|extension) (?:\w+\.)*(\w+)/
    let matches = file.code.compactMap { $0.first == " " ? nil : $0.prefixMatch(of: declaration) }
    let declared = Set(matches.filter { $0.1 != "extension" }.map(\.2))
    let extended = Set(matches.filter { $0.1 == "extension" }.map(\.2))
    let base = file.name.split(separator: ".").first ?? ""
    let type = base.split(separator: "+").first ?? ""
    let named = type == base ? declared : declared.union(extended)
    let mayBeSubject = type == base && declared.isEmpty || subjects.contains("\(file.room)/\(base)")
    if !named.contains(type), !mayBeSubject {
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

  /// Files that gather small sisters under the name of their subject.
  private static let subjects: Set<String> = [
    "Quantities/Electricity", "Quantities/Motion", "Ports/PowerPorts",
    "ReceiverProtocols/NMEAAccuracy", "ReceiverProtocols/NMEAMotion",
    "ReceiverProtocols/NMEAPositions",
  ]
}
