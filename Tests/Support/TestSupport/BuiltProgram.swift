import Foundation

/// The programs that were built together with these tests.
public enum BuiltProgram {
  /// Where the build puts programs: beside the bundle of the tests.
  public static func path(_ name: String) -> String {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    return URL(fileURLWithPath: bundle ?? CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent(name).path
  }
}
