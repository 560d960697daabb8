import Foundation
import Platform
import TestSupport
import Testing

@testable import Store

/// Commands run as root, and the service must be able to use the files that they leave.
@Suite(.enabled(if: geteuid() == 0, "only root can give a file away")) struct OutboxOwnerTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    #expect(chown(folder.path, 2, 1) == 0)
  }

  @Test("outbox, lock and logs that root created belong to the folder's owner")
  func owner() throws {
    let path = folder.file("uplink.db")
    let lock = try OutboxLock(path: path)
    let outbox = try OutboxFile(path: path)
    try withExtendedLifetime((lock, outbox)) {
      let names = SystemFiles.names(in: folder.path).sorted()
      #expect(names == ["uplink.db", "uplink.db-lock", "uplink.db-shm", "uplink.db-wal"])
      for name in names {
        let status = try #require(FileStatus(path: folder.file(name))?.kernel)
        #expect(status.st_uid == 2 && status.st_gid == 1, "\(name)")
        #expect(status.st_mode & 0o777 == 0o600, "\(name)")
      }
    }
  }
}
