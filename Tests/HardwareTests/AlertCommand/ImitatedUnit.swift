import Foundation
import Platform
import Ports
import Testing

@testable import Hardware

/// Stands for systemd's socket and the process behind it, one step at a time.
final class ImitatedUnit {
  private let listener: Int32
  private var connection: Int32 = -1

  init(at path: String) throws {
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let address = try #require(UnixAddress(path: path))
    try #require(address.bind(listener) == nil)
    try #require(listen(listener, 8) == 0)
  }

  deinit {
    hangUp()
    close(listener)
  }

  func accept() throws {
    hangUp()
    connection = Foundation.accept(listener, nil, nil)
    try #require(connection >= 0)
  }

  /// The received request, which its sender has sent whole.
  func request() throws -> NoticeCommandInput {
    try CommandClient(input: connection).request(within: 5).notice
  }

  func answer(_ answer: CommandAnswer) { CommandClient(input: connection).answer(answer) }

  /// Writes as much as there is room for.
  func say(_ text: String) {
    let bytes = Array(text.utf8)
    send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
  }

  /// Reads up to `count` of the received bytes.
  func take(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let taken = recv(connection, &bytes, count, Int32(MSG_DONTWAIT))
    return Array(bytes.prefix(max(0, taken)))
  }

  func hangUp() {
    if connection >= 0 { close(connection) }
    connection = -1
  }
}
