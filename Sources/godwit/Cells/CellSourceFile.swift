import Formats
import Core
import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// The table to import, as a stream: a file, standard input, or the output of gzip(1). gzip runs as
/// a program, because a library would be linked for this purpose only.
final class CellSourceFile {
  let name: String
  /// The number of bytes that `next` returns in total; nil if unknown.
  let size: Int?
  /// Identifies the file; empty if it cannot be read twice.
  let identity: String

  private static let pieceSize = 1 << 18

  private let descriptor: Int32
  private var child: ChildProcess?
  private let piece = UnsafeMutableRawBufferPointer.allocate(
    byteCount: CellSourceFile.pieceSize, alignment: 64)

  init(_ path: String) throws {
    guard path != "-" else {
      name = "standard input"
      size = nil
      identity = ""
      descriptor = STDIN_FILENO
      return
    }
    name = path
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw FileFailure(
        "read", path, code: errno,
        advice: "specify the path of a CSV table, or - for standard input")
    }
    let status = FileStatus(descriptor: file)
    let isFile = status?.kind == .regular
    identity = isFile ? status.map { Self.identity(path, $0, file) } ?? "" : ""
    guard path.hasSuffix(".gz") else {
      size = isFile ? status.map { Int($0.kernel.st_size) } : nil
      descriptor = file
      return
    }
    size = nil
    (descriptor, child) = try Self.unpack(file, path)
  }

  deinit {
    if descriptor != STDIN_FILENO { close(descriptor) }
    // The child ends because its pipe is closed.
    _ = child?.waitForEnd()
    piece.deallocate()
  }

  /// Name, size, modification time and a hash of the first bytes: a replaced file differs in one of
  /// them.
  private static func identity(_ path: String, _ status: FileStatus, _ file: Int32) -> String {
    var hash = SHA256()
    var start = [UInt8](repeating: 0, count: 4096)
    let count = pread(file, &start, start.count, 0)
    hash.update(start.prefix(max(0, count)))
    let change = status.kernel.st_mtim
    let shortName = path.split(separator: "/").last.map(String.init) ?? path
    return "\(shortName) \(status.kernel.st_size) \(change.tv_sec).\(change.tv_nsec) "
      + hash.digest.prefix(16)
  }

  private static func unpack(_ file: Int32, _ path: String) throws -> (Int32, ChildProcess) {
    defer { close(file) }
    guard let pipe = PipeEnds() else { throw FileFailure("unpack", path, code: errno) }
    do throws(SystemError) {
      let child = try ChildProcess(
        "gzip", ["-dc"], descriptors: [STDIN_FILENO: file, STDOUT_FILENO: pipe.writing],
        signals: .inherited)
      return (pipe.releaseReadEnd(waits: true), child)
    } catch {
      throw FileFailure(
        "unpack", path, code: error.code, advice: "install gzip, or unpack the file elsewhere")
    }
  }

  /// The next bytes, valid until the next call; nil at the end.
  func next() throws(FileFailure) -> UnsafeRawBufferPointer? {
    while true {
      let count = read(descriptor, piece.baseAddress, piece.count)
      if count > 0 { return UnsafeRawBufferPointer(rebasing: piece[..<count]) }
      if count == 0 { return nil }
      guard errno == EINTR else { throw FileFailure("read", name, code: errno) }
    }
  }

  /// Skips so many bytes.
  func skip(_ count: Int) throws(FileFailure) {
    if child == nil, lseek(descriptor, off_t(count), SEEK_SET) == off_t(count) { return }
    var left = count
    while left > 0 {
      let got = read(descriptor, piece.baseAddress, min(left, piece.count))
      guard got > 0 else { throw FileFailure("read", name, code: got < 0 ? errno : EIO) }
      left -= got
    }
  }

  /// Checks after the last byte that everything was unpacked.
  func finish() throws(CommandError) {
    guard let child else { return }
    self.child = nil
    guard child.waitForEnd() == .exit(0) else {
      throw .failed(
        "\(name): gzip could not unpack all of it, and the table was not changed; download the "
          + "file again, then run the same command")
    }
  }

  /// Explains what files are that are often mistaken for tables of cells.
  static func refuseOthers(_ piece: UnsafeRawBufferPointer, name: String) throws(CommandError) {
    func begins(_ text: String) -> Bool { piece.starts(with: text.utf8) }
    if begins("WigleWifi") || begins("MAC,SSID") {
      throw .failed(
        "\(name): a WiGLE export of what one phone has received, not a table of cell positions; "
          + "get one from OpenCelliD, for instance")
    }
    if begins("SQLite format 3") {
      throw .failed(
        "\(name): a database (NeoStumbler's reports, perhaps), not a CSV table; use a table of "
          + "OpenCelliD or Ichnaea")
    }
    if TraceFormat.isUTF16(Array(piece.prefix(64))) {
      throw .failed("\(name): UTF-16 text; save it as UTF-8")
    }
    if piece.starts(with: [0x1F, 0x8B]) {
      throw .failed(
        "\(name): packed with gzip; name it .gz, or unpack it: gzip -dc FILE | godwit cells "
          + "import -")
    }
  }
}
