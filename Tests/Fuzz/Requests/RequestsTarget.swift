import FuzzInput
import Core
import Runtime

/// Input from a client of the control socket, in pieces as they arrive. The last byte determines
/// the size of the pieces.
public final class RequestsTarget: FuzzTarget {
  public init() {}

  public func run(_ input: UnsafeBufferPointer<UInt8>) throws(Violation) {
    guard let last = input.last else { return }
    let bytes = UnsafeBufferPointer(rebasing: input.dropLast())
    let whole = lines(of: bytes, piece: RequestLines.maxLength)
    let cut = lines(of: bytes, piece: 1 + Int(last))
    // An overlong client is dropped at the same line, or a little later.
    try require(whole == cut || bytes.count > RequestLines.maxLength, "cut: \(cut) not \(whole)")
    for line in whole {
      guard let json = try? JSONValue(parsing: line) else { continue }
      let text = json.text
      guard let again = try? JSONValue(parsing: text) else { throw Violation("no JSON: \(text)") }
      try require(again == json, "changes when it is written: \(text)")
      try requireSame(json, again)
    }
  }

  private func lines(of bytes: UnsafeBufferPointer<UInt8>, piece: Int) -> [[UInt8]] {
    var requests = RequestLines()
    var lines: [[UInt8]] = []
    var index = 0
    while index < bytes.count, !requests.isOverlong {
      let end = min(index + piece, bytes.count)
      requests.append(bytes[index..<end])
      while let line = requests.next() { lines.append(line) }
      index = end
    }
    return lines
  }

  /// A request that is written and read again is the same, or is refused with the same reason.
  private func requireSame(_ json: JSONValue, _ again: JSONValue) throws(Violation) {
    let first = Result { () throws(ControlRequest.Refusal) in try ControlRequest(json) }
    let second = Result { () throws(ControlRequest.Refusal) in try ControlRequest(again) }
    try require(first == second, "\(first) and \(second)")
    guard case .failure(let refusal) = first else { return }
    let answer = ControlSocket.refusal(refusal.reason).text
    let isTold = (try? JSONValue(parsing: answer))?["error"]?.string == refusal.reason
    try require(isTold, "an answer that is none: \(answer)")
  }
}

#if FUZZING
  private nonisolated(unsafe) let target = RequestsTarget()

  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.serve(start, count)
  }
#endif
