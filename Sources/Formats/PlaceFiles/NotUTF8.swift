/// A text that is not valid UTF-8, such as one in an older encoding.
enum NotUTF8 {
  static let reason =
    "its text is not UTF-8: convert the file, for example by iconv -f windows-1252 -t UTF-8"
}

extension Sequence<UInt8> {
  var isUTF8: Bool { String(validating: self, as: UTF8.self) != nil }
}
