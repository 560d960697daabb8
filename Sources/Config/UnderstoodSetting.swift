import Core

/// One setting of a file that accepts what the file says.
public struct UnderstoodSetting: Equatable, Sendable {
  public let key: String
  public let value: SettingValue
  public let line: Int

  public init(key: String, value: SettingValue, line: Int) {
    self.key = key
    self.value = value
    self.line = line
  }
}
