import Core

/// How a command's failure is told: in words on standard error and, where JSON was asked for, as an
/// object on standard output, so that a program that reads it need not read both.
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

  /// Prints the object if the arguments ask for JSON. After a result none is printed: two objects
  /// would be no JSON, and a result that is followed by a failure says itself what is wrong.
  func printJSON(askedFor arguments: [String]) {
    guard arguments.prefix(while: { $0 != "--" }).contains("--json"), !OutputBytes.hasPrinted else {
      return
    }
    // Where standard output does not take it, standard error has the message nevertheless.
    try? OutputBytes.print(json)
  }
}
