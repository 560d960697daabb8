import Hardware
import ArgumentParser
import GodwitSettings
import Ports
import Core

/// `godwit alerts execute`: run by `godwit-alert@.service` for each notice that the daemon sends to
/// `godwit-alert.socket`. The command comes from the settings, never from the request.
struct AlertsExecuteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "execute",
    abstract: "Run alerts.command for the notice on standard input.",
    shouldDisplay: false)

  @OptionGroup var options: ConfigOptions

  func run() throws {
    let client = CommandClient()
    let request: CommandRequest
    do throws(CommandRequest.Fault) {
      request = try client.request()
    } catch {
      let why = "the notice on standard input cannot be read: \(error.text)"
      client.answer(CommandAnswer(to: nil, .failed(why)))
      throw CommandError.wrongUsage("alerts execute: \(why)")
    }
    let id = request.notice.id
    let command: CommandRun
    do {
      command = try configured(request.timeout)
    } catch let error as CommandError {
      client.answer(CommandAnswer(to: id, .failed(error.message)))
      throw error
    }
    let result = command.run(in: CommandEnvironment(request))
    client.answer(CommandAnswer(to: id, result))
    switch result {
    case .done(0): break
    case .done(let status):
      throw CommandError.failed("notice \(id): \(command.program) ended with exit status \(status)")
    case .failed(let why), .unanswered(let why): throw CommandError.failed("notice \(id): \(why)")
    }
  }

  /// - Parameter timeout: the daemon's timeout; its settings may differ from the present file.
  private func configured(_ timeout: Seconds?) throws -> CommandRun {
    let settings = try options.load().settings
    guard let command = CommandRun(settings.alerts.command, timeout: timeout) else {
      let file = options.file
      throw CommandError.wrongUsage("alerts.command is not set in \(file); set it there")
    }
    return command
  }
}
