import Glibc

/// A whole file in memory.
enum FileBytes {
  struct Unreadable: Error { let path: String }

  static func read(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw Unreadable(path: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = fread(&piece, 1, piece.count, file)
      guard count > 0 else { return bytes }
      bytes.append(contentsOf: piece[..<count])
    }
  }
}

enum StandardOutput {
  static func write(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(
        STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
