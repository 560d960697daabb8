import FuzzInput
import Core
import GNSS

/// gpsd's reports, one JSON object per line.
public final class GpsdTarget: FuzzTarget {
  public init() {}

  private var line: [UInt8] = []
  private var json = JSONWriter(reserving: 1024)

  public func run(_ input: UnsafeBufferPointer<UInt8>) throws(Violation) {
    var decoder = ReceiverDecoder()
    var failure: Violation?
    for part in input.split(separator: UInt8(ascii: "\n")) {
      line.removeAll(keepingCapacity: true)
      line += part
      try requireStableJSON()
      line.append(UInt8(ascii: "\n"))
      decoder.feed(line, at: .zero) { fix in
        do throws(Violation) {
          try fix.requireSound()
          try requireStable(fix)
        } catch { failure = failure ?? error }
      }
    }
    if let failure { throw failure }
    let answers = decoder.drainAnswers()
    try require(answers.count <= 512, "\(answers.count) answers are kept")
    for case .gpsdError(let text) in answers {
      let isPlain = text.utf8.count <= 512 && text.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
      try require(isPlain, "a text that terminals obey: \(text)")
    }
  }

  /// A value survives reading, writing and reading again.
  private func requireStableJSON() throws(Violation) {
    guard let value = try? JSONValue(parsing: line) else { return }
    let text = value.text
    guard let again = try? JSONValue(parsing: text) else {
      throw Violation("is not read again: \(text)")
    }
    try require(again == value, "changes when it is written: \(text)")
    try require(again.text == text, "is written otherwise the second time: \(text)")
  }

  /// A fix written and read as a report of gpsd is written the same again.
  private func requireStable(_ fix: Fix) throws(Violation) {
    guard let once = reread(fix), let twice = reread(once) else { return }
    let first = text(once)
    let second = text(twice)
    try require(first == second, "\(first) becomes \(second)")
  }

  /// Nil if too little is left to be a fix: 0.0000000001° is written as 0.
  private func reread(_ fix: Fix) -> Fix? {
    guard fix.mode != .none else { return nil }
    var decoder = ReceiverDecoder()
    var read: Fix?
    decoder.feed(Array((text(fix) + "\n").utf8), at: .zero) { read = $0 }
    return read
  }

  private func text(_ fix: Fix) -> String {
    json.removeAll()
    FixJSON.write(fix, to: &json)
    return json.text
  }
}

#if FUZZING
  private nonisolated(unsafe) let target = GpsdTarget()

  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.serve(start, count)
  }
#endif
