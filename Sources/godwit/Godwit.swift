import ArgumentParser
import CVersion

#if canImport(Glibc)
  import Glibc
#endif

@main
struct Godwit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "godwit",
    abstract: "Energy-aware GNSS tracking for ARM Linux boards.",
    version: String(cString: godwit_version()),
    subcommands: [
      RunCommand.self, StatusCommand.self, WatchCommand.self, GnssCommand.self, CoarseCommand.self,
      NearCommand.self, PowerCommand.self,
      ReplayCommand.self, SimulateCommand.self, DecodeCommand.self,
      TrackCommand.self, VisitsCommand.self, TripsCommand.self, DestinationsCommand.self,
      PlacesCommand.self, ContentsCommand.self, ContactsCommand.self, LettersCommand.self,
      LetterboxesCommand.self,
      GroupsCommand.self, MeetingsCommand.self, AlertsCommand.self, ExportCommand.self,
      UplinkCommand.self, CollectCommand.self, MetricsCommand.self,
      StoreCommand.self, CellsCommand.self, ConfigCommand.self, ImageCommand.self,
      DoctorCommand.self,
      ManualCommand.self,
    ])

  /// Exit codes: 0 done, 1 failed, 2 wrong usage or configuration.
  static func main() {
    var messages = StandardError()
    occupyStandardDescriptors()
    if let shortage = StackLimit.shortage {
      print("godwit: \(shortage)", to: &messages)
      Glibc.exit(1)
    }
    var arguments: [String] = []
    do {
      arguments = try ProgramArguments.all()
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch let error as CommandError {
      let report = FailureReport(message: error.message, exitCode: error.exitCode)
      // Settings may have several problems, one per line.
      for line in error.message.split(separator: "\n") { print("godwit: \(line)", to: &messages) }
      report.printJSON(askedFor: arguments)
      Glibc.exit(report.exitCode)
    } catch let code as ExitCode {
      // Everything has been printed already.
      Glibc.exit(code.rawValue)
    } catch {
      ended(by: error, arguments, saying: &messages)
    }
  }

  /// Handles requested help, usage errors of the parser, and any other error.
  private static func ended(
    by error: any Error, _ arguments: [String], saying messages: inout StandardError
  ) {
    let report: FailureReport
    let text = fullMessage(for: error)
    switch exitCode(for: error) {
    case .success:
      do {
        try OutputBytes.print(text)
      } catch {
        print("godwit: \(error)", to: &messages)
        Glibc.exit(1)
      }
      return
    case .validationFailure:
      let prefix = "Error: "
      print(
        text.hasPrefix(prefix) ? "godwit: \(text.dropFirst(prefix.count))" : text, to: &messages)
      report = FailureReport(message: message(for: error), exitCode: 2)
    default:
      print("godwit: \(error)", to: &messages)
      report = FailureReport(message: "\(error)", exitCode: 1)
    }
    report.printJSON(askedFor: arguments)
    Glibc.exit(report.exitCode)
  }

  /// A closed standard descriptor would be assigned to the next file that is opened, and printed
  /// text would end up in it. It is occupied by a file that rejects such use.
  private static func occupyStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // open(2) returns the lowest free number.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// Why a command failed. The message says what happened, where, and what to do about it.
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
