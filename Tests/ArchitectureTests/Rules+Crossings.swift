extension Rules {
  /// Uses of a type that another folder of the module declares, where this is not allowed. Types
  /// declared outside any folder may be used everywhere.
  static func crossings(_ files: [SourceText]) -> [Violation] {
    var owners: [Substring: String] = [:]
    for file in files where !file.folder.isEmpty {
      for type in declared(file) { owners[type] = file.folder }
    }
    return files.flatMap { file in
      file.code.enumerated().compactMap { index, line in
        for word in line.utf8.split(whereSeparator: { !$0.isOfWord }).compactMap(Substring.init) {
          guard let owner = owners[word], owner != file.folder,
            !Module.shared[owner, default: []].contains(file.folder)
          else { continue }
          return Violation(
            path: file.path, line: index + 1, message: "\(word) belongs to \(owner)")
        }
        return nil
      }
    }
  }

  /// The types declared at the first column of a file.
  private static func declared(_ file: SourceText) -> [Substring] {
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias"]
    return file.code.compactMap { line in
      guard let first = line.first, first != " " else { return nil }
      let words = line.split(separator: " ")
      guard let kind = words.firstIndex(where: { kinds.contains($0) }), kind + 1 < words.count,
        !words[..<kind].contains("private"), !words[..<kind].contains("fileprivate")
      else { return nil }
      return words[kind + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    }
  }
}
