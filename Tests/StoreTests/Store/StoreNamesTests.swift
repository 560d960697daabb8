import Foundation
import Ports
import Core
import TestSupport
import Testing

@testable import Store

/// A store that is read by another path than the daemon's.
@Suite struct StoreNamesTests {
  let life: Life

  init() throws { life = try Life(points: 5) }

  /// The store and its log as a killed daemon leaves them, in their own folder, and a link to them
  /// from elsewhere.
  private func killed() throws -> (link: String, newest: Seconds) {
    let store = try GeoPackageStore(path: life.path)
    try store.write([.trackPoint(point(at: .days(20)))])
    for suffix in ["", "-wal"] {
      try life.folder.write("", to: "data/life.gpkg" + suffix)
      let file = life.folder.file("data/life.gpkg") + suffix
      try FileManager.default.removeItem(atPath: file)
      try FileManager.default.copyItem(atPath: life.path + suffix, toPath: file)
    }
    try store.close()
    let link = life.folder.file("link.gpkg")
    try #require(symlink("data/life.gpkg", link) == 0)
    return (link, .days(20))
  }

  @Test("behind a symbolic link the log is read with the store") func symbolicLink() throws {
    let (link, newest) = try killed()
    #expect(try StoreReader(path: link).allPoints().last == point(at: newest))
    #expect(try StoreCheck(path: link).rows.first { $0.table == "track_points" }?.count == 6)
    let copy = life.folder.file("copy.gpkg")
    _ = try StoreBackup().save(link, to: copy, replacing: false)
    #expect(try StoreReader(path: copy).allPoints().last == point(at: newest))
    _ = try StoreRepair(path: link)
    #expect(try StoreReader(path: link).allPoints().count == 6)
    #expect(life.folder.files == ["copy.gpkg", "data", "link.gpkg", "track.gpkg"])
  }

  @Test("under a hard link a daemon's log is not visible, so nothing is read") func hardLink()
    throws
  {
    let hard = life.folder.file("hard.gpkg")
    try #require(link(life.path, hard) == 0)
    #expect(try StoreReader(path: hard).allPoints().count == 5)
    let lock = try StoreLock(path: life.path)
    for read in [
      { _ = try StoreReader(path: hard) }, { _ = try StoreCheck(path: hard) },
      { _ = try StoreBackup().save(hard, to: hard + ".copy", replacing: false) },
    ] {
      let error = thrown(PortError.self) { try read() }
      #expect(error?.message.contains("under another name") == true)
    }
    lock.release()
    // The owner of the lock may read.
    #expect(try StoreRepair(path: hard).saved > 0)
    #expect(try StoreReader(path: life.path).allPoints().count == 5)
  }
}
