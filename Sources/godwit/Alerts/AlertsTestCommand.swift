import Ports
import ArgumentParser
import Runtime
import Store

/// `godwit alerts test`: makes the daemon raise an alert as a test.
struct AlertsTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Have the daemon raise an alert, to try what happens.",
    discussion: """
      It goes the whole way: stored, told in the journal, handed to the command, whose variable \
      GODWIT_TEST is 1. `godwit alerts log` says how the command ended.
      """)

  @Argument(help: "Its name or its number.") var alert: String
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
