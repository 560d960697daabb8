import Formats
import Core
import Platform

/// The stays that `--stays` names: one file, or a folder with a file for each trace.
struct WrittenStays {
  /// A larger file is no list of stays.
  private static let largestFile = 64 << 20  // bytes
  /// Tried in this order after a trace's base name, so that stays can be beside their traces.
  private static let endings = [".stays.json", ".stays.csv", ".json", ".csv"]

  private let path: String
  /// Nil: a folder.
  private let table: StayTable?

  /// - Parameter isKnown: whether the remarks about a single file were already printed.
  init(_ path: String, isKnown: Bool) throws(CommandError) {
    self.path = path
    guard let status = FileStatus(path: path) else {
      throw .failed("cannot read --stays \(path): \(SystemError.last.text)")
    }
    if status.kind == .directory {
      table = nil
    } else {
      table = try Self.table(path, tells: !isKnown)
    }
  }

  /// Whether every stay belongs to the only trace.
  var isOfOneTrace: Bool { table.map { $0.rows.allSatisfy { $0.trace == nil } } ?? false }

  /// The traces named in the file that are not among the given ones.
  func unlistedTraces(among traces: [String]) -> [String] {
    let known = Set(traces.flatMap { Self.names(of: $0) })
    let named = Set((table?.rows ?? []).compactMap(\.trace))
    return named.filter { !known.contains($0) }.sorted()
  }

  /// The file with this trace's stays; nil: there is none.
  func file(for trace: String) -> String? {
    guard let table else {
      return Self.endings.lazy.map { "\(path)/\(Self.baseName(trace))\($0)" }.first {
        FileStatus(path: $0)?.kind == .regular
          && FileIdentity(path: $0) != FileIdentity(path: trace)
      }
    }
    let names = Self.names(of: trace)
    return isOfOneTrace || table.rows.contains { $0.trace.map(names.contains) ?? false }
      ? path : nil
  }

  /// The stays of this trace; nil: there are none.
  func stays(of trace: String) throws(CommandError) -> [StayTable.Row]? {
    guard let file = file(for: trace) else { return nil }
    let stays = if let table { table } else { try Self.table(file, tells: true) }
    let names = Self.names(of: trace)
    return stays.rows.filter { row in row.trace.map(names.contains) ?? true }
  }

  private static func table(_ path: String, tells: Bool) throws(CommandError) -> StayTable {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try SystemFiles.bytes(of: path, atMost: largestFile)
    } catch {
      throw .failed("cannot read --stays \(path): \(error.text)")
    }
    do throws(TraceError) {
      let table = try StayTable(bytes)
      if tells, let line = table.firstWithoutZone {
        StandardError.report("\(path): \(TraceFindings.noZone(line: line))")
      }
      return table
    } catch {
      throw .failed("\(path): \(error)")
    }
  }

  /// The names by which a stay can refer to its trace.
  private static func names(of trace: String) -> Set<String> {
    [trace, PathParts(trace).name, baseName(trace)]
  }

  /// Without its folder and its extension.
  static func baseName(_ path: String) -> String {
    let name = PathParts(path).name
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return name
    }
    return String(name[..<dot])
  }
}
