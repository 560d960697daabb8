import Testing

/// Tests the checker itself: every rule must find the violation planted for it.
@Suite struct RulesTests {
  func violations(_ text: String, module: String = "Tracking", name: String = "Thing") -> [String] {
    let file = SourceText(path: "Sources/\(module)/\(name).swift", text: text)
    return Rules.check(file).map(\.message)
  }

  @Test(
    "an import that the table forbids is found",
    arguments: [
      ("Tracking", "import Foundation"), ("godwit", "import FoundationEssentials"),
      ("Core", "import Records"), ("Core/Quantities", "import Glibc"),
      ("Tracking", "import Formats"),
      ("Tracking", "#if canImport(Glibc)\n  import Glibc\n#endif"), ("Store", "import Hardware"),
      ("Runtime", "import Store"), ("Hardware", "import Config"), ("Records", "import Tracking"),
      ("Tracking", "@testable import Store"), ("Ports", "import struct Store.GeoPackageStore"),
      ("Elsewhere", "import Core"), ("Hardware/Bluetooth", "import Glibc"),
      ("Store/Outbox", "import CSQLite"), ("Hardware/Receivers", "import CSystemd"),
      ("GodwitSettings", "import Glibc"), ("Transports", "import CShims"),
    ])
  func findsForbiddenImports(module: String, line: String) {
    #expect(violations("\(line)\nstruct Thing {}", module: module).count == 1)
  }

  @Test(
    "an import that the table allows passes",
    arguments: [
      ("Tracking", "import Records"), ("Core/Geodesy", "import Glibc"), ("godwit", "import Store"),
      ("Store/SQLite", "import CSQLite"), ("Runtime", "import CSystemd"),
    ])
  func leavesAllowedImportsAlone(module: String, line: String) {
    #expect(violations("\(line)\nstruct Thing {}", module: module) == [])
  }

  @Test("an import that a module may not list is found")
  func findsForbiddenLists() throws {
    let modules = Manifest.modules(
      in: """
        let pure: KeyValuePairs<String, String> = [
          // A comment.
          "Core": "",
          "Config": "Core",
          "Ports": "Core Store",
        ]
        let adapters: KeyValuePairs<String, String> = [
          "Hardware":
            "Core "
            + "Store",
          "Store": "Core Config",
        ]
        let platform: KeyValuePairs<String, String> = [
          "Platform": "Core Config"
        ]
        let runtime: KeyValuePairs<String, String> = [
          "Runtime": "Store"
        ]
        """)
    #expect(
      modules.map(\.name) == [
        "Core", "Config", "Ports", "Platform", "Hardware", "Store", "Runtime",
      ])
    let wrong = modules.flatMap { module in
      modules.filter { module.imports.contains($0.name) && module.objection(to: $0) != nil }
        .map { "\(module.name) \($0.name)" }
    }
    #expect(
      wrong == [
        "Ports Store", "Platform Config", "Hardware Store", "Store Config", "Runtime Store",
      ])
  }

  @Test("an adapter that uses another adapter's type is found") func findsCrossings() {
    func file(_ path: String, _ text: String) -> SourceText {
      SourceText(path: "Sources/Hardware/\(path).swift", text: text)
    }
    let files = [
      file("Bus/Call", "public struct BusCall {}"),
      file("Coarse/Uses", "let call = BusCall() // SwitchLine"),
      file("PowerSwitch/Line", "public final class SwitchLine {}\nlet call: BusCall? = nil"),
      file("Shared", "let line = SwitchLine()"),
    ]
    #expect(
      Rules.crossings(files).map(\.message) == [
        "BusCall belongs to Bus", "SwitchLine belongs to PowerSwitch",
      ])
  }

  @Test(
    "uses of time, chance and the outside world are found in a pure module, and pass in an adapter",
    arguments: [
      "clock_gettime(CLOCK_BOOTTIME, &t)", "let now = Date()", "let c = ContinuousClock()",
      "print(x)", "fputs(x, stderr)", "usleep(1)", "getenv(\"HOME\")", "fopen(p, \"r\")",
      "Int.random(in: 0..<3)", "items.shuffled()", "items.randomElement()", "await thing()",
      "var g = SystemRandomNumberGenerator()", "let s = \"\\(readLine())\"", "Task { }",
    ])
  func findsBannedCalls(line: String) {
    #expect(violations("struct Thing {\n  func f() {\n    \(line)\n  }\n}").count == 1)
    #expect(violations("struct Thing {\n  func f() {\n    \(line)\n  }\n}", module: "Store") == [])
  }

  @Test("calls of the C library are found where it is imported")
  func findsCallsOfTheCLibraryWhereItIsImported() {
    let text = "struct Thing { let x = time(nil) }"
    #expect(violations(text, module: "Core/Geodesy").count == 1)
    #expect(violations(text) == [])
  }

  @Test(
    "comments, strings and harmless calls pass",
    arguments: [
      "// print(x)", "/* Date() /* sleep(1) */ */", "let s = \"print(x)\"", "let s = #\"Date()\"#",
      "let s = \"\"\"\n  print(x) \"quoted\"\n  \"\"\"", "Int.random(in: 0..<3, using: &generator)",
      "writer.print(x)", "func time(at place: Int) {}", "let s = \"a\\\"print(x)\"",
      "try items.shuffled(using: &generator)", "receiver.sleep()", "let date = fix.date",
    ])
  func leavesInnocentLinesAlone(line: String) {
    #expect(violations("struct Thing {\n  \(line)\n}") == [])
  }

  @Test(
    "names with nonstandard terms are found",
    arguments: ["let told = 1", "func tellAll() {}", "var lastHeard = 2", "case mailDesk"])
  func findsBannedWords(line: String) {
    #expect(!violations("struct Thing {\n  \(line)\n}").isEmpty)
  }

  @Test(
    "words that only contain such terms pass",
    arguments: ["let layer = 1", "func reported() {}", "var display = 2", "let s = \"told\""])
  func leavesOtherWordsAlone(line: String) {
    #expect(violations("struct Thing {\n  \(line)\n}") == [])
  }

  @Test("files, lines and bodies that are too long are found")
  func findsLongFilesLinesAndFunctions() {
    let empty = String(repeating: "\n", count: 401)
    #expect(violations("struct Thing {}\(empty)") == ["401 lines, at most 400"])
    let wide = "struct Thing { let x = \(String(repeating: "1", count: 100)) }"
    #expect(violations(wide).count == 1)
    let body = String(repeating: "    x += 1\n", count: 69)
    let long = "struct Thing {\n  func f(\n    x: () -> Void) {\n\(body)  }\n}"
    #expect(violations(long) == ["f has 72 lines, at most 70"])
    let short = "struct Thing {\n  func f() {\n\(body.dropFirst(11))  }\n}"
    #expect(violations(short) == [])
    let property = "struct Thing {\n  var p: Int {\n\(body)\n  }\n}"
    #expect(violations(property) == ["p has 72 lines, at most 70"])
  }

  @Test("a protocol requirement has no body") func requirementsHaveNoBody() {
    let file = SourceText(
      path: "Sources/Ports/Thing.swift",
      text: """
        protocol Thing {
          var name: String { get }
          func open() throws(Failure)
          init(x: Int)
        }
        struct Other {
          var stored = 1
          init(x: Int) { stored = x }
        }
        """)
    #expect(FunctionBodies(file).all.map(\.name) == ["name", "init"])
  }

  @Test("meaningless names are found") func findsNamesThatSayNothing() {
    #expect(violations("struct Other {}") == ["declares no type Thing, after which it is named"])
    #expect(violations("extension Thing {}", name: "Thing+More") == [])
    #expect(violations("extension Other {}", name: "Thing+More").count == 1)
    #expect(violations("extension Other {}").count == 1)
    #expect(violations("extension Other {}\nstruct Thing {}") == [])
    #expect(violations("struct StringUtils {}", name: "StringUtils").count == 1)
    #expect(violations("struct Thing {}\nclass PowerManager {}").count == 1)
  }

  @Test("closures and interpolation are found in a test's attribute, not in its body")
  func findsClosuresAndInterpolationInTestAttributes() {
    let file = SourceText(
      path: "Tests/ThingTests/ThingTests.swift",
      text: """
        @Suite(.enabled(
          if: there, "no \\(thing)"))
        struct ThingTests {
          @Test(arguments: ["\\\\(x)"])
          func f() { print("\\(x)") }
          @Test func g() { print("\\(x)") }
          @Test(arguments: items.map { $0 }) func h() {}
          @Test(arguments: items.map(f)) func i() { if x { y() } }
        }
        """)
    #expect(Rules.testAttributes(file).map(\.line) == [2, 7])
  }

  @Test("a test without a display name is found")
  func findsTestsWithoutNames() {
    let file = SourceText(
      path: "Tests/ThingTests/ThingTests.swift",
      text: """
        @Suite struct ThingTests {
          @Test func f() {}
          @Test("it works") func g() { let text = "@Test func h() {}" }
          @Test(arguments: ["x"]) func i(x: String) {}
          @Test(
            "it works with each", arguments: ["x"])
          func j(x: String) {}
          @Test("") func k() {}
          // @Test func l() {}
          @Test(.enabled(if: there))
          func m() {}
        }
        """)
    #expect(Rules.testNames(file).map(\.line) == [2, 4, 8, 10])
  }

  private func typeViolations(_ texts: String...) -> [String] {
    let files = texts.enumerated().map { index, text in
      SourceText(path: "Sources/Tracking/Thing+\(index).swift", text: text)
    }
    return Rules.types(files).map(\.message)
  }

  @Test("a type's length includes all its extensions")
  func findsLongTypes() {
    let half = String(repeating: "  func f() {}\n", count: 199)
    let declared = "struct Thing {\n\(half)}"
    #expect(typeViolations(declared, "extension Thing {\n\(half.dropFirst(28))}") == [])
    #expect(
      typeViolations(declared, "extension Thing\nwhere X: Y {\n\(half)}") == [
        "Tracking/Thing has 403 lines in all, at most 400"
      ])
    #expect(typeViolations(declared, "extension Other {\n\(half)}") == [])
    let nested = "struct Thing {\n  enum Inner {\n\(half)\(half)  }\n}"
    #expect(typeViolations(nested) == ["Tracking/Thing has 402 lines in all, at most 400"])
  }

  @Test("publicly writable state is found, whichever file changes it")
  func findsOpenState() {
    let five = String(repeating: "  public internal(set) var x = 1\n", count: 5)
    let four = String(repeating: "  private(set) var x: Int?\n", count: 4)
    let verb = "  mutating func go() {}\n"
    let violation = ["Tracking/Thing has 9 stored variables, and others may write 5"]
    #expect(typeViolations("struct Thing {\n\(five)\(four)\(verb)}") == violation)
    #expect(
      typeViolations("struct Thing {\n\(five)\(four)}", "extension Thing {\n\(verb)}") == violation)
    #expect(typeViolations("final class Thing {\n\(five)\(four)  func go() {}\n}") == violation)
    #expect(typeViolations("struct Thing {\n\(five)\(four)  func go() {}\n}") == [], "a record")
    let settings = "  mutating func declare(_ setting: SettingVisitor) {}\n"
    #expect(typeViolations("struct Thing {\n\(five)\(four)\(settings)}") == [], "settings")
    #expect(typeViolations("struct Thing {\n\(four)\(four)\(five)\(verb)}") == [])
    let observed = String(repeating: "  var x: Int {\n    didSet {}\n  }\n", count: 9)
    #expect(typeViolations("struct Thing {\n\(observed)\(verb)}").count == 1)
    let computed = String(repeating: "  var x: Int { 1 }\n  static var y = 1\n", count: 9)
    #expect(typeViolations("struct Thing {\n\(computed)\(verb)}") == [])
    let inner = "  struct Inner {\n\(five)\(four)  }\n"
    #expect(typeViolations("struct Thing {\n\(inner)\(verb)}") == [])
  }
}
