import DatabaseStandIns
import Delivery
import Ports
import Transports
import TestSupport
import Testing

/// Error messages for unusable databases and invalid addresses.
@Suite(.enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.skipped)))
struct DatabaseRefusalTests {
  /// The error of opening a database; nil: it opens.
  private func refusal(_ address: String, password: String? = nil) -> String? {
    do throws(PortError) {
      _ = try PostGISCollection(
        DatabaseAddress(parsing: address), password: password.map { Secret($0) })
      return nil
    } catch {
      return error.message
    }
  }

  @Test("a password in the address is refused, in whichever form, and not repeated")
  func passwords() {
    for address in [
      "postgresql://ann:s3cr3t@host/home", "postgres://ann:s3cr3t@host/home",
      "postgresql://ann@host/home?password=s3cr3t", "host=h password=s3cr3t",
      "host=h password = 's3cr3t'", "host=h sslpassword=s3cr3t",
      "postgresql://ann:s3cr3t%zz@host/home", "postgresql://ann:s3cr3t@[::1/home",
    ] {
      let text = refusal(address)
      #expect(text?.contains("s3cr3t") == false, "\(address): \(text ?? "")")
    }
    #expect(refusal("postgresql://ann:s3cr3t@host/home")?.contains("--password-file") == true)
  }

  @Test(
    "the error for an invalid address contains an example",
    arguments: ["", "home", "home.gpkg", "mysql://host/home", "host", "hots=x", "host='x"])
  func unclear(_ address: String) {
    let text = refusal(address) ?? ""
    #expect(text.contains("postgresql://user@host/name"), "\(address): \(text)")
  }

  @Test("an absent server is named, with libpq's message") func absent() throws {
    let folder = try ScratchFolder()
    let text = refusal("host=\(folder.path) dbname=home") ?? ""
    #expect(text.contains("cannot connect to the database home at \(folder.path)"), "\(text)")
    #expect(text.contains("No such file or directory"), "\(text)")
  }

  @Test("each error of an unusable database states the remedy") func unusable() throws {
    let server = try PostgresServer()
    for sql in [
      "CREATE ROLE ann LOGIN", "CREATE DATABASE plain TEMPLATE template0",
      "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'",
      "CREATE DATABASE rights TEMPLATE gis", "CREATE DATABASE foreign_one TEMPLATE gis",
      "CREATE DATABASE newer TEMPLATE gis", "CREATE DATABASE older TEMPLATE gis",
    ] { try server.sql(sql, in: "postgres") }
    try server.sql("CREATE SCHEMA godwit CREATE TABLE visits (id int)", in: "foreign_one")
    try server.sql(
      "CREATE SCHEMA godwit CREATE TABLE migrations (id int, name text)", in: "older")
    _ = try PostGISCollection(DatabaseAddress(parsing: server.address("newer")), password: nil)
    try server.sql("INSERT INTO godwit.migrations VALUES (2, 'moods-2')", in: "newer")
    for (database, user, words) in [
      ("absent", "postgres", ["\"absent\" does not exist"]),
      ("plain", "postgres", ["the database plain", "CREATE EXTENSION postgis"]),
      ("latin", "postgres", ["LATIN1", "createdb --encoding UTF8"]),
      ("rights", "ann", ["permission denied", "CREATE SCHEMA godwit AUTHORIZATION"]),
      ("foreign_one", "postgres", ["not a collection of Godwit", "nothing was changed"]),
      ("older", "postgres", ["not a collection of Godwit"]),
      ("newer", "postgres", ["newer godwit", "moods-2", "nothing was changed"]),
      ("newer", "ann", ["permission denied", "ALTER SCHEMA"]),
    ] {
      let text = refusal(server.address(database, user: user)) ?? ""
      for part in words { #expect(text.contains(part), "\(database), \(user): \(text)") }
    }
    #expect(
      try server.sql("SELECT relname FROM pg_class WHERE relname = 'streams'", in: "foreign_one")
        .isEmpty)
  }

  @Test("the password comes from its own file, or from PGPASSFILE's") func passwordFile()
    throws
  {
    let server = try PostgresServer(access: ["local all ann scram-sha-256"])
    try server.createDatabase("home", from: "gis")
    try server.sql("CREATE ROLE ann LOGIN PASSWORD 's3cr3t'", in: "home")
    try server.sql("CREATE SCHEMA godwit AUTHORIZATION ann", in: "home")
    let address = server.address("home", user: "ann")
    let none = refusal(address + " passfile=/dev/null") ?? ""
    #expect(none.contains("no password supplied"), "\(none)")
    let wrong = refusal(address, password: "s3cr3T") ?? ""
    #expect(wrong.contains("password authentication failed"), "\(wrong)")
    #expect(!wrong.contains("s3cr3T"))
    #expect(refusal(address, password: "s3cr3t") == nil)
    let folder = try ScratchFolder()
    try folder.write("*:*:home:ann:s3cr3t\n", to: "pgpass")
    _ = try run("chmod", "600", folder.file("pgpass"))
    #expect(refusal(address + " passfile=\(folder.file("pgpass"))") == nil)
  }
}
