import Foundation

/// A small file system in memory, unmounted when its last reference is released.
public final class Mount {
  private let folder: String
  private var filler: String { folder + "/filler" }

  public static let isPermitted: Bool = {
    guard let folder = try? ScratchFolder() else { return false }
    return (try? Mount(folder.file("trial"), options: "size=1m")) != nil
  }()

  public init(_ folder: String, options: String) throws {
    self.folder = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard mount("none", folder, "tmpfs", 0, options) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }

  deinit { umount2(folder, Int32(MNT_DETACH)) }

  public func change(_ options: String) throws {
    let result = try run("mount", "-o", options, folder)
    guard result.status == 0 else { throw POSIXError(.EIO) }
  }

  /// Uses up all free space.
  public func fill() {
    let descriptor = open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let block = [UInt8](repeating: 0, count: 4096)
    while write(descriptor, block, block.count) == block.count {}
    close(descriptor)
  }

  /// Truncated before it is removed: a process that another test starts meanwhile may have the file
  /// open until its exec, and a removed file keeps its space until then.
  public func free() {
    truncate(filler, 0)
    unlink(filler)
  }
}
