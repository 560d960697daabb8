import Core
import Ports

/// A notice on its way to the process that runs the command: one line of JSON,
/// `{"id":12,"timeout_s":60,"facts":{"PLACE":"Home"}}`.
public struct CommandRequest: Equatable, Sendable {
  static let mostFacts = 64
  static let longestName = 64
  /// In bytes of UTF-8. A longer value is truncated.
  static let longestValue = 4096
  /// In bytes, with the line end. The longest facts allowed fit, with every character escaped.
  static let longestLine = 1 << 20
  /// Prefix of the variables' names, which no program uses for its own settings.
  static let prefix = "GODWIT_"
  private static let idName = "NOTICE"
  /// The largest number up to which JSON represents every integer exactly.
  private static let largestID: Int64 = 1 << 53

  /// Why a line is not a request, as text for people.
  public struct Fault: Error, Equatable {
    public let text: String
  }

  public let notice: NoticeCommandInput
  /// The command's timeout as given by the caller, whose settings may differ; nil: the one in the
  /// settings of the process that runs it.
  public let timeout: Seconds?

  /// - Throws: the caller's mistake in an id or a name. No value can be wrong.
  init(_ order: NoticeCommandInput, timeout: Seconds? = nil) throws(Fault) {
    self.timeout = timeout
    let facts = order.facts.map { NoticeCommandInput.Fact($0.name, Self.clean($0.value)) }
    self.notice = NoticeCommandInput(id: order.id, facts: facts)
    try check()
  }

  /// Reads a line, without its line end. Whatever `line` would not write is refused.
  init(line: [UInt8]) throws(Fault) {
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: line)
    } catch {
      throw Fault(text: error.description)
    }
    guard let id = json["id"]?.integer, case .object(let members)? = json["facts"] else {
      throw Fault(text: "it has no whole number \"id\", or no object \"facts\"")
    }
    var facts: [NoticeCommandInput.Fact] = []
    for (name, value) in members {
      guard let text = value.string else {
        throw Fault(text: "\"facts\" has a value that is not text")
      }
      facts.append(NoticeCommandInput.Fact(name, text))
    }
    notice = NoticeCommandInput(id: Int64(id), facts: facts)
    let given = json["timeout_s"]
    timeout = given?.number.map { Seconds($0) }
    guard given == nil || timeout != nil else { throw Fault(text: "\"timeout_s\" is not a number") }
    try check()
    guard facts.allSatisfy({ Self.clean($0.value) == $0.value }) else {
      throw Fault(text: "a fact is too long, or has characters that a line of text cannot have")
    }
  }

  private func check() throws(Fault) {
    guard (0...Self.largestID).contains(notice.id) else {
      throw Fault(text: "the id is \(notice.id): it must be 0 to 2^53")
    }
    guard timeout.map({ AlertCommandSettings.timeouts.contains($0.value) }) ?? true else {
      throw Fault(text: "\"timeout_s\" is out of the range of alerts.command_timeout_s")
    }
    guard notice.facts.count <= Self.mostFacts else {
      throw Fault(text: "\(notice.facts.count) facts are more than \(Self.mostFacts)")
    }
    var names: Set = [Self.idName]
    for fact in notice.facts {
      guard Self.isName(fact.name) else {
        throw Fault(text: "'\(TerminalText.line(fact.name))' is not a name of a fact")
      }
      guard names.insert(fact.name).inserted else {
        throw Fault(text: "\(fact.name) is repeated, or is the name of the id")
      }
    }
  }

  /// The rule for a variable's name, too (POSIX.1, 8.1).
  private static func isName(_ name: String) -> Bool {
    guard (1...longestName).contains(name.utf8.count) else { return false }
    let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return name.utf8.first.map(letters.contains) == true
      && name.utf8.allSatisfy {
        letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "_")
      }
  }

  /// Names of places may come from files of other people: reduced to one line of text, which fits
  /// into a variable, a header and a terminal alike.
  private static func clean(_ value: String) -> String {
    let line = TerminalText.line(value)
    guard line.utf8.count > longestValue else { return line }
    var short = String.UnicodeScalarView()
    var room = longestValue
    for scalar in line.unicodeScalars {
      room -= UTF8.width(scalar)
      guard room >= 0 else { break }
      short.append(scalar)
    }
    return String(short)
  }

  /// With its line end.
  var line: [UInt8] {
    var members: [(name: String, value: JSONValue)] = [("id", .count(notice.id))]
    if let timeout { members.append(("timeout_s", .number(timeout.value))) }
    members.append(("facts", .object(notice.facts.map { ($0.name, .string($0.value)) })))
    return Array((JSONValue.object(members).text + "\n").utf8)
  }

  /// The variables that the command gets in its environment.
  var variables: [String: String] {
    var variables = [Self.prefix + Self.idName: notice.id.description]
    for fact in notice.facts { variables[Self.prefix + fact.name] = fact.value }
    return variables
  }
}
