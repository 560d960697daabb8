import Delivery
import Glibc
import Transports
import Platform
import Ports
import Core

/// Sends requests one after the other through the adapter, and prints what they cost: for
/// measurements, and for what a test can only observe in a separate process.
@main struct UploadExercise {
  static let usage = """
    upload-exercise URL [COUNT] [AUTHORITIES] [TIME_LIMIT_S]
    POSTs a small body COUNT times; prints memory, requests a second and the last result.

    """

  static func main() {
    let words = CommandLine.arguments.dropFirst()
    guard let url = words.first, let address = try? WebAddress(parsing: url) else {
      print(usage, terminator: "")
      exit(2)
    }
    let rest = Array(words.dropFirst())
    let count = rest.first.flatMap { Int($0) } ?? 1
    var options = HTTPOptions(userAgent: "godwit/exercise")
    if rest.count > 1, !rest[1].isEmpty { options.authorities = rest[1] }
    if rest.count > 2, let limit = Double(rest[2]) { options.totalTimeout = Seconds(limit) }
    say("before: \(memory)")
    let uploader = WebUploader(options)
    let started = BootClock.now
    var last = "nothing"
    for number in 1...max(count, 1) {
      last = outcome(uploader, address)
      if number == 1 { say("after one request: \(memory)") }
    }
    let time = BootClock.now - started
    say("after \(count): \(memory)")
    say("\(Int(Double(count) / time.value)) requests/s, \(time.value) s; last: \(last)")
    uploader.close()
    say("closed: \(memory)")
  }

  private static func outcome(_ uploader: WebUploader, _ address: WebAddress) -> String {
    let body = Array(#"{"_type":"location","lat":52.1,"lon":5.1,"tst":1700000000}"#.utf8)
    guard
      let request = try? UploadRequest(
        .post, address, body: body, contentType: "application/json"),
      uploader.begin(request) != nil
    else { return "not begun" }
    while true {
      if let (_, result) = uploader.poll() {
        switch result {
        case .success(let answer): return "\(answer.status), \(answer.body.count) bytes"
        case .failure(let failure): return failure.message
        }
      }
      let due = uploader.due ?? BootClock.now + 600
      _ = BootClock.wait(for: uploader.interest?.descriptor, until: due)
    }
  }

  private static func say(_ line: String) {
    print(line)
    fflush(nil)
  }

  /// RSS and private dirty memory (proc_pid_smaps(5)).
  private static var memory: String {
    guard let file = fopen("/proc/self/smaps_rollup", "r") else { return "unknown" }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    var found: [String] = []
    while fgets(&line, Int32(line.count), file) != nil {
      let text = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      for name in ["Rss:", "Private_Dirty:"] where text.hasPrefix(name) {
        found.append(text.split(separator: " ").prefix(2).joined(separator: " ") + " kB")
      }
    }
    return found.joined(separator: ", ")
  }
}
