import Foundation
import Store
import TestSupport
import Testing

/// What the store commands report when another program uses the store.
@Suite struct StoreBusyTests {
  let scratch: ScratchFolder
  let store: String
  let copy: String

  init() throws {
    scratch = try ScratchFolder()
    store = scratch.file("life.gpkg")
    copy = scratch.file("copy.gpkg")
    try GeoPackageStore(path: store).close()
    #expect(try Program.run("store", "backup", copy, "--store", store).exitCode == 0)
  }

  @Test("commands that need the store exclusively ask to stop the daemon")
  func daemonRuns() throws {
    let lock = try StoreLock(path: store)
    for command in [["repair"], ["compact"], ["restore", copy]] {
      let outcome = try Program.run(["store"] + command + ["--store", store])
      #expect(outcome.exitCode == 1)
      #expect(outcome.messages.contains("(process \(getpid())) writes to the store \(store); "))
      #expect(outcome.messages.contains("systemctl stop godwit"), "\(outcome.messages)")
      #expect(!outcome.messages.contains("--store"), "\(outcome.messages)")
    }
    // Commands that work while the daemon runs work here, too.
    #expect(try Program.run("store", "check", "--store", store).exitCode == 0)
    #expect(
      try Program.run("store", "backup", copy, "--force", "--store", store).exitCode == 0)
    withExtendedLifetime(lock) {}
  }

  @Test("commands that work while the daemon runs do not")
  func otherProgramReads() throws {
    // It stays open, because a closed store is read without locks.
    let daemon = try GeoPackageStore(path: store)
    let lock = try Exclusive(store)
    for command in [["check"], ["backup", scratch.file("second.gpkg")]] {
      let outcome = try Program.run(["store"] + command + ["--store", store])
      #expect(outcome.exitCode == 1)
      #expect(outcome.messages.contains("another program keeps it locked"), "\(outcome.messages)")
      #expect(!outcome.messages.contains("systemctl"), "\(outcome.messages)")
    }
    withExtendedLifetime((daemon, lock)) {}
  }
}

/// A process that holds an SQLite file exclusively: by the bytes at 1 GiB (os.h, PENDING_BYTE).
private final class Exclusive {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = 0x4000_0000
    range.l_len = 512
    guard descriptor >= 0, fcntl(descriptor, F_SETLK, &range) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }

  deinit { close(descriptor) }
}
