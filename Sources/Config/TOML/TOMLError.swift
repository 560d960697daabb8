/// Where a text stopped being TOML, what stood there and what could have.
public struct TOMLError: Error, Equatable, Sendable, CustomStringConvertible {
  public let file: String
  /// Counted from 1.
  public let line: Int
  /// Counted from 1, in characters (Unicode scalars).
  public let column: Int
  public let found: String
  public let expected: String

  public var description: String {
    "\(file):\(line):\(column): found \(found), expected \(expected)"
  }
}
