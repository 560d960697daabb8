import Glibc
import Platform

/// Why a file could not be read or written, for people.
struct FileFailure: Error, CustomStringConvertible {
  let description: String

  init(_ action: String, _ name: String, code: Int32, advice: String? = nil) {
    let why = "cannot \(action) \(name): \(SystemError(code: code).text)"
    description = advice.map { "\(why); \($0)" } ?? why
  }

  /// For a file that is written under another name in the same folder.
  init(writing name: String, _ failure: SystemError) {
    let advice: String? =
      switch failure.code {
      case ENOENT: "its folder has to exist"
      case EEXIST: "it has appeared in the meantime; name another file"
      default: nil
      }
    self.init("write", name, code: failure.code, advice: advice)
  }
}
