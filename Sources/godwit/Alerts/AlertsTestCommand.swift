import Ports
import ArgumentParser
import Runtime
import Store

/// `godwit alerts test`: makes the daemon raise an alert as a test.
struct AlertsTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Raise an alert in the daemon, as a test.",
    discussion: """
      The notice is stored, logged in the journal, and passed to the command, with GODWIT_TEST=1 \
      in its environment. `godwit alerts log` shows how the command ended.
      """)

  @Argument(help: "Name or number of the alert.") var alert: String
  @OptionGroup var store: StoreOptions
  @Option(help: ArgumentHelp("Control socket, overrides control.socket.", valueName: "path"))
  var socket: String?

  func run() throws {
    let row = try store.alerts().row(alert)
    let path = try socket ?? store.configuration.load().settings.control.socket
    do throws(PortError) {
      let answer = try ControlClient.query(ControlRequest.alertTest(row.id).json, path: path)
      guard let notice = answer["notice"]?.integer else { return }
      try? OutputBytes.print("raised as notice \(notice)")
    } catch {
      throw CommandError.failed(error.message)
    }
  }
}
