import CShims
import Ports

/// The address of a PostgreSQL database, in libpq's form: `postgresql://user@host/name`, or
/// `host=/run/postgresql dbname=name` (www.postgresql.org/docs/15/libpq-connect.html).
public struct DatabaseAddress: Sendable {
  /// With libpq's names, in its order.
  let options: [(name: String, value: String)]

  /// Loads libpq.
  /// - Throws: what is wrong with the text; no part that could be a password is repeated.
  public init(parsing text: String) throws(PortError) {
    if let problem = godwit_pg_load() {
      throw .failed("cannot use PostgreSQL: \(String(cString: problem))")
    }
    // libpq reads a single word as the name of a database, and the path of a file is easily given
    // by mistake.
    guard text.contains("=") || text.contains("://"), !text.utf8.contains(0) else {
      throw .failed(Self.unclear)
    }
    var why: UnsafeMutablePointer<CChar>?
    guard let first = godwit_pg_parse(text, &why) else {
      // libpq quotes invalid text.
      let isHarmless = !text.contains("@") && !text.lowercased().contains("pass")
      let detail = why.map { isHarmless ? ": " + DatabaseFailure.line(String(cString: $0)) : "" }
      godwit_pg_text_free(why)
      throw .failed(Self.unclear + (detail ?? ""))
    }
    defer { godwit_pg_options_free(first) }
    var options: [(name: String, value: String)] = []
    var option = first
    while let name = option.pointee.keyword {
      if let value = option.pointee.val {
        // A secret must not be an argument either: other users can see those.
        guard option.pointee.dispchar.map({ String(cString: $0) }) != "*" else {
          throw .failed(
            "the database's address has a password, which every user of this machine can see: "
              + "leave it out, and write it into a file for --password-file, or into ~/.pgpass")
        }
        options.append((String(cString: name), String(cString: value)))
      }
      option += 1
    }
    self.options = options
  }

  private static let unclear =
    "the database's address is invalid: write it as \"postgresql://user@host/name\" or "
    + "\"host=/run/postgresql dbname=name\""

  /// For messages.
  var description: String {
    let known = Dictionary(options, uniquingKeysWith: { $1 })
    let name = known["dbname"] ?? known["service"]
    let place = (known["host"] ?? known["hostaddr"]).map { " at \($0)" } ?? ""
    return "the database" + (name.map { " \($0)" } ?? "") + place
  }
}
