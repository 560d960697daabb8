import ArgumentParser

#if canImport(Glibc)
  import Glibc
#endif

@main
struct Godwit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "godwit",
    abstract: "Energy-aware GNSS tracking for ARM Linux boards.",
    version: "0.1.0",
    subcommands: [
      RunCommand.self, StatusCommand.self, GnssCommand.self,
      ReplayCommand.self, SimulateCommand.self, DecodeCommand.self,
      TrackCommand.self, VisitsCommand.self, DestinationsCommand.self, ExportCommand.self,
      ConfigCommand.self, DoctorCommand.self,
    ])

  /// Exit codes: 0 done, 1 failed, 2 wrong usage or configuration.
  static func main() {
    var messages = StandardError()
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let error as CommandError {
      print("godwit: \(error.message)", to: &messages)
      if case .wrongUsage = error { Glibc.exit(2) }
      Glibc.exit(1)
    } catch {
      let code = exitCode(for: error)
      let text = fullMessage(for: error)
      guard !code.isSuccess else { return print(text) }
      print(text, to: &messages)
      Glibc.exit(code == .validationFailure ? 2 : 1)
    }
  }
}
