import Glibc
import ReceiverStandIns

/// A service on a private bus, imitated by python-dbusmock.
public final class MockedService {
  public let name: String
  private let path: String
  private let bus: PrivateBus
  private let process: ChildProcess

  /// Returns when it owns its name.
  /// - Parameters:
  ///   - path: the path of its main object, whose class is dbusmock's.
  ///   - template: dbusmock's own imitation of the service.
  public init(
    _ name: String, path: String, interface: String, template: String? = nil, on bus: PrivateBus
  ) throws {
    self.name = name
    self.path = path
    self.bus = bus
    let options =
      template.map { "'--template', '\($0)'" } ?? "'-m', '\(name)', '\(path)', '\(interface)'"
    // The main loop runs the first idle callback when everything is set up.
    let launcher = """
      import runpy, sys
      from gi.repository import GLib
      def ready():
        import dbusmock.mockobject as mock
        mock.objects['\(path)'].AddMethod('test.Python', 'Run', 's', '', 'exec(args[0])')
        print('is ready', flush=True)
      GLib.idle_add(ready)
      sys.argv = ['dbusmock', '--system', \(options)]
      runpy.run_module('dbusmock', run_name='__main__')
      """
    let environment = ["DBUS_SYSTEM_BUS_ADDRESS=\(bus.address)", "PATH=/usr/bin:/bin"]
    guard
      let process = ChildProcess(
        "/usr/bin/python3", ["-c", launcher], environment: environment)
    else { throw NotStarted(what: name, "") }
    self.process = process
    guard process.says("is ready", within: 30) else {
      throw NotStarted(what: name, process.text)
    }
  }

  /// Runs Python in it, with the main object as `self` and all objects as `objects`.
  public func run(_ python: String) throws {
    let call = ChildProcess(
      "/usr/bin/dbus-send",
      [
        "--bus=\(bus.address)", "--print-reply", "--reply-timeout=60000", "--dest=\(name)", path,
        "test.Python.Run", "string:\(python)",
      ])
    guard let call, call.exitCode(within: 60) == 0 else {
      throw NotStarted(what: python, call?.text ?? "")
    }
  }

  /// Waits until a method was called, since the last call of `hears`.
  public func hears(_ method: String, within seconds: Double = 10) -> Bool {
    process.says(" \(method)", within: seconds)
  }

  /// Stops it while it stays on the bus.
  public func freeze() { process.signal(SIGSTOP) }

  public func thaw() { process.signal(SIGCONT) }
}
