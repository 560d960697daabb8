/// Why a command failed. The message says what happened, where, and what to do next.
enum CommandError: Error, Equatable {
  /// Exit code 1.
  case failed(String)
  /// Exit code 2: wrong usage or configuration.
  case wrongUsage(String)

  var message: String {
    switch self {
    case .failed(let text), .wrongUsage(let text): text
    }
  }

  var exitCode: Int32 {
    switch self {
    case .failed: 1
    case .wrongUsage: 2
    }
  }
}
