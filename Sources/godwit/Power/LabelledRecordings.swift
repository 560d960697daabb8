import Glibc
import Analysis
import Platform

/// The recordings given on the command line, by condition.
struct LabelledRecordings {
  struct Condition {
    let name: String
    fileprivate(set) var paths: [String]

    var count: Int { paths.count }

    /// - Parameter mayFlowBack: whether reverse current is intended in all of them.
    func read(mayFlowBack: Bool) throws -> TestedCondition {
      TestedCondition(
        name: name,
        runs: try paths.map {
          var run = try LabelledRecordings.read($0)
          run.allowsReverseCurrent = run.allowsReverseCurrent || mayFlowBack
          return run
        })
    }
  }

  /// More than a year of one-minute runs would be needed to exceed this.
  private static let maxCount = 10_000

  private var found: [Condition] = []

  init(_ arguments: [String]) throws(CommandError) {
    guard arguments.count <= Self.maxCount else {
      throw .wrongUsage("\(arguments.count) recordings; name at most \(Self.maxCount)")
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
        throw .wrongUsage("\(path) is named twice; name each run once")
      }
      found[index].paths.append(path)
    }
  }

  func conditions() -> [Condition] { found }

  /// A file with "=" in its own name takes precedence if it exists.
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

  /// The daemon's events are stored beside the recording: run.events.jsonl for run.json.
  static func events(of path: String) -> String {
    let dot = path.lastIndex(of: ".") ?? path.endIndex
    return "\(path[..<dot]).events.jsonl"
  }

  /// A day with one fix a second takes 4 MB.
  private static let mostEvents = 64 << 20

  /// - Parameters:
  ///   - named: the recording with the events, if it is another one.
  ///   - sink: called with every valid reading.
  static func read(
    _ path: String, eventsOf named: String? = nil, sink: ((RecordedReading) -> Void)? = nil
  ) throws -> RecordedRun {
    let input = try InputBytes(path: path)
    let events = try recordedEvents(beside: named ?? path)
    var reader = RecordingReader(file: path, events: events, sink: sink)
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

  /// - Returns: nil if there are no events of a daemon.
  private static func recordedEvents(beside path: String) throws(CommandError) -> RunEvents? {
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
