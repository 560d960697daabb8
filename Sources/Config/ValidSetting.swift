import Core

/// One valid setting of a file.
struct ValidSetting: Equatable, Sendable {
  let key: String
  let value: SettingValue
  let line: Int
}
