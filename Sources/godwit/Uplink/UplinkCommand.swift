import ArgumentParser

struct UplinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uplink",
    abstract: "Upload records over MQTT or HTTP.",
    discussion: """
      A separate process, which needs no device and only reads the store. The default subcommand \
      is 'run': it queues new records in the outbox, sends the outbox, and ends. Messages that \
      were not received wait for the next run.
      """,
    subcommands: [
      UplinkRunCommand.self, UplinkStatusCommand.self, UplinkLogCommand.self,
      UplinkPauseCommand.self, UplinkResumeCommand.self, UplinkQueueCommand.self,
    ],
    defaultSubcommand: UplinkRunCommand.self)
}
