import Foundation
import Core
import Store
import TestSupport
import Testing

/// Everything that the store acknowledged is there after the process was killed at any instant.
@Suite struct KillTests {
  static let torture = URL(fileURLWithPath: BuiltProgram.path("store-torture"))

  @Test("nothing acknowledged is lost, whenever the writer is killed", .timeLimit(.minutes(5)))
  func nothingAcknowledgedIsLost() throws {
    let folder = try ScratchFolder()
    let path = folder.file("track.gpkg")
    var random = SplitMix(seed: 20_260_501)
    var acknowledged: Set<Int64> = []
    var next: Int64 = 1
    for _ in 0..<300 {
      let bytes = Int(random.next() % 160)
      let (heard, wasKilled) = try killed(after: bytes, path: path, first: next)
      #expect(wasKilled)
      acknowledged.formUnion(heard)
      let kept = try inspect(path, acknowledged)
      next = kept + 1
    }
    #expect(acknowledged.count > 500)
    let check = try run("sqlite3", path, "PRAGMA integrity_check; PRAGMA quick_check")
    #expect(check.output == "ok\nok\n")
  }

  /// Starts the writer, reads that many bytes of its acknowledgements, kills it, and reads the rest
  /// that is still in the pipe.
  private func killed(
    after bytes: Int, path: String, first: Int64
  ) throws -> (numbers: [Int64], wasKilled: Bool) {
    let process = Process()
    process.executableURL = Self.torture
    process.arguments = [path, String(first)]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    var heard = Data()
    while heard.count < bytes {
      guard let more = try pipe.fileHandleForReading.read(upToCount: bytes - heard.count),
        !more.isEmpty
      else { break }
      heard.append(more)
    }
    kill(process.processIdentifier, SIGKILL)
    heard.append(pipe.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    let text = String(decoding: heard, as: UTF8.self)
    // The kill cut off a line without a line end.
    let lines =
      text.hasSuffix("\n") ? text : String(text[..<(text.lastIndex(of: "\n") ?? text.startIndex)])
    return (
      lines.split(separator: "\n").compactMap { Int64($0) },
      process.terminationReason == .uncaughtSignal
    )
  }

  /// Opens the file as the next run would and returns the highest number in it.
  private func inspect(_ path: String, _ acknowledged: Set<Int64>) throws -> Int64 {
    guard FileManager.default.fileExists(atPath: path) else {
      #expect(acknowledged.isEmpty)
      return 0
    }
    let store = try GeoPackageStore(path: path)
    let reader = try StoreReader(path: path)
    #expect(try reader.integrityProblems() == [])
    var points = try reader.trackPoints()
    var kept: Set<Int64> = []
    while let point = try points.next() {
      kept.insert(point.location.time.nanoseconds / 1_000_000_000 - 1_777_593_600)
    }
    #expect(acknowledged.isSubset(of: kept))
    let last = kept.max() ?? 0
    // All records of one write or none: the session, the visit and the state agree.
    #expect(try store.lastIdentifiers().session == last)
    if last > 0 { #expect(try store.trackerState()?.hasPrefix(#"{"number":\#(last),"#) == true) }
    return last
  }
}
