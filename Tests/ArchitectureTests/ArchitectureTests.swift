import Foundation
import Testing

/// The rules of the architecture, applied to the real sources.
@Suite struct ArchitectureTests {
  @Test("every source file follows the rules") func sourcesKeepTheRules() throws {
    let files = try SourceText.sources.get()
    #expect(files.count > 50)
    for violation in files.flatMap(Rules.check) {
      Issue.record("\(violation)")
    }
  }

  @Test("a type stays within limits of size and state over all its files")
  func typesKeepTheRules() throws {
    for violation in Rules.types(try SourceText.sources.get()) {
      Issue.record("\(violation)")
    }
  }

  @Test("tests have names, stay within the size limits and have attributes for every compiler")
  func testsKeepTheRules() throws {
    let files = try SourceText.tests.get()
    let violations = files.flatMap {
      Rules.size($0) + Rules.functionLength($0) + Rules.testAttributes($0) + Rules.testNames($0)
    }
    for violation in violations {
      Issue.record("\(violation)")
    }
  }

  @Test("the manifest lists exactly the folders of Sources") func everyModuleIsKnown() throws {
    let sources = SourceText.package.appendingPathComponent("Sources")
    let folders = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    let modules = folders.filter { folder in
      !["module.modulemap", "include"].contains {
        FileManager.default.fileExists(
          atPath: sources.appendingPathComponent("\(folder)/\($0)").path)
      }
    }
    let all = try Module.all.get()
    #expect(Set(modules) == Set(all.map(\.name)))
    for module in all {
      for subject in module.subjects where subject != module.name {
        let folder = sources.appendingPathComponent("\(module.name)/\(subject)")
        #expect(FileManager.default.fileExists(atPath: folder.path), "\(folder.path)")
      }
    }
    // C targets count, too.
    #expect(folders.count <= 30)
  }

  @Test("the manifest keeps pure code pure, and adapters separate") func manifestKeepsTheLayers()
    throws
  {
    let all = try Module.all.get()
    for module in all {
      for other in all where module.imports.contains(other.name) {
        let objection = module.objection(to: other)
        #expect(objection == nil, "\(module.name) imports \(other.name)")
      }
    }
  }

  @Test("an adapter uses no types of another adapter in its module")
  func adaptersStayApart() throws {
    let files = try SourceText.sources.get()
    for module in try Module.all.get() where module.kind == .adapters && module.isMerged {
      let violations = Rules.crossings(files.filter { $0.module == module.name })
      for violation in violations { Issue.record("\(violation)") }
    }
  }

  @Test("every subject has tests") func everySubjectHasTests() throws {
    let files = try SourceText.tests.get()
    // `Ports` contains only protocols and their errors, so it has nothing to run.
    for module in try Module.all.get() where module.name != "Ports" {
      let suite = files.filter { $0.module == "\(module.name)Tests" }
      for subject in module.subjects {
        let own = module.isMerged ? suite.filter { $0.folder == subject } : suite
        #expect(
          own.flatMap(\.code).contains { $0.contains("@Test") },
          "Tests/\(module.name)Tests holds no test of \(subject)")
      }
    }
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
