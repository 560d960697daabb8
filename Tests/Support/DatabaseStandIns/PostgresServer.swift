import Glibc
import ReceiverStandIns
import TestSupport

/// Debian's PostgreSQL with PostGIS as a child process, with its own folder, on a Unix socket only.
/// The server refuses to run as root, so root runs it as the user postgres.
public final class PostgresServer {
  /// Which part of it is missing; nil: none.
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

  /// The programs of the newest installed release.
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

  /// Returns when it accepts connections. The superuser postgres needs no password, and there is a
  /// template "gis" with PostGIS.
  ///
  /// - Parameter access: lines of pg_hba.conf before the one that admits everybody.
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

  /// Returns when it accepts connections, after its recovery if it was killed.
  public func start() throws {
    var said = ""
    // The children of a killed server end by themselves; until then it does not start.
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

  /// As in a power cut, except that the kernel's buffers survive. Without ending the children,
  /// sessions would continue for a moment without the process that began them.
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

  /// Disconnects all clients.
  public func stop() {
    process?.signal(SIGINT)
    _ = process?.exitCode()
    process = nil
  }

  /// It accepts connections, and does not answer.
  public func freeze() { process?.signal(SIGSTOP) }
  public func thaw() { process?.signal(SIGCONT) }

  public func createDatabase(_ name: String, from template: String = "template0") throws {
    try sql("CREATE DATABASE \(name) TEMPLATE \(template)", in: "postgres")
  }

  /// The output of psql, line by line, with "|" between columns.
  @discardableResult public func sql(_ text: String, in database: String) throws -> [String] {
    let result = try run(psql(database) + ["-c", text])
    guard result.status == 0 else { throw NoServer(output: result.output) }
    return result.output.split(separator: "\n").map(String.init)
  }

  /// A psql command that exits at the first error.
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
