import Foundation
import Testing

/// A board that comes with Godwit, and its kind according to the first line of its file.
public struct SuppliedBoard: Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    case host, switching = "switch", receiver, monitor
  }

  public let name: String
  public let kind: Kind
  public let bytes: [UInt8]

  public static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("board")

  /// In the order of their names.
  public static func all() throws -> [SuppliedBoard] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try names.sorted().compactMap { name in
      let path = folder.appendingPathComponent("\(name)/board.toml")
      guard let bytes = try? Data(contentsOf: path) else { return nil }
      let first = String(decoding: bytes.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
      let kind = try #require(
        Kind(rawValue: first.dropFirst(2).lowercased()), "\(name): its first line")
      return SuppliedBoard(name: name, kind: kind, bytes: Array(bytes))
    }
  }
}
