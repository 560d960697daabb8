import DatabaseStandIns
import Delivery
import Core
import Ports
import Transports
import TestSupport
import Testing

/// The records of many boards in a database.
@Suite(.enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.skipped)))
struct PostGISCollectionTests {
  private let server: PostgresServer

  init() throws {
    server = try PostgresServer()
    try server.createDatabase("home", from: "gis")
  }

  private func open(user: String = "postgres") throws -> PostGISCollection {
    try PostGISCollection(
      DatabaseAddress(parsing: server.address("home", user: user)), password: nil)
  }

  private static func record(
    _ sequence: Int64, _ layer: String, _ id: Int64, _ row: String
  ) throws -> CollectedRecord {
    try #require(
      CollectedRecord(
        try JSONValue(
          parsing: #"{"seq":\#(sequence),"layer":"\#(layer)","id":\#(id),"row":\#(row)}"#)))
  }

  static func point(_ sequence: Int64, at second: Int) throws -> CollectedRecord {
    let time = "2026-05-01T00:00:\(second < 10 ? "0" : "")\(second).000Z"
    return try record(
      sequence, "track_points", Int64(second),
      #"{"geom":[5.1214,52.0907],"time":"\#(time)","accuracy_m":4.5,"source":"gnss","#
        + #""reason":"scheduled"}"#)
  }

  @Test("GDAL reads points with their reference system, times, and units in names")
  func gdal() throws {
    let collection = try open()
    let batch = CollectedBatch(
      stream: "s1", [try Self.point(1, at: 5), try Self.point(2, at: 20)])
    #expect(try collection.store(batch, of: "ann/bike").through == 2)
    let source = "PG:host=\(server.sockets) dbname=home user=postgres schemas=godwit"
    let info = try run("ogrinfo", "-so", source, "track_points").output
    for words in [
      "Geometry: Point", "Feature Count: 2", "Extent: (5.121400, 52.090700)", "ID[\"EPSG\",4326]",
      "time: DateTime", "accuracy_m: Real", "sequence: Integer64", "FID Column = id",
    ] { #expect(info.contains(words), "\(words) in \(info)") }
    #expect(try run("ogrinfo", source, "gnss_sessions").output.contains("charge_mAh: Real"))
    let folder = try ScratchFolder()
    let copy = try run(
      "ogr2ogr", "-f", "CSV", folder.file("points.csv"), source, "track_points", "-lco",
      "GEOMETRY=AS_XY", "-select", "time,device")
    #expect(copy.status == 0, "\(copy.output)")
    #expect(
      try folder.text("points.csv").split(separator: "\n").map(String.init) == [
        "X,Y,time,device",
        "5.1214,52.0907,2026/05/01 00:00:05+00,ann/bike",
        "5.1214,52.0907,2026/05/01 00:00:20+00,ann/bike",
      ])
  }

  @Test("geometries have a GiST index, times a BRIN index") func indexes() throws {
    _ = try open()
    let methods = try server.sql(
      """
      SELECT c.relname, amname FROM pg_index JOIN pg_class i ON i.oid = indexrelid
      JOIN pg_class c ON c.oid = indrelid JOIN pg_am a ON a.oid = i.relam
      JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE nspname = 'godwit' AND amname <> 'btree' ORDER BY 1, 2
      """, in: "home")
    for layer in ["track_points", "visits", "events", "gnss_sessions"] {
      #expect(methods.contains("\(layer)|brin"), "\(layer)")
    }
    for layer in CollectionEntry.layers {
      #expect(
        methods.contains("\(layer.name)|gist")
          == layer.columns.contains { $0.type.isGeometry }, "\(layer.name)")
    }
    #expect(
      try server.sql(
        "SELECT type, srid FROM geometry_columns WHERE f_table_name = 'visits'", in: "home")
        == ["POINT|4326"])
  }

  @Test("digits, texts and numbers are read back as sent") func values() throws {
    let collection = try open()
    let row =
      #"{"geom":[0.1,-1e-7],"arrival":"2026-05-01T00:00:00.123Z","#
      + #""arrival_earliest":"1969-12-31T23:59:59.999Z","arrival_latest":"2026-05-01T00:00:01Z","#
      + #""accuracy_m":0.30000000000000004,"confidence":5e-324,"locations":12,"#
      + #""destination_id":"9223372036854775807"}"#
    _ = try collection.store(
      CollectedBatch(stream: "s1", [try Self.record(1, "visits", 1, row)]), of: "ann/bike")
    #expect(
      try server.sql(
        """
        SELECT ST_X(geom), ST_Y(geom), extract(epoch FROM arrival_earliest), accuracy_m, confidence,
          destination_id FROM godwit.visits
        """, in: "home")
        == ["0.1|-1e-07|-0.001000|0.30000000000000004|5e-324|9223372036854775807"])
  }

  @Test("a collection of an older version gets the columns that were added since") func older()
    throws
  {
    try open().close()
    try server.sql(
      "ALTER TABLE godwit.visits DROP COLUMN is_coarse, DROP COLUMN gaps_s", in: "home")
    let collection = try open()
    let row =
      #"{"geom":[5.1214,52.0907],"arrival":"2026-05-01T00:00:00Z","#
      + #""arrival_earliest":"2026-05-01T00:00:00Z","arrival_latest":"2026-05-01T00:00:01Z","#
      + #""accuracy_m":3,"confidence":1,"locations":12,"gaps_s":"600/4200","is_coarse":1}"#
    let batch = CollectedBatch(stream: "s1", [try Self.record(1, "visits", 1, row)])
    #expect(try collection.store(batch, of: "ann/bike").through == 1)
    #expect(
      try server.sql("SELECT gaps_s, is_coarse, other FROM godwit.visits", in: "home")
        == ["600/4200|t|"])
  }

  @Test("a missing column that every version has is told, and nothing is changed") func lacking()
    throws
  {
    try open().close()
    try server.sql(
      "ALTER TABLE godwit.visits DROP COLUMN arrival, DROP COLUMN is_coarse", in: "home")
    let message = thrown(PortError.self) { try open() }?.message ?? ""
    for part in ["the table godwit.visits", "no column arrival", "nothing was changed"] {
      #expect(message.contains(part), "\(message)")
    }
    #expect(
      try server.sql(
        "SELECT attname FROM pg_attribute WHERE attrelid = 'godwit.visits'::regclass", in: "home"
      ).contains("is_coarse") == false)
  }

  @Test("values that no table can hold are acknowledged all the same, to block nothing") func odd()
    throws
  {
    let collection = try open()
    let records = [
      try Self.record(1, "moods", 1, #"{"mood":"a\u0000b"}"#),
      try Self.record(
        2, "events", 2, #"{"level":"info","kind":"a\u0000b'","reason":"x","later":"\u0000"}"#),
      try Self.record(3, "gnss_sessions", 3, #"{"energy_J":"much"}"#),
    ]
    let receipt = try collection.store(CollectedBatch(stream: "s1", records), of: "ann/bi\0ke")
    #expect(receipt.through == 3)
    #expect(try server.sql("SELECT device FROM godwit.streams", in: "home") == ["ann/bi\u{FFFD}ke"])
    // It is again the same device.
    #expect(
      try collection.store(CollectedBatch(stream: "s1", records), of: "ann/bi\0ke").through == 3)
    #expect(try server.sql("SELECT count(*) FROM godwit.streams", in: "home") == ["1"])
  }

  @Test("a larger gap than a board ever causes is refused, and nothing of it kept")
  func wild() throws {
    let collection = try open()
    try server.sql(
      """
      INSERT INTO godwit.streams (device, stream, through, dropped) VALUES ('ann/bike', 's1', 0, 0);
      INSERT INTO godwit.streams_ahead
        SELECT 1, n FROM generate_series(2, \(StreamProgress.mostAhead + 1)) n
      """, in: "home")
    let error = thrown(PortError.self) {
      try collection.store(
        CollectedBatch(stream: "s1", [try Self.point(200_000, at: 1)]), of: "ann/bike")
    }
    #expect(error?.message.contains("ann/bike has sent more than 100000 records") == true)
    #expect(try server.sql("SELECT count(*) FROM godwit.track_points", in: "home") == ["0"])
    #expect(
      try collection.store(CollectedBatch(stream: "s1", [try Self.point(1, at: 1)]), of: "ann/bike")
        .through == 100_001)
  }

  @Test("two collectors share a database, also for the same stream") func two() throws {
    let (one, other) = (try open(), try open())
    _ = try one.store(CollectedBatch(stream: "s1", [try Self.point(1, at: 1)]), of: "ann/bike")
    _ = try other.store(CollectedBatch(stream: "s1", [try Self.point(2, at: 2)]), of: "ann/bike")
    let batch = CollectedBatch(stream: "s1", [try Self.point(2, at: 2), try Self.point(3, at: 3)])
    #expect(try one.store(batch, of: "ann/bike").through == 3)
    #expect(try server.sql("SELECT count(*) FROM godwit.track_points", in: "home") == ["3"])
  }

  @Test("a user who only owns the schema needs no other right, wherever PostGIS is") func owner()
    throws
  {
    try server.createDatabase("elsewhere")
    for sql in [
      "CREATE SCHEMA \"Ext ras\"", "CREATE EXTENSION postgis SCHEMA \"Ext ras\"",
      "GRANT USAGE ON SCHEMA \"Ext ras\" TO PUBLIC",
      "CREATE ROLE ann LOGIN", "CREATE SCHEMA godwit AUTHORIZATION ann",
    ] { try server.sql(sql, in: "elsewhere") }
    let collection = try PostGISCollection(
      DatabaseAddress(parsing: server.address("elsewhere", user: "ann")), password: nil)
    let batch = CollectedBatch(stream: "s1", [try Self.point(1, at: 1), try Self.point(2, at: 2)])
    #expect(try collection.store(batch, of: "ann/bike").through == 2)
    // Once more, with an equal record of another stream.
    _ = try collection.store(
      CollectedBatch(stream: "s2", [try Self.point(1, at: 1)]), of: "ann/bike")
    #expect(try server.sql("SELECT count(*) FROM godwit.track_points", in: "elsewhere") == ["2"])
  }

  @Test("acknowledged records are on the disk, whatever the server's settings are") func durable()
    throws
  {
    try server.sql("ALTER DATABASE home SET synchronous_commit = off", in: "home")
    try server.sql(
      """
      CREATE FUNCTION setting() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'it is %', current_setting('synchronous_commit'); END $$
      """, in: "home")
    let collection = try open()
    try server.sql(
      """
      CREATE TRIGGER t BEFORE INSERT ON godwit.track_points FOR EACH ROW EXECUTE FUNCTION setting()
      """, in: "home")
    let error = thrown(PortError.self) {
      try collection.store(CollectedBatch(stream: "s1", [try Self.point(1, at: 1)]), of: "ann/bike")
    }
    #expect(error?.message.contains("it is on") == true, "\(error?.message ?? "")")
  }
}
