import Glibc
import ReceiverStandIns
import TestSupport

/// A private message bus for one test: Debian's dbus-daemon with a socket in the test's folder.
public final class PrivateBus {
  public static let isInstalled =
    access("/usr/bin/dbus-daemon", X_OK) == 0
    && access("/usr/lib/python3/dist-packages/dbusmock", R_OK) == 0

  public let address: String
  private let folder: ScratchFolder
  private var process: ChildProcess?

  /// - Parameter isRunning: whether it runs from the start.
  public init(isRunning: Bool = true) throws {
    folder = try ScratchFolder()
    address = "unix:path=\(folder.file("bus"))"
    try folder.write(
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <listen>\(address)</listen>
        <policy context="default">
          <allow user="*"/><allow own="*"/>
          <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
        </policy>
      </busconfig>
      """, to: "bus.conf")
    if isRunning { try start() }
  }

  public var socket: String { folder.file("bus") }

  /// Returns when it listens.
  public func start() throws {
    let process = try Started(
      ChildProcess(
        "/usr/bin/dbus-daemon",
        ["--nofork", "--print-address", "--config-file", folder.file("bus.conf")])
    ).process
    guard process.says("unix:path=") else { throw NotStarted(what: "dbus-daemon", process.text) }
    self.process = process
  }

  /// Kills it and removes its socket.
  public func end() {
    process = nil
    unlink(socket)
  }
}

struct NotStarted: Error {
  let what: String
  let said: String

  init(what: String, _ said: String) {
    self.what = what
    self.said = said
  }
}

private struct Started {
  let process: ChildProcess

  init(_ process: ChildProcess?) throws {
    guard let process else { throw NotStarted(what: "a program", "") }
    self.process = process
  }
}
