/// A target that a fuzzer feeds with bytes. One object serves millions of inputs; state kept
/// between inputs must not change the next result.
public protocol FuzzTarget: AnyObject {
  init()
  /// Runs one input with any content.
  func run(_ input: UnsafeBufferPointer<UInt8>) throws(Violation)
}

/// A requirement for every input that this input violates.
public struct Violation: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

public func require(
  _ condition: Bool, _ what: @autoclosure () -> String
) throws(Violation) {
  if !condition { throw Violation(what()) }
}

extension FuzzTarget {
  /// For libFuzzer, which treats the end of the program as a finding and keeps the input.
  public func serve(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do throws(Violation) {
      try run(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
    } catch {
      fatalError(error.description)
    }
    return 0
  }
}
