import Glibc

/// The variables of a command: those of the process that starts it, without those meant for that
/// process alone, and those of the notice.
///
/// systemd gives a unit a clean environment, to which Environment= and LoadCredential= of a drop-in
/// add what the user wants the command to have.
public struct CommandEnvironment: Equatable, Sendable {
  static let usualPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin"
  /// Variables of the connection, and of the service as such (sd_listen_fds(3), sd_notify(3)).
  private static let own = [
    "LISTEN_", "REMOTE_", "NOTIFY_SOCKET=", "WATCHDOG_", "MAINPID=", "MANAGERPID=",
    CommandRequest.prefix,
  ]

  let variables: [String]

  /// - Parameter given: each as `NAME=value`.
  public init(_ request: CommandRequest, given: [String] = ofThisProcess) {
    var variables = given.filter { entry in
      entry.utf8.contains(UInt8(ascii: "=")) && !Self.own.contains { entry.hasPrefix($0) }
    }
    if !variables.contains(where: { $0.hasPrefix("PATH=") }) {
      variables.append("PATH=\(Self.usualPath)")
    }
    let notice = request.variables.map { "\($0.key)=\($0.value)" }
    self.variables = variables + notice.sorted()
  }

  public static var ofThisProcess: [String] {
    var entries: [String] = []
    var next = environ
    while let entry = next.pointee {
      entries.append(String(cString: entry))
      next += 1
    }
    return entries
  }
}
