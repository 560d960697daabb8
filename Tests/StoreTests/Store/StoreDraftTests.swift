import Foundation
import Platform
import Ports
import TestSupport
import Testing

@testable import Store

/// A new store that replaces an old one.
@Suite struct StoreDraftTests {
  let folder: ScratchFolder
  let target: String

  init() throws {
    folder = try ScratchFolder()
    target = folder.file("copy.gpkg")
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test("an fsync failure of the folder is reported; the file is in its place all the same")
  func unsettled() throws {
    for isThere in [false, true] {
      let draft = try StoreDraft(for: target, like: target) { _ in SystemError(code: EIO) }
      if isThere { try draft.replace() } else { try draft.place() }
      #expect(folder.files == ["copy.gpkg"])
      #expect(draft.warning?.contains("\(target) is in its place") == true)
      #expect(draft.warning?.contains("Input/output error") == true)
    }
    let draft = try StoreDraft(for: target, like: target) { _ in SystemError(code: EIO) }
    #expect(try draft.replaceStore(keepingAs: "kept") == target + ".kept")
    #expect(draft.warning != nil)
  }

  @Test("until it is complete it is hidden, and if abandoned it is removed") func hidden() throws {
    do {
      let draft = try StoreDraft(for: target, like: target)
      #expect(folder.files.count == 1 && folder.files.allSatisfy { $0.hasPrefix(".copy.gpkg.") })
      try Data("log".utf8).write(to: URL(fileURLWithPath: draft.path + "-wal"))
    }
    #expect(folder.files == [])
  }

  @Test("it gets no more permissions than its source", arguments: [0o600, 0o640, 0o400])
  func permissions(source: Int) throws {
    try folder.write("source", to: "source")
    chmod(folder.file("source"), mode_t(source))
    let draft = try StoreDraft(for: target, like: folder.file("source"))
    #expect(try mode(draft.path) == source | 0o600)
    try draft.place()
    #expect(try mode(target) == source)
    // The permissions of an existing target stay.
    chmod(target, 0o604)
    try StoreDraft(for: target, like: folder.file("source")).replace()
    #expect(try mode(target) == 0o604)
  }

  @Test("simultaneous drafts have separate names") func many() async throws {
    let place = folder.file("many")
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<300 {
        group.addTask {
          let file = try? TemporaryFile(for: place, companions: ["-wal"])
          #expect(file != nil)
          if index == 7 { #expect(throws: Never.self) { try file?.appear() } }
        }
      }
    }
    #expect(folder.files == ["many"])
    let late = try TemporaryFile(for: place)
    #expect(throws: SystemError(code: EEXIST)) { try late.appear() }
  }
}
