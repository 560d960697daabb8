import Foundation
import Testing

/// The rules of the architecture, asked of the real sources.
@Suite struct ArchitectureTests {
  @Test("every source file keeps the rules") func sourcesKeepTheRules() throws {
    let files = try SourceText.sources.get()
    #expect(files.count > 50)
    for violation in files.flatMap(Rules.check) {
      Issue.record("\(violation)")
    }
  }

  @Test("a type keeps its size and its state, however many files it has")
  func typesKeepTheRules() throws {
    for violation in Rules.types(try SourceText.sources.get()) {
      Issue.record("\(violation)")
    }
  }

  @Test("tests have names, keep to the sizes and have attributes for every compiler")
  func testsKeepTheRules() throws {
    let files = try SourceText.tests.get()
    let violations = files.flatMap {
      Rules.size($0) + Rules.functionLength($0) + Rules.testAttributes($0) + Rules.testNames($0)
    }
    for violation in violations {
      Issue.record("\(violation)")
    }
  }

  /// Every folder of Sources is in the table of modules or a module of C headers, and the other way
  /// round.
  @Test("the table of modules names the folders of Sources and no others")
  func everyModuleIsKnown() throws {
    let sources = SourceText.package.appendingPathComponent("Sources")
    let folders = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    let modules = folders.filter { folder in
      !["module.modulemap", "include"].contains {
        FileManager.default.fileExists(
          atPath: sources.appendingPathComponent("\(folder)/\($0)").path)
      }
    }
    #expect(Set(modules) == Set(Module.all.map(\.name)))
  }

  @Test("every module has tests", arguments: Module.withBehaviour)
  func everyModuleHasTests(module: String) throws {
    let files = try SourceText.tests.get().filter {
      $0.module.lowercased() == "\(module)tests".lowercased()
    }
    let tests = files.flatMap(\.code).count { $0.contains("@Test") }
    #expect(tests > 0, "Tests/\(module)Tests holds no test")
  }

  @Test("the top level contains nothing else") func topLevelHoldsNothingElse() throws {
    let allowed: Set = [
      "Package.swift", "Package.resolved", "Sources", "Tests", "board", "debian", "docs", "udev",
      "Makefile", "README.md", "LICENSE", "demo",
    ]
    let names = try FileManager.default.contentsOfDirectory(atPath: SourceText.package.path)
    #expect(names.filter { !$0.hasPrefix(".") && !allowed.contains($0) } == [])
  }
}

extension Violation {
  /// The type that a message begins with.
  fileprivate var subject: String { String(message.prefix { $0 != " " }) }
}
