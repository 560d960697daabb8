import Glibc
import ReceiverStandIns

/// Events of a file or folder from the kernel (inotify(7)). From the progress of another program a
/// test finds a moment without waiting for a time.
final class FileEvents {
  /// Something was created, written or renamed in a folder.
  static let changes = UInt32(IN_CREATE | IN_MODIFY | IN_MOVED_TO)
  /// The file was read.
  static let reads = UInt32(IN_ACCESS)

  private let descriptor: Int32

  init(_ path: String, _ kinds: UInt32) {
    descriptor = inotify_init1(Int32(O_CLOEXEC))
    precondition(descriptor >= 0 && inotify_add_watch(descriptor, path, kinds) >= 0)
  }

  deinit { close(descriptor) }

  /// Waits for `count` events or the end of the program; false after a minute without any.
  func wait(for count: Int, or program: ChildProcess) -> Bool {
    var rest = count
    while rest > 0 {
      var entries = [descriptor, program.ended].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&entries, 2, 60_000) > 0 else { return false }
      if entries[1].revents != 0 { return true }
      rest -= receive()
    }
    return true
  }

  private func receive() -> Int {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      let got = read(descriptor, buffer.baseAddress, buffer.count)
      let header = MemoryLayout<inotify_event>.size
      var events = 0
      var offset = 0
      while offset + header <= got {
        let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        offset += header + Int(event.len)
        events += 1
      }
      return events
    }
  }
}
