import Foundation
import TestSupport
import Testing

/// `godwit cells`, as a program.
@Suite struct CellsCommandTests {
  let scratch: ScratchFolder
  let table: String

  init() throws {
    scratch = try ScratchFolder()
    table = scratch.file("godwit.cells")
    let rows = (1...300).map {
      "LTE,\($0 % 3 == 0 ? 204 : 262),2,801,\($0),0,13.2,52.5,500,9,1,1,1609459200,-80\n"
    }
    try scratch.write(rows.joined() + "nonsense\n", to: "cells.csv")
  }

  @Test("a table is imported, filtered, and shown") func imports() throws {
    let outcome = try Program.run(
      "cells", "import", scratch.file("cells.csv"), "--mcc", "262", "--table", table)
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    #expect(
      outcome.output == """
        skipped: 1 row with too few columns
        not selected: 100 rows elsewhere
        \(table): 200 cells, from 200 rows

        """)
    let info = try Program.run("cells", "show", "--table", table)
    #expect(info.output.hasPrefix("country 262: 200 cells\n"))
    #expect(info.output.contains("the newest measured on 2021-01-01"))
    let json = try Program.run("cells", "show", "--json", "--table", table)
    #expect(json.output.contains(#""countries":[{"mcc":262,"cells":200}]"#), "\(json.output)")
  }

  @Test("a table can be gzipped or come from standard input") func packed() throws {
    #expect(try run("gzip", "-k", scratch.file("cells.csv")).status == 0)
    let unpacked = try Program.run(
      "cells", "import", scratch.file("cells.csv.gz"), "--table", table)
    #expect(unpacked.output.hasSuffix("\(table): 300 cells, from 300 rows\n"))
    let piped = try Program.shell(
      "cells import - --add --table \(table) <\(scratch.file("cells.csv"))", "sh")
    #expect(piped.output.hasSuffix("\(table): 300 cells, from 300 rows\n"), "\(piped.messages)")
    let whole = try Data(contentsOf: URL(fileURLWithPath: scratch.file("cells.csv.gz")))
    try whole.prefix(whole.count / 2).write(
      to: URL(fileURLWithPath: scratch.file("half.csv.gz")))
    let half = try Program.run(
      "cells", "import", scratch.file("half.csv.gz"), "--table", table)
    #expect(half.exitCode == 1)
    #expect(half.messages.contains("the table was not changed"))
  }

  @Test(
    "the error for a file that is no table of cells states its kind",
    arguments: [
      ("WigleWifi-1.6,appRelease=x\nMAC,SSID\n", "WiGLE"),
      ("SQLite format 3\0 and more", "a database"), ("", "no valid row of a cell"),
      ("a,b,c\n", "no valid row of a cell"),
      ("r\0a\0d\0i\0o\0,\0m\0c\0c\0\n\0", "save it as UTF-8"),
    ])
  func refusals(text: String, word: String) throws {
    try scratch.write(text, to: "other.csv")
    let outcome = try Program.run(
      "cells", "import", scratch.file("other.csv"), "--table", table)
    #expect(outcome.exitCode == 1)
    #expect(outcome.messages.contains(word), "\(outcome.messages)")
    #expect(!scratch.files.contains("godwit.cells"))
  }

  @Test(
    "a filter without matches does not remove the old table",
    arguments: [["--mcc", "999"], ["--box", "0,0,1,1"], ["--add", "--mcc", "999"]])
  func nothingWanted(choice: [String]) throws {
    try scratch.write("LTE,262,2,801,1795,0,13.2,52.5,5716,9,1,1,1,0\n", to: "one.csv")
    let order = ["cells", "import", scratch.file("one.csv"), "--table", table]
    try #require(try Program.run(order).exitCode == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: table))
    let outcome = try Program.run(order + choice)
    #expect(outcome.exitCode == 1)
    #expect(outcome.messages.contains("check --mcc and --box"), "\(outcome.messages)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: table)) == before)
    #expect(scratch.files == ["cells.csv", "godwit.cells", "one.csv"])
  }

  @Test("wrong arguments are refused") func wrongUsage() throws {
    for words in [["--mcc", "1000"], ["--mcc", "de"], ["--box", "1,2,3"], ["--box", "9,1,2,3"]] {
      let outcome = try Program.run(
        ["cells", "import", scratch.file("cells.csv"), "--table", table] + words)
      #expect(outcome.exitCode == 2, "\(words)")
    }
    let missing = try Program.run("cells", "import", scratch.file("no.csv"), "--table", table)
    #expect(missing.exitCode == 1)
    #expect(missing.messages.contains("no.csv"))
    #expect(try Program.run("cells", "show", "--table", table).exitCode == 1)
  }
}
