import ArgumentParser

@main
struct Godwit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "godwit",
    abstract: "Energy-aware GNSS tracking for ARM Linux boards.",
    version: "0.1.0",
    subcommands: [DecodeCommand.self])
}
