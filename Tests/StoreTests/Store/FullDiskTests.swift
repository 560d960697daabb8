import Foundation
import Ports
import Core
import Records
import TestSupport
import Testing

@testable import Store

/// A full disk, possibly filled by the store's own log.
@Suite struct FullDiskTests {
  @Test(
    "a store is not compacted without enough space, and stays readable",
    .enabled(
      if: geteuid() == 0 && Mount.isPermitted,
      "SKIPPED: file systems cannot be mounted here, so no full disk was tried"))
  func noRoomToCompact() throws {
    let folder = try ScratchFolder()
    let mount = try Mount(folder.file("disk"), options: "size=1m")
    let path = folder.file("disk/store.gpkg")
    let store = try GeoPackageStore(path: path)
    try store.write((0..<3000).map { .trackPoint(point(at: Seconds(Double($0)))) })
    try store.close()
    mount.fill()
    let error = thrown(PortError.self) { try StoreCompaction(path: path) }
    #expect(error?.message.contains("nothing was changed") == true, "\(String(describing: error))")
    #expect(try StoreReader(path: path).allPoints().count == 3000)
    mount.free()
    let compaction = try StoreCompaction(path: path)
    #expect(compaction.bytesAfter <= compaction.bytesBefore)
  }

  @Test(
    "a log that used up the disk releases it when there is space again",
    .enabled(
      if: geteuid() == 0 && Mount.isPermitted,
      "SKIPPED: file systems cannot be mounted here, so no full disk was tried"))
  func logTookTheRoom() throws {
    let folder = try ScratchFolder()
    let mount = try Mount(folder.file("disk"), options: "size=1400k")
    let path = folder.file("disk/store.gpkg")
    let store = try GeoPackageStore(path: path)
    var written = 0
    // Small transactions: the log takes many times the space of the records.
    while (try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int) ?? 0
      < Connection.checkpointBytes
    {
      try store.write([.trackPoint(point(at: Seconds(Double(written))))])
      written += 1
      try #require(written < 5000)
    }
    mount.fill()
    let waiting = (0..<5000).map { Record.trackPoint(point(at: Seconds(Double(written + $0)))) }
    for _ in 0..<2 {
      let error = thrown(PortError.self) { try store.write(waiting) }
      guard case .full? = error else {
        Issue.record("the disk is not full: \(String(describing: error))")
        return
      }
    }
    mount.free()
    try store.write(waiting)
    try store.close()
    #expect(try StoreReader(path: path).allPoints().count == written + waiting.count)
  }
}
