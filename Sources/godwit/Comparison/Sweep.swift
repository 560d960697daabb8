import GodwitSettings
import Core
import Tracking

/// A setting that is varied over several values.
struct Sweep {
  static let mostValues = 1000
  /// The number of values of a range without a step or a count.
  private static let usualCount = 5

  /// "policy.hybrid.swap_after_s"
  let key: String
  let values: [String]
  /// The only policy that reads it; nil: any may.
  let policy: String?

  /// - Parameter text: `KEY=from..to`, `KEY=from..to:step`, `KEY=from..to/count`, `KEY=a,b,c`.
  init(_ text: String, of declared: DeclaredSettings) throws(CommandError) {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
      throw .wrongUsage("--sweep \(text): write KEY=from..to, or KEY=a,b,c")
    }
    key = try Self.key(String(text[..<equals]), of: declared)
    policy = PolicyCatalogue.all.map(\.name).first { [key] in key.hasPrefix("policy.\($0).") }
    values = try Self.values(String(text[text.index(after: equals)...]), of: key)
  }

  /// The name without its section: "swap_after_s".
  var name: String { key.split(separator: ".").last.map(String.init) ?? key }

  private static func key(
    _ word: String, of declared: DeclaredSettings
  ) throws(CommandError) -> String {
    guard let setting = declared[word] ?? declared["policy.\(word)"] else {
      let known = declared.settings.map(\.key)
      let meant =
        NearestName.suggestion(for: word, among: known)
        ?? NearestName.suggestion(for: "policy.\(word)", among: known)
      throw .wrongUsage(
        "--sweep: there is no setting '\(word)'"
          + (meant.map { "; is it \($0)?" } ?? "; 'godwit config default' lists all"))
    }
    guard setting.key != "policy.name" else {
      throw .wrongUsage("--sweep policy.name: name the policies with --policy a,b,c")
    }
    return setting.key
  }

  private static func values(_ text: String, of key: String) throws(CommandError) -> [String] {
    guard let dots = text.firstRange(of: "..") else { return try list(text, of: key) }
    let rest = text[dots.upperBound...]
    let mark = rest.firstIndex { $0 == ":" || $0 == "/" }
    guard let from = Double(text[..<dots.lowerBound]),
      let to = Double(rest[..<(mark ?? rest.endIndex)]),
      from.isFinite, to.isFinite
    else {
      throw .wrongUsage("--sweep \(key)=\(text): a range is two numbers, as in 30..600")
    }
    guard from < to else {
      throw .wrongUsage(
        "--sweep \(key)=\(text): a range goes from the smaller to the larger number")
    }
    guard let mark else { return numbers(from, to, count: usualCount) }
    let number = Double(rest[rest.index(after: mark)...])
    let isStep = rest[mark] == ":"
    guard let number, number.isFinite, isStep ? number > 0 : number >= 2 else {
      throw .wrongUsage(
        "--sweep \(key)=\(text): "
          + (isStep ? "a step must be more than 0" : "a range needs at least two values"))
    }
    let count = isStep ? ((to - from) / number + 1e-9).rounded(.down) + 1 : number
    guard count <= Double(mostValues) else {
      throw .wrongUsage("--sweep \(key)=\(text): more than \(mostValues) values; use larger steps")
    }
    guard isStep else { return numbers(from, to, count: Int(count)) }
    return (0..<Int(count)).map { Self.text(from + Double($0) * number) }
  }

  private static func list(_ text: String, of key: String) throws(CommandError) -> [String] {
    let values = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard values.count <= mostValues else {
      throw .wrongUsage("--sweep \(key): more than \(mostValues) values")
    }
    guard !values.contains("") else {
      throw .wrongUsage("--sweep \(key)=\(text): a value is empty")
    }
    guard Set(values).count == values.count else {
      throw .wrongUsage("--sweep \(key)=\(text): a value is repeated")
    }
    return values
  }

  private static func numbers(_ from: Double, _ to: Double, count: Int) -> [String] {
    (0..<count).map { text(from + (to - from) * Double($0) / Double(count - 1)) }
  }

  /// As short as possible, without rounding errors of binary fractions.
  private static func text(_ number: Double) -> String {
    JSONValue.rounded(number, digits: 9).text
  }
}
