import Glibc
import Platform

/// Runs this program in parallel processes, up to a maximum number.
struct RunPool {
  /// The output of a run, and how it ended.
  struct Finished {
    let output: [UInt8]
    let messages: [UInt8]
    /// Nil: it could not be started; `messages` contains the reason.
    let end: ChildProcess.End?
  }

  /// The running program, even if another file has replaced it (proc(5)).
  private static let program = "/proc/self/exe"
  /// In bytes. A run of a year prints less.
  private static let longestOutput = 256 << 20

  let jobs: Int

  /// Runs all of them, and passes on each with its index as soon as it has ended.
  func run(_ count: Int, words: (Int) -> [String], finished: (Int, Finished) -> Void) {
    var running: [Job] = []
    var next = 0
    while next < count || !running.isEmpty {
      while next < count, running.count < jobs {
        if let job = Job(next, words(next)) {
          running.append(job)
        } else {
          let text = "it cannot be started: \(SystemError.last.text)"
          finished(next, Finished(output: [], messages: Array(text.utf8), end: nil))
        }
        next += 1
      }
      Self.wait(for: running)
      running.removeAll { job in
        guard job.read(atMost: Self.longestOutput) else { return false }
        finished(
          job.index,
          Finished(output: job.output, messages: job.messages, end: job.process.waitForEnd()))
        return true
      }
    }
  }

  private static func wait(for jobs: [Job]) {
    var waiting = jobs.flatMap(\.open).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard !waiting.isEmpty else { return }
    _ = poll(&waiting, nfds_t(waiting.count), -1)
  }

  private final class Job {
    let index: Int
    let process: ChildProcess
    private(set) var output: [UInt8] = []
    private(set) var messages: [UInt8] = []
    /// For standard output and for messages; -1: closed.
    private var pipes: [Int32]

    init?(_ index: Int, _ words: [String]) {
      guard let output = PipeEnds(), let messages = PipeEnds() else { return nil }
      let child = try? ChildProcess(
        RunPool.program, words, named: "godwit",
        descriptors: [STDOUT_FILENO: output.writing, STDERR_FILENO: messages.writing],
        signals: .inherited)
      guard let child else { return nil }
      self.index = index
      process = child
      pipes = [output.releaseReadEnd(), messages.releaseReadEnd()]
    }

    deinit { for pipe in pipes where pipe >= 0 { close(pipe) } }

    var open: [Int32] { pipes.filter { $0 >= 0 } }

    /// Reads what has been printed since the last call. Returns whether the run has ended.
    func read(atMost limit: Int) -> Bool {
      for number in pipes.indices where pipes[number] >= 0 {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var count = 0
        repeat {
          count = Glibc.read(pipes[number], &bytes, bytes.count)
          if count > 0 { keep(bytes[..<count], from: number, limit) }
        } while count > 0 || (count < 0 && errno == EINTR)
        if count == 0 {
          close(pipes[number])
          pipes[number] = -1
        }
      }
      return open.isEmpty
    }

    private func keep(_ bytes: ArraySlice<UInt8>, from number: Int, _ limit: Int) {
      if number == 0 {
        output += bytes.prefix(max(0, limit - output.count))
      } else {
        messages += bytes.prefix(max(0, 65_536 - messages.count))
      }
    }
  }
}
