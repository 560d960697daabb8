import Testing

/// The error that the body throws; records an issue when it throws none or another. It replaces the
/// return value of `#expect(throws:)`, which exists since Swift 6.1, for older compilers.
@discardableResult
public func thrown<Failure: Error, Result>(
  _ type: Failure.Type, _ comment: Comment? = nil,
  at location: SourceLocation = #_sourceLocation, by body: () throws -> Result
) -> Failure? {
  do {
    _ = try body()
    Issue.record("\(type) was not thrown: \(comment ?? "")", sourceLocation: location)
  } catch let failure as Failure {
    return failure
  } catch {
    Issue.record("\(error) instead of \(type): \(comment ?? "")", sourceLocation: location)
  }
  return nil
}
