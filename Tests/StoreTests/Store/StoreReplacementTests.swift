import Foundation
import Platform
import Ports
import Core
import Records
import TestSupport
import Testing

@testable import Store

/// A power cut at every step of replacing a store by a new file.
@Suite struct StoreReplacementTests {
  let folder: ScratchFolder
  let target: StoreFiles
  let kept: StoreFiles
  let draft: String
  private let new: Life
  /// The old store as left by a daemon that exits, and by one that is killed.
  private let ended: Life
  private let killed: ScratchFolder
  /// Only the old store has it, and only in its log if there is one.
  private let newest = point(at: .days(40))

  init() throws {
    folder = try ScratchFolder()
    target = StoreFiles(folder.file("life.gpkg"))
    kept = StoreFiles(folder.file("life.gpkg.kept"))
    draft = folder.file(".life.gpkg.abcdef")
    new = try Life(points: 3)
    ended = try Life(points: 5)
    killed = try ScratchFolder()
    let store = try GeoPackageStore(path: ended.path)
    try store.write([.trackPoint(newest)])
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: ended.path + suffix, toPath: killed.file("life.gpkg") + suffix)
    }
    try store.close()
  }

  /// Restores everything to the state before the first step.
  private func begin(hasLog: Bool) throws {
    for name in folder.files { try FileManager.default.removeItem(atPath: folder.file(name)) }
    let old = hasLog ? killed.file("life.gpkg") : ended.path
    for suffix in hasLog ? ["", "-wal"] : [""] {
      try FileManager.default.copyItem(atPath: old + suffix, toPath: target.main + suffix)
    }
    try FileManager.default.copyItem(atPath: new.path, toPath: draft)
  }

  private func points(_ file: StoreFiles) -> [TrackPoint] {
    (try? StoreReader(path: file.main).allPoints()) ?? []
  }

  @Test(
    "after a power cut either name is complete, also for the daemon that starts then",
    arguments: [true, false], [true, false])
  func everyStep(hasLog: Bool, hasLinks: Bool) throws {
    var done = 0
    while true {
      try begin(hasLog: hasLog)
      let replacement = StoreReplacement(
        of: target, by: draft, keepingAs: kept, hasLinks: hasLinks)
      guard done <= replacement.steps.count else { break }
      for step in replacement.steps.prefix(done) { try replacement.perform(step) }
      let context = "\(done) of \(replacement.steps)"
      #expect([target, kept].contains { points($0).last == newest }, "\(context)")
      if target.isThere {
        let now = points(target)
        #expect(now.last == newest || now.count == 3, "\(context)")
      }
      // The daemon starts again.
      let store = try GeoPackageStore(
        path: target.main, lock: try StoreLock(path: target.main), mark: 7)
      try store.write([.trackPoint(point(at: .days(60)))])
      try store.close()
      #expect(points(target).last == point(at: .days(60)), "\(context)")
      #expect(try StoreCheck(path: target.main).problems == [], "\(context)")
      #expect([target, kept].contains { points($0).contains(newest) }, "\(context)")
      done += 1
    }
    #expect(done > 4)
  }

  @Test("the names are on the disk before anything is removed", arguments: [true, false])
  func order(hasLog: Bool) throws {
    try begin(hasLog: hasLog)
    let steps = StoreReplacement(of: target, by: draft, keepingAs: kept, hasLinks: true).steps
    for (index, step) in steps.enumerated() {
      guard case .move = step else { continue }
      #expect(steps[index - 1] == .syncFolder && steps[index + 1] == .syncFolder, "\(steps)")
    }
  }

  @Test(
    "a file that cannot be replaced stays, or its new name is reported", arguments: [true, false])
  func failing(hasLog: Bool) throws {
    try begin(hasLog: hasLog)
    let replacement = StoreReplacement(
      of: target, by: folder.file("none"), keepingAs: kept, hasLinks: true)
    let error = thrown(PortError.self) { try replacement.perform() }
    let position = hasLog ? kept : target
    #expect(points(position).last == newest)
    #expect(error?.message.contains(position.main) == true, "\(String(describing: error))")
    let left = folder.files.filter { !$0.hasPrefix(".") }
    #expect(left.first == PathParts(position.main).name && !left.contains("life.gpkg-wal"))
  }
}
