import ArgumentParser
import Core
import Store

struct CellsShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the number of imported cells by country, and their age.")

  @OptionGroup var table: CellTableOptions
  @Flag(help: "Print one JSON object.") var json = false

  func run() throws {
    let path = try table.path()
    do {
      guard let contents = try CellTableContents(path: path) else {
        throw CommandError.failed(
          "\(path): there is no cell table; create one with `godwit cells import`")
      }
      try OutputBytes.print(json ? Self.json(contents, path).text : Self.text(contents, path))
    } catch let error as CellImportError {
      throw CommandError.failed(error.message)
    }
  }

  private static func text(_ contents: CellTableContents, _ path: String) -> String {
    var lines = contents.countries.map {
      "country \($0.mcc): \(Counted.text($0.cells, "cell"))"
    }
    let newest = contents.newest.map { ", the newest measured on \(day($0))" } ?? ""
    lines.append(
      "\(path): \(Counted.text(contents.cells, "cell")), "
        + "\((contents.bytes + 999) / 1000) kB\(newest)"
    )
    return lines.joined(separator: "\n")
  }

  private static func day(_ seconds: Int64) -> String {
    String(ISO8601.text(UTCInstant(seconds: Double(seconds))).prefix(10))
  }

  private static func json(_ contents: CellTableContents, _ path: String) -> JSONValue {
    .object([
      ("table", .string(path)), ("bytes", .number(Double(contents.bytes))),
      ("cells", .number(Double(contents.cells))),
      ("newest", contents.newest.map { .string(day($0)) } ?? .null),
      (
        "countries",
        .array(
          contents.countries.map {
            .object([("mcc", .number(Double($0.mcc))), ("cells", .number(Double($0.cells)))])
          })
      ),
    ])
  }
}
