import Core
import Ports

/// The result of a command on its way back: one line of JSON, `{"id":12,"exit_status":0}` or
/// `{"id":12,"failed":"why"}`. The id is null if that of the request could not be read.
public struct CommandAnswer: Equatable, Sendable {
  /// In bytes, with the line end.
  static let longestLine = 4096
  /// In characters. It still fits if each of them takes four bytes.
  private static let longestReason = 900

  private let id: Int64?
  let result: NoticeOutcome.Result

  /// - Parameter id: nil if that of the request could not be read.
  public init(to id: Int64?, _ result: NoticeOutcome.Result) {
    self.id = id
    self.result = result
  }

  /// Reads a line, without its line end. Nil if it is not an answer to that notice.
  init?(line: [UInt8], to id: Int64) {
    guard let json = try? JSONValue(parsing: line), case .object = json else { return nil }
    self.id = json["id"]?.integer.map { Int64($0) }
    if let status = json["exit_status"]?.integer, (0...255).contains(status), self.id == id {
      result = .done(exitStatus: status)
    } else if let reason = json["failed"]?.string, self.id == nil || self.id == id {
      result = .failed(Self.short(reason))
    } else {
      return nil
    }
  }

  /// With its line end.
  var line: [UInt8] {
    var members: [(name: String, value: JSONValue)] = [("id", .count(id))]
    switch result {
    case .done(let status): members.append(("exit_status", .count(status)))
    case .failed(let why), .unanswered(let why):
      members.append(("failed", .string(Self.short(why))))
    }
    return Array((JSONValue.object(members).text + "\n").utf8)
  }

  private static func short(_ reason: String) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: TerminalText.line(reason).unicodeScalars.prefix(longestReason))
    return String(scalars)
  }
}
