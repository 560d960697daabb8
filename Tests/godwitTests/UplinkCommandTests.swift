import Foundation
import Store
import TestSupport
import Testing

/// `godwit uplink` as systemd starts it, and by hand before that.
@Suite struct UplinkCommandTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Starts the program with a socket that has a pending connection, as systemd does, and reports
  /// whether the connection is still pending when the program has ended.
  private static let systemd = """
    import os, socket, sys
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    ours.send(b"x")
    process = os.fork()
    if process == 0:
        os.dup2(theirs.fileno(), 3)
        os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
        os.execv(sys.argv[1], sys.argv[1:])
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    try:
        theirs.recv(1, socket.MSG_DONTWAIT)
        print("waits", status)
    except BlockingIOError:
        print("heard", status)
    """

  private func settings(_ uplink: String) throws -> String {
    try folder.write(
      """
      [store]
      path = "\(folder.file("track.gpkg"))"
      [uplink]
      path = "\(folder.file("outbox/uplink.db"))"
      \(uplink)
      """, to: "godwit.toml")
    return folder.file("godwit.toml")
  }

  private static let broker = "[uplink.mqtt]\nbrokers = \"mqtt://localhost:1\"\n"

  @Test(
    "a call that cannot be served is read, or systemd would start it again and again",
    arguments: [
      (uplink: "nme = 1", status: 2, words: "uplink.nme"),
      ("", 2, "no recipient is configured"),
      (broker, 1, "track.gpkg"),
      (broker + "user = \"ann\"\npassword_file = \"/none\"", 1, "/none"),
      ("owntracks_key_file = \"/none\"\n" + broker, 1, "/none"),
      (
        "owntracks_key_file = \"/run/credentials/none.service/key\"\n" + broker, 1,
        "while its service runs"
      ),
    ])
  func hears(uplink: String, status: Int, words: String) throws {
    if status == 1, words != "track.gpkg" {
      try GeoPackageStore(path: folder.file("track.gpkg"), mark: 1, keepsChangeLog: true).close()
    }
    let ended = try run(
      "python3", "-c", Self.systemd, BuiltProgram.path("godwit"), "uplink", "run", "--service",
      "--board", "/dev/null", "--config", try settings(uplink))
    #expect(ended.output.contains(words), "\(ended.output)")
    #expect(ended.output.contains("heard \(status)"), "\(ended.output)")
  }

  @Test("privacy can be set before there is an outbox, or its folder") func pauses()
    throws
  {
    let paused = try Program.run(
      "uplink", "pause", "1", "--board", "/dev/null", "--config", try settings(Self.broker))
    #expect(paused.exitCode == 0, "\(paused.messages)")
    let status = try Program.run(
      "uplink", "status", "--board", "/dev/null", "--config", folder.file("godwit.toml"))
    #expect(status.output.contains("paused until"), "\(status.output)")
    var folderStatus = stat()
    #expect(stat(folder.file("outbox"), &folderStatus) == 0)
    #expect(folderStatus.st_mode & 0o777 == 0o700)
  }
}
