import Config
import FuzzInput
import GodwitSettings

/// A settings file, two board files and the lines of `--set`, separated by NUL.
public final class SettingsTarget: FuzzTarget {
  public init() {}

  public func run(_ input: UnsafeBufferPointer<UInt8>) throws(Violation) {
    let parts = input.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
    let files = parts.prefix(3).enumerated().map {
      SettingsFile(name: "file\($0.offset)", bytes: Array($0.element))
    }
    let options = parts.dropFirst(3).flatMap { $0.split(separator: UInt8(ascii: "\n")) }
      .map { String(decoding: $0, as: UTF8.self) }
    if let settings = files.first { try requireSound(BoardName.named(in: settings) ?? []) }
    switch Self.read(Array(files.dropFirst()), files.first, options) {
    case .success(let read): try requireStable(read)
    case .failure(let error):
      try require(!error.problems.isEmpty, "refused for no reason")
      for problem in error.problems {
        let isReported = !problem.source.isEmpty && !problem.message.isEmpty
        try require(isReported, "nothing is said: \(problem)")
      }
    }
  }

  private static func read(
    _ boards: [SettingsFile], _ settings: SettingsFile?, _ options: [String]
  ) -> Result<Configuration<Settings>, SettingsError> {
    Result { () throws(SettingsError) in
      try Configuration(boards: boards, settings: settings, assignments: options)
    }
  }

  private func requireSound(_ boards: [BoardName]) throws(Violation) {
    try require(boards.count <= 16, "\(boards.count) boards")
    for board in boards {
      try require(!board.text.utf8.contains(0), "a path that ends within: \(board.text)")
    }
  }

  /// Settings written as a settings file are read as the same.
  private func requireStable(_ read: Configuration<Settings>) throws(Violation) {
    let text = read.declared.settings
      .filter { read.origin(of: $0.key) != .builtIn }
      .map { "\($0.key) = \($0.value.toml)\n" }.joined()
    let file = SettingsFile(name: "again", bytes: Array(text.utf8))
    switch Self.read([], file, []) {
    case .success(let again):
      try require(again.settings == read.settings, "changes when it is written: \(text)")
    case .failure(let error):
      throw Violation("what was accepted is refused when it is written: \(error)")
    }
  }
}

#if FUZZING
  private nonisolated(unsafe) let target = SettingsTarget()

  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.serve(start, count)
  }
#endif
