import Foundation
import Ports
import Core
import TestSupport
import Testing

@testable import Store

/// Logs that contain the only copy of the newest records.
@Suite struct KeptLogTests {
  let folder: ScratchFolder
  let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.file("track.gpkg")
  }

  private func opened(_ mark: UInt32, isReturn: Bool) throws -> GeoPackageStore {
    try GeoPackageStore(
      path: path, lock: StoreLock(path: path, unlessJustMade: isReturn), mark: mark,
      isReturn: isReturn)
  }

  @Test("the log of an emptied store is kept also under the name of a link")
  func emptiedBehindALink() throws {
    let log: Data
    do {
      let store = try opened(1, isReturn: false)
      try store.write([.trackPoint(point(at: 0))])
      log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
    }
    try log.write(to: URL(fileURLWithPath: path + "-wal"))
    try #require(truncate(path, 0) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link.gpkg"), withDestinationPath: path)
    let refusal = thrown(PortError.self) { try GeoPackageStore(path: folder.file("link.gpkg")) }
    #expect(refusal?.message.contains("nothing was changed") == true)
    #expect(FileManager.default.contents(atPath: path + "-wal") == log)
  }

  @Test("a saved log is not overwritten by the next one")
  func keptTwice() throws {
    for second in [0, 100] {
      let store = try opened(UInt32(second + 1), isReturn: second > 0)
      for step in 0..<20 {
        try store.write([.trackPoint(point(at: Seconds(Double(second + step))))])
      }
      let bytes = FileManager.default.contents(atPath: path) ?? Data()
      try Data(repeating: 0xA5, count: bytes.count).write(to: URL(fileURLWithPath: path))
      let error = thrown(PortError.self) { try store.write([.trackPoint(point(at: 60))]) }
      #expect(error?.message.contains("newest records are in the log") == true, "\(second)")
      try FileManager.default.removeItem(atPath: path)
    }
    let kept = folder.files.filter { $0.contains("-wal.kept") }
    #expect(kept.sorted() == ["track.gpkg-wal.kept", "track.gpkg-wal.kept-2"])
  }
}
