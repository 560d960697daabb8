import Ports
import Testing

@testable import Runtime

#if canImport(Glibc)
  import Glibc
#endif

/// How an existing file at the socket's path is handled.
@Suite struct SocketFileTests {
  private let path = "/tmp/godwit-socket-file-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"

  private func socket() throws -> ControlSocket {
    try ControlSocket(path: path, group: nil, loop: EventLoop()) { $0 }
  }

  /// The error when a socket is to be created at the path, and the kind of file there afterwards.
  private func refusal() -> (message: String, kind: mode_t?) {
    do {
      _ = try socket()
      return ("it was created", nil)
    } catch let error as PortError {
      var entry = stat()
      let kind = lstat(path, &entry) == 0 ? entry.st_mode & S_IFMT : nil
      return (error.isBusy ? "taken" : error.message, kind)
    } catch {
      return ("\(error)", nil)
    }
  }

  @Test("a file, a directory, a pipe and links are left alone")
  func whatIsNoSocketIsLeftAlone() {
    let makers: [(word: String, kind: mode_t, make: () -> Bool)] = [
      ("regular file", S_IFREG, { close(open(path, O_CREAT | O_WRONLY, 0o600)) == 0 }),
      ("directory", S_IFDIR, { mkdir(path, 0o700) == 0 }),
      ("named pipe", S_IFIFO, { mkfifo(path, 0o600) == 0 }),
      ("symbolic link", S_IFLNK, { symlink("/dev/null", path) == 0 }),
      ("symbolic link", S_IFLNK, { symlink("nowhere", path) == 0 }),
    ]
    for (word, kind, make) in makers {
      #expect(make())
      let refusal = refusal()
      #expect(refusal.message.contains(word) && refusal.message.contains("control.socket"))
      #expect(refusal.kind == kind)
      remove(path)
    }
  }

  @Test("a link to a live socket counts as its daemon")
  func aLinkToALiveSocketIsTaken() throws {
    let other = path + ".other"
    let live = try ControlSocket(path: other, group: nil, loop: EventLoop()) { $0 }
    #expect(symlink(other, path) == 0)
    #expect(refusal().message == "taken")
    unlink(path)
    withExtendedLifetime(live) {}
  }

  @Test("a daemon that exits leaves its successor's socket")
  func theSuccessorsSocketStays() throws {
    var first: ControlSocket? = try socket()
    unlink(path)
    var second: ControlSocket? = try socket()
    first = nil
    let probe = try UnixSocket.new()
    defer { close(probe) }
    #expect(try UnixSocket.connect(probe, to: path) == nil)
    second = nil
    #expect(access(path, F_OK) != 0, "its own goes with it")
    withExtendedLifetime((first, second)) {}
  }

  @Test("a file that has taken the socket's place stays")
  func whatTookItsPlaceStays() throws {
    var socket: ControlSocket? = try socket()
    unlink(path)
    close(open(path, O_CREAT | O_WRONLY, 0o600))
    socket = nil
    #expect(access(path, F_OK) == 0)
    unlink(path)
    withExtendedLifetime(socket) {}
  }

  @Test("no other process can make a socket in the folder meanwhile")
  func theFolderIsLocked() throws {
    let folder = open("/tmp", O_RDONLY | O_DIRECTORY)
    defer { close(folder) }
    let isFree = try SocketFile.alone(inFolderOf: path) {
      flock(folder, LOCK_EX | LOCK_NB) == 0
    }
    #expect(!isFree)
  }
}
