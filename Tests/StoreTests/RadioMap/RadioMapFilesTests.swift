import Foundation
import Ports
import RadioSignals
import Core
import Records
import TestSupport
import Testing

@testable import Store

@Suite struct RadioMapFilesTests {
  let scratch: ScratchFolder
  let path: String

  init() throws {
    scratch = try ScratchFolder()
    path = scratch.file("godwit.radiomap")
  }

  private func map(most: Int = 1000) -> RadioMapFiles {
    RadioMapFiles(path: path, table: scratch.file("godwit.cells"), mostAccessPoints: most)
  }

  private func place(_ id: Int64, at second: Double = 0) -> AccessPointPlace {
    AccessPointPlace(
      pseudonym: id, position: Coordinate(latitude: 52.1, longitude: 5.1), weight: 0.25,
      spread: 7, reach: 30, strength: -61.5, fixes: 9, days: 3,
      lastReception: UTCInstant(seconds: 1_780_000_000 + second))
  }

  @Test("learnt places are there again after a restart") func roundTrip() throws {
    let doubted = AccessPointPlace(
      pseudonym: -5, position: Coordinate(latitude: 52.1, longitude: 5.1), weight: 0.25,
      spread: 7, reach: 30, strength: -61.5, fixes: 9, days: 3,
      lastReception: UTCInstant(seconds: 1_780_000_000),
      rival: .init(position: Coordinate(latitude: 50, longitude: 4), fixes: 2), doubt: 4, moves: 2,
      isMobile: true)
    let cell = LearntCell(
      pseudonym: 77, position: Coordinate(latitude: 52, longitude: 5), spread: 900, fixes: 12,
      days: 4, lastReception: UTCInstant(seconds: 1_780_000_000))
    let first = map()
    try first.save([place(1), doubted], cell: cell)
    first.close()
    let second = map()
    #expect(Set(try second.accessPoints([1, -5, 9])) == [place(1), doubted])
    #expect(try second.learntCell(77) == cell)
    #expect(try second.learntCell(78) == nil)
  }

  @Test("the salt is random, kept, and the file is private to its user") func salt() throws {
    let first = try map().pseudonyms().text("00:11:22:33:44:55")
    #expect(try map().pseudonyms().text("00:11:22:33:44:55") == first)
    let other = RadioMapFiles(path: scratch.file("other"), table: "")
    #expect(try other.pseudonyms().text("00:11:22:33:44:55") != first)
    let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(permissions as? Int == 0o600)
  }

  @Test("beyond the limit the access points received longest ago are dropped") func bounded() throws
  {
    let map = map(most: 500)
    for round in 0..<130 {
      let ids = (0..<10).map { Int64(round * 10 + $0) }
      try map.save(ids.map { place($0, at: Double($0)) }, cell: nil)
    }
    // They are counted every 64 lessons.
    #expect(try map.accessPoints(Array(0..<1300)).count < 500 + 64 * 10 + 1)
    #expect(try map.accessPoints([0, 1, 2]).isEmpty)
    #expect(try map.accessPoints([1299]).count == 1)
  }

  @Test("a damaged map is set aside with a message, and a new one begun", arguments: [100, 1024])
  func damaged(from offset: Int) throws {
    let first = map()
    try first.save((1...400).map { place($0) }, cell: nil)
    first.close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes.replaceSubrange(offset..., with: Data(repeating: 0x55, count: bytes.count - offset))
    try bytes.write(to: URL(fileURLWithPath: path))
    let second = map()
    let error = thrown(PortError.self) { _ = try second.accessPoints([1]) }
    #expect(error?.message.contains("was renamed to \(path).damaged") == true, "\(error as Any)")
    #expect(try second.accessPoints([1]).isEmpty)
    try second.save([place(1)], cell: nil)
    #expect(try second.accessPoints([1]).count == 1)
    #expect(scratch.files.contains("godwit.radiomap.damaged"))
  }

  @Test("invalid rows count as unknown and are learnt anew") func wildRows() throws {
    let first = map()
    try first.save([place(1), place(2), place(3), place(4)], cell: nil)
    first.close()
    for change in [
      "latitude_deg = 900 WHERE id = 1", "weight = -1 WHERE id = 2",
      "fixes = 'many' WHERE id = 3", "last_heard_s = 9e18 WHERE id = 4",
    ] {
      #expect(try run("sqlite3", path, "UPDATE access_points SET \(change)").status == 0)
    }
    let second = map()
    #expect(try second.accessPoints([1, 2, 3, 4]).isEmpty)
    try second.save([place(1)], cell: nil)
    #expect(try second.accessPoints([1]) == [place(1)])
  }

  @Test("a map of a newer program is left alone") func newer() throws {
    _ = try map().pseudonyms()
    #expect(try run("sqlite3", path, "PRAGMA user_version = 9").status == 0)
    let second = map()
    let error = thrown(PortError.self) { _ = try second.accessPoints([1]) }
    #expect(error?.message.contains("newer") == true)
    #expect(!scratch.files.contains("godwit.radiomap.damaged"))
  }

  @Test("without a folder every call fails with a message, and works once it exists")
  func noFolder() throws {
    let map = RadioMapFiles(path: scratch.file("later/map"), table: scratch.file("later/cells"))
    let error = thrown(PortError.self) { try map.save([place(1)], cell: nil) }
    #expect(error?.message.contains("check that its folder exists") == true)
    try FileManager.default.createDirectory(
      atPath: scratch.file("later"), withIntermediateDirectories: true)
    try map.save([place(1)], cell: nil)
    #expect(try map.accessPoints([1]).count == 1)
  }

  @Test(
    "on a full disk only the lesson is lost",
    .enabled(
      if: geteuid() == 0 && Mount.isPermitted,
      "SKIPPED: file systems cannot be mounted here, so no full disk was tried"))
  func fullDisk() throws {
    let mount = try Mount(scratch.file("disk"), options: "size=1m")
    let map = RadioMapFiles(path: scratch.file("disk/map"), table: "")
    try map.save([place(1)], cell: nil)
    mount.fill()
    var error: PortError?
    for round in 0..<200 where error == nil {
      do throws(PortError) {
        try map.save((0..<20).map { place(Int64(round * 20 + $0)) }, cell: nil)
      } catch let failure { error = failure }
    }
    #expect(error?.message.contains("the disk is full") == true, "\(error as Any)")
    #expect(try map.accessPoints([1]).count == 1)
    mount.free()
    try map.save([place(99_999)], cell: nil)
    #expect(try map.accessPoints([99_999]).count == 1)
  }
}
