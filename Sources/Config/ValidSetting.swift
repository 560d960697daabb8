import Core

/// One valid setting of a file.
public struct ValidSetting: Equatable, Sendable {
  public let key: String
  public let value: SettingValue
  public let line: Int

  public init(key: String, value: SettingValue, line: Int) {
    self.key = key
    self.value = value
    self.line = line
  }
}
