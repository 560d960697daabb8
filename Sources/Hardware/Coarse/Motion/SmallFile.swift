import Platform

/// An attribute in sysfs for which each error code has its own meaning.
enum SmallFile {
  /// - Returns: the driver's error; nil: it has accepted the value.
  static func write(_ text: String, to path: String) -> SystemError? {
    do throws(SystemError) {
      try SystemFiles.write(text, to: path)
      return nil
    } catch {
      return error
    }
  }
}
