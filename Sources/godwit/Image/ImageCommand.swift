import ArgumentParser
import Config
import GodwitSettings

/// `godwit image`: commands for board images, which configure a system from the settings file on
/// the boot partition.
struct ImageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "image", abstract: "Set up an image from the file on its boot partition.",
    subcommands: [ImageApplyCommand.self, ImageReadyCommand.self, Template.self])

  /// The login user of the images in this repository; the daemon's own user cannot log in.
  static let user = "godwit-admin"

  struct Template: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "settings", abstract: "Print the settings file for a boot partition.")

    @Option(
      name: .customLong("board"),
      help: ArgumentHelp("Board to name in the file. May be repeated.", valueName: "name"),
      completion: CompletedWords.boards)
    var boards: [String] = []
    @Option(help: ArgumentHelp("User that the ssh keys admit.", valueName: "name"))
    var user = ImageCommand.user
    @Flag(help: "Include every setting, with its explanation and default.") var all = false

    func run() throws {
      let text =
        all
        ? SettingsText.render(BootFile<Settings>()) : BootTemplate.text(boards: boards, user: user)
      try OutputBytes.print(text, terminator: "")
    }
  }
}
