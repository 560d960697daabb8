import Glibc
import Analysis
import Platform

/// Recordings as they are named on the command line, by their conditions.
struct LabelledRecordings {
  struct Condition {
    let name: String
    fileprivate(set) var paths: [String]

    var count: Int { paths.count }

    /// - Parameter mayFlowBack: whether current that flows back is meant in all of them.
    func read(mayFlowBack: Bool) throws -> TestedCondition {
      TestedCondition(
        name: name,
        runs: try paths.map {
          var run = try LabelledRecordings.read($0)
          run.mayFlowBack = run.mayFlowBack || mayFlowBack
          return run
        })
    }
  }

  /// More than a year of runs of a minute, one after the other, would be one more than that.
  private static let maxCount = 10_000

  private var found: [Condition] = []

  init(_ arguments: [String]) throws(CommandError) {
    guard arguments.count <= Self.maxCount else {
      throw .wrongUsage("\(arguments.count) recordings; it takes \(Self.maxCount) at most")
    }
    for argument in arguments {
      let path = Self.path(of: argument)
      guard !path.isEmpty else { throw .wrongUsage("'\(argument)' names no file") }
      let name = Self.name(of: argument)
      guard let index = found.firstIndex(where: { $0.name == name }) else {
        found.append(Condition(name: name, paths: [path]))
        continue
      }
      guard !found[index].paths.contains(path) else {
        throw .wrongUsage("\(path) is given twice; a run counts once")
      }
      found[index].paths.append(path)
    }
  }

  func conditions() -> [Condition] { found }

  /// A file whose own name holds "=" is meant where it is there.
  private static func split(_ argument: String) -> (name: String, path: String)? {
    guard let mark = argument.firstIndex(of: "="), mark > argument.startIndex,
      FileStatus(path: argument) == nil
    else { return nil }
    return (String(argument[..<mark]), String(argument[argument.index(after: mark)...]))
  }

  static func path(of argument: String) -> String { split(argument)?.path ?? argument }

  private static func name(of argument: String) -> String {
    if let split = split(argument) { return split.name }
    let last = argument.split(separator: "/").last.map(String.init) ?? argument
    guard let dot = last.lastIndex(of: "."), dot > last.startIndex else { return last }
    return String(last[..<dot])
  }

  /// What a daemon told meanwhile lies beside the recording: run.events.jsonl of run.json.
  static func events(of path: String) -> String {
    let dot = path.lastIndex(of: ".") ?? path.endIndex
    return "\(path[..<dot]).events.jsonl"
  }

  /// A day of a fix a second takes 4 MB.
  private static let mostEvents = 64 << 20

  /// - Parameters:
  ///   - named: the recording beside which the events lie, where it is another one.
  ///   - sink: called with every reading that counts.
  static func read(
    _ path: String, eventsOf named: String? = nil, sink: ((RecordedReading) -> Void)? = nil
  ) throws -> RecordedRun {
    let input = try InputBytes(path: path)
    let told = try toldEvents(beside: named ?? path)
    var reader = RecordingReader(file: path, events: told, sink: sink)
    do {
      return try feed(input, to: &reader)
    } catch let error as RecordingError {
      throw CommandError.failed(error.description)
    }
  }

  private static func feed(
    _ input: InputBytes, to reader: inout RecordingReader
  ) throws -> RecordedRun {
    while let piece = try input.next() { try reader.feed(piece.bindMemory(to: UInt8.self)) }
    return try reader.finish()
  }

  /// - Returns: nil where no daemon told anything.
  private static func toldEvents(beside path: String) throws(CommandError) -> RunEvents? {
    let file = events(of: path)
    guard FileStatus(path: file) != nil else { return nil }
    do throws(SystemError) {
      let bytes = try SystemFiles.bytes(of: file, atMost: mostEvents)
      guard bytes.count < mostEvents else { throw SystemError(code: EFBIG) }
      let events = RunEvents(file: bytes)
      return events.isEmpty ? nil : events
    } catch {
      throw .failed("\(file): \(error.text)")
    }
  }
}
