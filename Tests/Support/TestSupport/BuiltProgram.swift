import Foundation

/// The programs that were built together with these tests.
public enum BuiltProgram {
  /// Where the build puts programs: beside the bundle of the tests. `GODWIT_PROGRAM` names another
  /// godwit: the optimised one, as it is shipped, takes half the time.
  public static func path(_ name: String) -> String {
    if name == "godwit", let other = ProcessInfo.processInfo.environment["GODWIT_PROGRAM"] {
      return other
    }
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    return URL(fileURLWithPath: bundle ?? CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent(name).path
  }
}
