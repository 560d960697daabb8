import Foundation

/// The folder with the results of one scenario: /run/results inside the kernel.
struct Results {
  let folder: String

  func file(_ name: String) -> String { folder + "/" + name }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: file(name), encoding: .utf8)
  }

  /// The last lines of a file for a failure message.
  func tail(_ name: String, lines: Int = 15) -> String {
    let all = (try? text(name))?.split(separator: "\n", omittingEmptySubsequences: true) ?? []
    return all.suffix(lines).joined(separator: "\n")
  }

  func save(_ figures: [Figure]) throws {
    try JSONEncoder().encode(figures).write(to: URL(fileURLWithPath: file("figures.json")))
  }

  /// One of the figures left by the kernel's side.
  func value(_ what: String) throws -> Double {
    try figures().first { $0.what == what }.required("figures.json has no '\(what)'").value
  }

  func figures() throws -> [Figure] {
    let data = try Data(contentsOf: URL(fileURLWithPath: file("figures.json")))
    return try JSONDecoder().decode([Figure].self, from: data)
  }
}
