import DatabaseStandIns
import Delivery
import Ports
import Core
import ReceiverStandIns
import TestSupport
import Testing

@testable import Transports

/// Databases that disappear, hang and come back: no record is lost or stored twice, and every wait
/// has a limit.
@Suite(.enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.skipped)))
struct LostConnectionTests {
  private let server: PostgresServer

  /// A clock that a test advances.
  private final class Clock {
    var now = BootInstant(nanoseconds: 0)
  }
  private let clock = Clock()

  init() throws {
    server = try PostgresServer()
    try server.createDatabase("home", from: "gis")
  }

  private func open(_ limits: DatabaseLimits = DatabaseLimits()) throws -> PostGISCollection {
    try PostGISCollection(
      DatabaseAddress(parsing: server.address("home")), password: nil, limits,
      now: { clock.now })
  }

  private func batch(_ numbers: ClosedRange<Int64>) throws -> CollectedBatch {
    CollectedBatch(
      stream: "s1", try numbers.map { try PostGISCollectionTests.point($0, at: Int($0)) })
  }

  private var points: [String] {
    get throws {
      try server.sql("SELECT sequence FROM godwit.track_points ORDER BY 1", in: "home")
    }
  }

  @Test("a server that was restarted, or has ended the session, is retried at once")
  func restart() throws {
    let collection = try open()
    #expect(try collection.store(batch(1...3), of: "ann/bike").through == 3)
    server.stop()
    try server.start()
    #expect(try collection.store(batch(3...5), of: "ann/bike").through == 5)
    try server.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = "
        + "'godwit collect'", in: "home")
    #expect(try collection.store(batch(5...7), of: "ann/bike").through == 7)
    #expect(try points == (1...7).map(String.init))
  }

  @Test("a server killed between batches loses and duplicates nothing") func kills()
    throws
  {
    for seed in UInt64(1)...2 {
      var random = RandomBatches(seed: 200 + seed)
      let batches = random.batches(of: random.stream(60), stream: "s\(seed)")
      var chance = SplitMix(seed: seed)
      let database = "killed\(seed)"
      try server.createDatabase(database, from: "gis")
      let collection = try PostGISCollection(
        DatabaseAddress(parsing: server.address(database)), password: nil, now: { clock.now })
      var waiting = batches
      while !waiting.isEmpty {
        let batch = waiting.removeFirst()
        guard Int.random(in: 0..<4, using: &chance) == 0 else {
          _ = try collection.store(batch, of: "ann/bike")
          continue
        }
        try server.kill()
        thrown(PortError.self) { try collection.store(batch, of: "ann/bike") }
        // Without a receipt it is sent again, later.
        waiting.append(batch)
        try server.start()
        clock.now = clock.now + .hours(1)
      }
      let whole = try PostGISCollection(
        DatabaseAddress(parsing: try undisturbed(batches, as: "whole\(seed)")), password: nil)
      #expect(try whole.receipts().map(\.receipt) == collection.receipts().map(\.receipt))
      let (one, other) = (
        try CollectionDump.database(database, on: server),
        try CollectionDump.database("whole\(seed)", on: server)
      )
      #expect(one == other, "seed \(seed)")
    }
  }

  private func undisturbed(_ batches: [CollectedBatch], as database: String) throws -> String {
    try server.createDatabase(database, from: "gis")
    let address = server.address(database)
    let collection = try PostGISCollection(DatabaseAddress(parsing: address), password: nil)
    for batch in batches { _ = try collection.store(batch, of: "ann/bike") }
    return address
  }

  @Test("a session that ends within a batch, at any record or at the commit, stores no part of it")
  func withinBatch() throws {
    let collection = try open()
    for sql in [
      "CREATE SEQUENCE tries",
      """
      CREATE FUNCTION fall() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('public.tries') = 4 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
        RETURN NEW;
      END $$
      """,
      """
      CREATE TRIGGER fall BEFORE INSERT ON godwit.track_points
      FOR EACH ROW EXECUTE FUNCTION fall()
      """,
    ] { try server.sql(sql, in: "home") }
    // The fourth record ends the session; then all of them are accepted, once.
    #expect(try collection.store(batch(1...6), of: "ann/bike").through == 6)
    #expect(try points == (1...6).map(String.init))
    #expect(try server.sql("SELECT last_value FROM tries", in: "home") == ["10"])
    for sql in [
      "DROP TRIGGER fall ON godwit.track_points", "ALTER SEQUENCE tries RESTART WITH 4",
      """
      CREATE CONSTRAINT TRIGGER fall AFTER INSERT ON godwit.track_points INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION fall()
      """,
    ] { try server.sql(sql, in: "home") }
    #expect(try collection.store(batch(5...9), of: "ann/bike").through == 9)
    #expect(try points == (1...9).map(String.init))
  }

  @Test("an absent server is retried at growing intervals, with the same error")
  func pauses() throws {
    let collection = try open()
    server.stop()
    func refusal() throws -> String {
      let error = thrown(PortError.self) { try collection.store(batch(1...1), of: "ann/bike") }
      return error?.message ?? ""
    }
    let first = try refusal()
    #expect(first.contains("cannot connect to the database home") && first.contains("is retried"))
    try server.start()
    // It is back, but not tried yet: the back-off is not over.
    clock.now = clock.now + 0.9
    #expect(try refusal() == first)
    clock.now = clock.now + 0.2
    #expect(try collection.store(batch(1...1), of: "ann/bike").through == 1)
    server.stop()
    for pause in [Seconds(1), 2, 4, 8, 16, 32, 60, 60] {
      _ = try refusal()
      clock.now = clock.now + pause
    }
    try server.start()
    #expect(try collection.store(batch(2...2), of: "ann/bike").through == 2)
  }

  @Test("a session that hangs is replaced") func hangingSession() throws {
    var limits = DatabaseLimits()
    limits.answer = 0.3
    let collection = try open(limits)
    let hanging = try server.sql(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'godwit collect'", in: "home")
    let id = try #require(hanging.first)
    _ = try run("kill", "-STOP", id)
    #expect(try collection.store(batch(1...2), of: "ann/bike").through == 2)
    _ = try run("kill", "-CONT", id)
    #expect(try points == ["1", "2"])
  }

  @Test("a server that hangs altogether is abandoned in time, and used again when it answers")
  func hangingServer() throws {
    var limits = DatabaseLimits()
    limits.answer = 0.3
    limits.connecting = 1
    let collection = try open(limits)
    let session = try #require(
      try server.sql(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'godwit collect'", in: "home"
      ).first)
    _ = try run("kill", "-STOP", session)
    server.freeze()
    let error = thrown(PortError.self) { try collection.store(batch(1...2), of: "ann/bike") }
    #expect(error?.message.contains("timeout expired") == true, "\(error?.message ?? "")")
    server.thaw()
    _ = try run("kill", "-CONT", session)
    clock.now = clock.now + .hours(1)
    #expect(try collection.store(batch(1...2), of: "ann/bike").through == 2)
    #expect(try points == ["1", "2"])
  }

  @Test("a batch that takes too long is abandoned as a whole") func slow() throws {
    var limits = DatabaseLimits()
    limits.transaction = 0.5
    let collection = try open(limits)
    try server.sql(
      """
      CREATE FUNCTION doze() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(0.2); RETURN NEW; END $$;
      CREATE TRIGGER doze BEFORE INSERT ON godwit.track_points
      FOR EACH ROW EXECUTE FUNCTION doze()
      """, in: "home")
    let error = thrown(PortError.self) { try collection.store(batch(1...9), of: "ann/bike") }
    #expect(error?.message.contains("has not answered in time") == true)
    try server.sql("DROP TRIGGER doze ON godwit.track_points", in: "home")
    clock.now = clock.now + .hours(1)
    #expect(try collection.store(batch(1...9), of: "ann/bike").through == 9)
    #expect(try points == (1...9).map(String.init))
  }

  @Test("a locked table delays a batch for a limited time only") func locked() throws {
    var limits = DatabaseLimits()
    limits.statement = 0.3
    let collection = try open(limits)
    let psql = server.psql("home")
    let other = try #require(
      ChildProcess(
        psql[0],
        psql.dropFirst() + [
          "-c", "BEGIN", "-c", "LOCK TABLE godwit.streams", "-c", "\\warn locked",
          "-c", "SELECT pg_sleep(600)",
        ]))
    #expect(other.says("locked"))
    let error = thrown(PortError.self) { try collection.store(batch(1...1), of: "ann/bike") }
    #expect(error?.message.contains("is retried") == true, "\(error?.message ?? "")")
    try server.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)'",
      in: "home")
    #expect(other.exitCode() != nil)
    #expect(try collection.store(batch(1...1), of: "ann/bike").through == 1)
  }
}
