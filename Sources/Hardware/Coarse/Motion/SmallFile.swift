import Platform

/// An attribute in sysfs of which each refusal means something else.
enum SmallFile {
  /// - Returns: what the driver answers; nil: it has taken the value.
  static func write(_ text: String, to path: String) -> SystemError? {
    do throws(SystemError) {
      try SystemFiles.write(text, to: path)
      return nil
    } catch {
      return error
    }
  }
}
