import Formats
import Platform

/// The traces of a comparison: the given files, and all traces in the given folders and their
/// subfolders.
struct TraceList {
  /// More files are no set of traces.
  private static let mostFiles = 1_000_000
  private static let deepestFolder = 32
  /// Enough to recognise a trace; headers of receivers' logs are shorter.
  private static let headSize = 16_384  // bytes

  private(set) var paths: [String] = []
  /// Files in the folders that are no traces.
  private(set) var others: [String] = []
  private var folders: Set<FileIdentity> = []

  /// - Throws: if a folder contains no trace, or cannot be read.
  init(_ arguments: [String]) throws(CommandError) {
    var given: Set<String> = []
    for argument in arguments {
      guard given.insert(argument).inserted else {
        throw .wrongUsage("\(argument) is named twice")
      }
      guard argument != "-", FileStatus(path: argument)?.kind != .pipe else {
        throw .wrongUsage(
          "\(argument): a pipe can be read only once, and every run must read it: "
            + "save it as a file")
      }
      guard Self.isFolder(argument) else {
        // The run checks whether it is a trace, so that an invalid one does not stop the others.
        paths.append(argument)
        continue
      }
      let before = paths.count
      try search(argument.hasSuffix("/") ? String(argument.dropLast()) : argument, depth: 0)
      guard paths.count > before else {
        throw .failed(
          "\(argument): there is no trace in this folder or its subfolders ("
            + TraceFormat.allCases.map(\.rawValue).joined(separator: ", ") + ")")
      }
    }
  }

  static func isFolder(_ path: String?) -> Bool {
    path.flatMap { FileStatus(path: $0) }?.kind == .directory
  }

  private mutating func search(_ folder: String, depth: Int) throws(CommandError) {
    // Links may form a cycle.
    guard depth < Self.deepestFolder, let identity = FileIdentity(path: folder),
      folders.insert(identity).inserted
    else { return }
    guard SystemFiles.canBeRead(folder) else {
      throw .failed("cannot read the folder \(folder): \(SystemError.last.text)")
    }
    for name in SystemFiles.names(in: folder).sorted() where !name.hasPrefix(".") {
      let path = PathParts(folder: folder, name: name).path
      switch FileStatus(path: path)?.kind {
      case .directory?: try search(path, depth: depth + 1)
      case .regular?:
        guard paths.count + others.count < Self.mostFiles else {
          throw .failed("\(folder): more than \(Self.mostFiles) files; name fewer folders")
        }
        if Self.isTrace(path) { paths.append(path) } else { others.append(path) }
      default: break
      }
    }
  }

  /// Detected by content; an unreadable file counts as a trace, so that its run reports the error.
  private static func isTrace(_ path: String) -> Bool {
    guard let head = try? SystemFiles.bytes(of: path, atMost: headSize) else { return true }
    return TraceFormat.detect(head: head) != nil
  }
}
