import ArgumentParser
import Records
import Core
import Places
import Platform
import Store

/// `godwit contents calendar`: a content as an event for a calendar program.
struct ContentsCalendarCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calendar", abstract: "Write a content as a calendar event (iCalendar).",
    discussion: "The event lowers the score of the content by 100.")

  @OptionGroup var options: ContentOptions
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Output file. Default: standard output.", valueName: "file"),
    completion: .file(extensions: ["ics"]))
  var output: String?

  func run() throws {
    let content = try options.shown()
    let text: String
    do throws(ContentRefusal) {
      text = try ContentCalendar.text(
        of: content.item, at: BootClock.systemDate, place: content.place?.name,
        position: content.position)
    } catch {
      throw CommandError.failed("\(TerminalText.line(content.item.title)): \(error.message)")
    }
    if let output { try options.store.protected().refuse(output, namedBy: "--output") }
    // The file is written first: a use counts only if the user has received it.
    do throws(FileFailure) {
      if let output {
        let file = try AtomicFile(path: output)
        try file.write(Array(text.utf8))
        try file.commit()
      } else if !options.json {
        try OutputBytes.print(text, terminator: "")
      }
    } catch {
      throw CommandError.failed(error.description)
    }
    let after = try options.store.count(.addedToCalendar, of: content)
    guard options.json else { return }
    var writer = JSONWriter()
    writer.object { json in
      json.key("content")
      ListedContent.columns.append(after, to: &json)
      json.field("file", output)
      json.field("calendar", output == nil ? text : nil)
    }
    try OutputBytes.print(String(decoding: writer.bytes, as: UTF8.self))
  }
}

extension ListedContent {
  fileprivate var position: Coordinate? {
    if case .fixed(let position)? = place?.location { position } else { nil }
  }
}
