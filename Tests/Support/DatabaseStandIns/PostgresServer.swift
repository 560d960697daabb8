import Glibc
import ReceiverStandIns
import TestSupport

/// Debian's PostgreSQL with PostGIS as a child process, with a folder of its own, on a Unix socket
/// alone. The server does not run as root, so root lets the user postgres run it.
public final class PostgresServer {
  /// What is missing of it; nil: nothing.
  public static let absence: String? = {
    guard let programs else { return "postgresql is not installed" }
    let release = programs.split(separator: "/")[3]
    let extensions = "/usr/share/postgresql/\(release)/extension"
    guard access("\(extensions)/postgis.control", R_OK) == 0 else {
      return "postgresql-postgis is not installed"
    }
    guard let library = dlopen("libpq.so.5", RTLD_LAZY) else { return "libpq5 is not installed" }
    dlclose(library)
    return nil
  }()

  public static var isInstalled: Bool { absence == nil }
  public static let skipped = "SKIPPED: \(absence ?? "")"

  /// Of the newest release that is installed.
  private static let programs: String? = {
    (12...40).reversed().map { "/usr/lib/postgresql/\($0)/bin" }.first {
      access("\($0)/postgres", X_OK) == 0
    }
  }()

  private static let asPostgres =
    getuid() == 0
    ? ["/usr/bin/setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"] : []

  struct NoServer: Error { let output: String }

  public let sockets: String
  private let data: String
  private let folder: ScratchFolder
  private var process: ChildProcess?

  /// Returns when it takes connections. The superuser postgres needs no password, and there is a
  /// template "gis" with PostGIS.
  ///
  /// - Parameter access: lines of pg_hba.conf before the one that lets everybody in.
  public init(access lines: [String] = []) throws {
    folder = try ScratchFolder()
    data = folder.file("data")
    sockets = folder.file("s")
    chmod(folder.path, 0o755)
    for path in [data, sockets] {
      _ = try run(["install", "-d", "-m", "700", path])
      if getuid() == 0 { _ = try run(["chown", "postgres:", path]) }
    }
    chmod(sockets, 0o755)
    let made = try run(
      ["env", "-C", "/"] + Self.asPostgres + [
        "\(Self.programs ?? "")/initdb", "-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8",
        "--locale", "C.UTF-8", "--no-sync",
      ])
    guard made.status == 0 else { throw NoServer(output: made.output) }
    let access = (lines + ["local all all trust"]).joined(separator: "\n") + "\n"
    try folder.write(access, to: "access.conf")
    try start()
    try createDatabase("gis")
    try sql("CREATE EXTENSION postgis", in: "gis")
  }

  deinit {
    process?.signal(SIGCONT)
    // An immediate shutdown, which ends its children, too.
    process?.signal(SIGQUIT)
    _ = process?.exitCode()
  }

  /// Returns when it takes connections, after its recovery if it was killed.
  public func start() throws {
    var said = ""
    // Children of one that was killed end by themselves, and until then it does not start.
    for _ in 0..<50 {
      let words =
        Self.asPostgres + [
          "\(Self.programs ?? "")/postgres", "-D", data, "-k", sockets,
          "-c", "listen_addresses=", "-c", "fsync=off", "-c", "shared_buffers=16MB",
          "-c", "hba_file=\(folder.file("access.conf"))", "-c", "lc_messages=C",
        ]
      guard let process = ChildProcess(words[0], Array(words.dropFirst())) else { break }
      if process.says("ready to accept connections") {
        self.process = process
        return
      }
      said = process.text
    }
    throw NoServer(output: said)
  }

  /// As a power cut ends it, but for what the kernel has: sessions would go on for a moment without
  /// the process that began them.
  public func kill() throws {
    guard let process else { return }
    process.signal(SIGSTOP)
    let children = try run("cat", "/proc/\(process.id)/task/\(process.id)/children")
    for id in children.output.split(whereSeparator: \.isWhitespace).compactMap({ pid_t($0) }) {
      Glibc.kill(id, SIGKILL)
    }
    process.signal(SIGKILL)
    _ = process.exitCode()
    self.process = nil
  }

  /// With all who are connected.
  public func stop() {
    process?.signal(SIGINT)
    _ = process?.exitCode()
    process = nil
  }

  /// It takes connections, and says nothing.
  public func freeze() { process?.signal(SIGSTOP) }
  public func thaw() { process?.signal(SIGCONT) }

  public func createDatabase(_ name: String, from template: String = "template0") throws {
    try sql("CREATE DATABASE \(name) TEMPLATE \(template)", in: "postgres")
  }

  /// What psql says, line by line, with "|" between columns.
  @discardableResult public func sql(_ text: String, in database: String) throws -> [String] {
    let result = try run(psql(database) + ["-c", text])
    guard result.status == 0 else { throw NoServer(output: result.output) }
    return result.output.split(separator: "\n").map(String.init)
  }

  /// A command of psql's that ends at the first error.
  public func psql(_ database: String) -> [String] {
    [
      "/usr/bin/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", sockets, "-U",
      "postgres", "-d", database,
    ]
  }

  public func address(_ database: String, user: String = "postgres") -> String {
    "host=\(sockets) dbname=\(database) user=\(user)"
  }
}
