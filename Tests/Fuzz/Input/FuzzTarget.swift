/// What a fuzzer feeds with bytes. One object serves millions of inputs; what it keeps between them
/// must not change what the next one does.
public protocol FuzzTarget: AnyObject {
  init()
  /// Takes one input, whatever is in it.
  func run(_ input: UnsafeBufferPointer<UInt8>) throws(Violation)
}

/// Something that must hold for every input, and does not hold for this one.
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
  /// For libFuzzer, which takes the end of the program for a finding and keeps the input.
  public func serve(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do throws(Violation) {
      try run(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
    } catch {
      fatalError(error.description)
    }
    return 0
  }
}
