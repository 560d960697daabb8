import Foundation
import TestSupport
import Testing

/// Does what systemd does for godwit-alert.socket: accepts, and starts the program with the
/// connection as its standard input.
final class ListeningSocket {
  private let listener: Int32

  init(_ path: String) throws {
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0 && listen(listener, 8) == 0)
  }

  deinit { close(listener) }

  /// - Returns: the program's exit code.
  func serve(with settings: String) throws -> Int32 {
    let connection = FileHandle(fileDescriptor: accept(listener, nil, nil), closeOnDealloc: true)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProgram.path("godwit"))
    process.arguments = ["alerts", "execute", "--board", "/dev/null", "--config", settings]
    process.standardInput = connection
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
