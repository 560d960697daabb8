import ArgumentParser
import Messaging
import Core
import Records

/// `godwit letters import`: reads letters from a file.
struct LettersImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import letters, letterboxes and receipts from a file.",
    discussion: """
      Reads a file of `godwit letters export`: a message on each line, or all of them in one JSON \
      list. Invalid messages, and those of senders that you do not accept, are reported; all \
      others are imported. Known messages change nothing. New ones are printed before the counts.
      """)

  @Argument(help: "Input file; - is standard input.", completion: .file()) var file: String
  @OptionGroup var store: StoreOptions

  /// Messages stored in one transaction; after an interruption those stored so far stay.
  private static let batch = 1000
  /// Bytes parsed at a time, because garbage may cause an error every few bytes.
  private static let piece = 1 << 16

  func run() throws {
    _ = try store.owner()
    var tally = LetterImportCounts()
    do {
      let input = try InputBytes(
        path: file, advice: "specify the path of a file of letters, or - for standard input")
      var reader = LetterFileReader()
      var entries: [LetterFileEntry] = []
      // Errors of the store are reported before a large file is read.
      try importBatch(&entries, &tally)
      while let bytes = try input.next() {
        for start in stride(from: 0, to: bytes.count, by: Self.piece) {
          reader.feed(
            ArraySlice(bytes[start..<min(start + Self.piece, bytes.count)]), into: &entries)
          tally.removeFaults(of: &entries)
          if entries.count >= Self.batch { try importBatch(&entries, &tally) }
        }
      }
      reader.finish(into: &entries)
      tally.removeFaults(of: &entries)
      try importBatch(&entries, &tally)
    } catch let error as FileFailure {
      throw CommandError.failed(error.description)
    }
    try tally.report(of: file)
  }

  private func importBatch(_ entries: inout [LetterFileEntry], _ tally: inout LetterImportCounts)
    throws
  {
    let batch = entries
    let before = tally
    tally = try store.changePeople { table in
      var (changes, tally): ([MessageChange], LetterImportCounts) = ([], before)
      for entry in batch {
        guard case .success(let message) = entry.message else { continue }
        guard message.isFor(table) else {
          tally.passOver()
          continue
        }
        let turn = try table.apply(PeopleAction(.imported(message), of: nil))
        changes.append(turn.change)
        tally.add(turn, of: entry, message, table)
      }
      return (MessageChange(joining: changes), tally)
    }.outcome
    entries.removeAll(keepingCapacity: true)
  }
}

/// Counts the results of importing a file.
struct LetterImportCounts {
  /// Lines to be reported; beyond the maximum they are only counted.
  private struct Lines {
    private static let most = 20

    private(set) var count = 0
    private var texts: [String] = []

    mutating func add(_ text: String) {
      count += 1
      if texts.count < Self.most { texts.append(text) }
    }

    /// - Parameter word: describes the remaining lines.
    func all(_ word: String) -> [String] {
      texts + (count > texts.count ? ["and \(count - texts.count) more \(word)"] : [])
    }
  }

  private var imported = 0
  private var known = 0
  private var others = 0
  private var refused = Lines()
  private var newLines = Lines()
  /// About other letters in the store, for example one whose letterbox is for other people now.
  private var remarks = Lines()

  /// Removes and reports entries that are no valid message.
  mutating func removeFaults(of entries: inout [LetterFileEntry]) {
    entries.removeAll { entry in
      guard case .failure = entry.message else { return false }
      refused.add(entry.description)
      return true
    }
  }

  /// Counts a message for another person.
  mutating func passOver() { others += 1 }

  mutating func add(
    _ turn: MessagingResult, of entry: LetterFileEntry, _ message: PeerMessage,
    _ table: PeopleTable
  ) {
    let faults = turn.refusals.filter { $0.concerns(message.id) }
    if let fault = faults.first {
      refused.add("\(entry): \(fault)")
    } else if turn.change.isEmpty {
      known += 1
    } else {
      imported += 1
    }
    for one in turn.notifications { newLines.add(one.text(table.messaging.contacts, me: table.me)) }
    for refusal in turn.refusals where !refusal.concerns(message.id) {
      remarks.add(refusal.description)
    }
  }

  func report(of file: String) throws {
    for text in refused.all("refused") + remarks.all("remarks") { StandardError.report(text) }
    for text in newLines.all("news") { try OutputBytes.print(TerminalText.line(text)) }
    let summary =
      "\(imported) imported, \(known) known, \(others) for others, \(refused.count) refused"
    guard imported + known + others > 0 || refused.count == 0 else {
      throw CommandError.failed("\(file): \(summary)")
    }
    try OutputBytes.print(summary)
  }
}

extension PeerMessage {
  /// Files are passed around, and contain messages for other people.
  fileprivate func isFor(_ table: PeopleTable) -> Bool {
    let me = table.me
    return switch self {
    case .letter(let letter): letter.to.include(me)
    // A box that was for the owner may be for other people now.
    case .box(let box):
      box.concerns(me)
        || table.messaging.letterboxes.contains { $0.id == box.id }
    case .receipt(let receipt): receipt.to == me || receipt.by == me
    // The addressee is unknown unless the letter is here.
    case .withdrawal: true
    // Not in a file.
    case .group, .position, .meeting, .attendance: false
    }
  }
}
