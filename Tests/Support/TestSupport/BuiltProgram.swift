import Foundation

/// The programs that the tests run.
public enum BuiltProgram {
  /// Where the build puts programs: beside the bundle of the tests. `GODWIT_PROGRAM` is the
  /// absolute path of another godwit: the optimised one, as it is shipped, takes half the time.
  public static func path(_ name: String) -> String {
    if name == "godwit", let other = ProcessInfo.processInfo.environment["GODWIT_PROGRAM"],
      !other.isEmpty
    {
      return other
    }
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    return URL(fileURLWithPath: bundle ?? CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent(name).path
  }
}
