/// A text that would be a different one when it is read as UTF-8, as one of an older encoding is.
enum NotUTF8 {
  static let reason =
    "its text is not UTF-8: convert the file, for example by iconv -f windows-1252 -t UTF-8"
}

extension Sequence<UInt8> {
  var isUTF8: Bool { String(validating: self, as: UTF8.self) != nil }
}
