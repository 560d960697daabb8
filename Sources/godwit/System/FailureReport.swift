import Core

/// The report of a command's failure: text on standard error and, if JSON was requested, an object
/// on standard output, so that a program need not read both.
struct FailureReport {
  /// One problem per line; settings may have several.
  let message: String
  let exitCode: Int32

  /// `{"error":{"message":…,"problems":[…],"exit_code":…}}`
  var json: String {
    let problems = message.split(separator: "\n").map { JSONValue.string(String($0)) }
    return JSONValue.object([
      (
        "error",
        .object([
          ("message", .string(message)), ("problems", .array(problems)),
          ("exit_code", .number(Double(exitCode))),
        ])
      )
    ]).text
  }

  /// Prints the object if the arguments request JSON. After a result it is not printed: two objects
  /// would be invalid JSON, and a result that is followed by a failure contains the error itself.
  func printJSON(askedFor arguments: [String]) {
    guard arguments.prefix(while: { $0 != "--" }).contains("--json"), !OutputBytes.hasPrinted else {
      return
    }
    // If standard output fails, standard error has the message nevertheless.
    try? OutputBytes.print(json)
  }
}
