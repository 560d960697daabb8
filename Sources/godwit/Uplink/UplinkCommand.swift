import ArgumentParser

struct UplinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uplink",
    abstract: "Hand records on: through brokers of MQTT, and to receivers of web requests.",
    discussion: """
      A process of its own, which needs no device and only reads the store. Without a subcommand \
      it is 'run': what is new goes into the outbox, what waits there goes out, and it ends. What \
      was not received waits for the next run.
      """,
    subcommands: [
      UplinkRunCommand.self, UplinkStatusCommand.self, UplinkLogCommand.self,
      UplinkPauseCommand.self, UplinkResumeCommand.self, UplinkQueueCommand.self,
    ],
    defaultSubcommand: UplinkRunCommand.self)
}
