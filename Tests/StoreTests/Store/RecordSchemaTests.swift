import Records
import Testing

@testable import Store

@Suite struct RecordSchemaTests {
  /// Stores of released versions contain it word for word. A new column of a kind needs a new step.
  @Test("the first step of the schema is what it was when it was released")
  func firstStep() throws {
    let sql = RecordSchema.sql(try #require(Record.schema.first))
    #expect(sql.hasPrefix(Self.tables + "\nINSERT INTO gpkg_contents"))
  }

  @Test("the view of the lines is what it was when it was released") func lines() throws {
    let step = try #require(Record.schema.first { $0.name == "lines-3" })
    let sql = RecordSchema.sql(step)
    #expect(sql.hasPrefix(Self.lines + "\nINSERT INTO gpkg_contents"), "\(sql)")
  }

  @Test("restart commands added one column") func restarts() throws {
    let step = try #require(Record.schema.first { $0.name == "restarts-4" })
    #expect(RecordSchema.sql(step) == "ALTER TABLE gnss_sessions ADD COLUMN restart TEXT;")
  }

  @Test("every table is in the schema under its name, with its description")
  func contents() {
    let sql = Migration.all.map(\.sql).joined()
    for table in Table.ofRecords {
      #expect(sql.contains("('\(table.name)', '\(table.isLayer ? "features" : "attributes")', "))
    }
  }

  private static let lines = """
    CREATE TABLE track_lines_types (
      id INTEGER PRIMARY KEY NOT NULL,
      geom LINESTRING,
      start DATETIME,
      finish DATETIME,
      start_accuracy_m DOUBLE,
      finish_accuracy_m DOUBLE,
      session_id INTEGER
    );
    CREATE VIEW track_lines AS
    SELECT id, geom, start, finish, start_accuracy_m, finish_accuracy_m, session_id
    FROM track_lines_types
    UNION ALL
    SELECT b.id AS id,
      CAST(substr(b.geom, 1, 9) || x'0200000002000000'
        || substr(a.geom, 14, 16) || substr(b.geom, 14, 16) AS BLOB) AS geom,
      a.time AS start,
      b.time AS finish,
      a.accuracy_m AS start_accuracy_m,
      b.accuracy_m AS finish_accuracy_m,
      b.session_id AS session_id
    FROM track_points AS b CROSS JOIN track_points AS a
      ON a.id = (SELECT max(id) FROM track_points WHERE id < b.id)
    WHERE b.id - a.id <= 900000000
      AND length(a.geom) = 29 AND substr(a.geom, 1, 13) = x'47500001E61000000101000000'
      AND length(b.geom) = 29 AND substr(b.geom, 1, 13) = x'47500001E61000000101000000'
      AND NOT (
        substr(a.geom, 20, 1) >= x'60' AND substr(b.geom, 20, 1) >= x'60'
        AND (substr(a.geom, 21, 1) = x'40' AND substr(b.geom, 21, 1) = x'C0'
          OR substr(a.geom, 21, 1) = x'C0' AND substr(b.geom, 21, 1) = x'40'));
    """

  private static let tables = """
    CREATE TABLE track_points (
      id INTEGER PRIMARY KEY NOT NULL,
      geom POINT NOT NULL,
      time DATETIME NOT NULL,
      accuracy_m DOUBLE NOT NULL,
      altitude_m DOUBLE,
      speed_m_s DOUBLE,
      track_deg DOUBLE,
      source TEXT NOT NULL,
      reason TEXT NOT NULL,
      session_id INTEGER
    );
    CREATE TABLE visits (
      id INTEGER PRIMARY KEY NOT NULL,
      geom POINT NOT NULL,
      arrival DATETIME NOT NULL,
      arrival_earliest DATETIME NOT NULL,
      arrival_latest DATETIME NOT NULL,
      departure DATETIME,
      departure_earliest DATETIME,
      departure_latest DATETIME,
      accuracy_m DOUBLE NOT NULL,
      confidence DOUBLE NOT NULL,
      locations INTEGER NOT NULL,
      destination_id INTEGER
    );
    CREATE TABLE destinations (
      id INTEGER PRIMARY KEY NOT NULL,
      geom POINT NOT NULL,
      radius_m DOUBLE NOT NULL,
      visit_count INTEGER NOT NULL,
      total_dwell_s DOUBLE NOT NULL,
      label TEXT
    );
    CREATE TABLE gnss_sessions (
      id INTEGER PRIMARY KEY NOT NULL,
      power_on DATETIME,
      first_fix DATETIME,
      power_off DATETIME,
      duration_s DOUBLE,
      ttff_s DOUBLE,
      fixes_accepted INTEGER NOT NULL,
      fixes_rejected INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      charge_mAh DOUBLE,
      energy_J DOUBLE,
      energy_is_measured BOOLEAN NOT NULL
    );
    CREATE TABLE coarse_observations (
      id INTEGER PRIMARY KEY NOT NULL,
      time DATETIME,
      since_boot_s DOUBLE NOT NULL,
      latitude_deg DOUBLE,
      longitude_deg DOUBLE,
      accuracy_m DOUBLE,
      access_point TEXT,
      source TEXT NOT NULL
    );
    CREATE TABLE power_segments (
      id INTEGER PRIMARY KEY NOT NULL,
      state TEXT NOT NULL,
      start DATETIME NOT NULL,
      duration_s DOUBLE NOT NULL,
      charge_mAh DOUBLE NOT NULL,
      energy_J DOUBLE NOT NULL,
      energy_uncertainty_J DOUBLE,
      basis TEXT NOT NULL
    );
    CREATE TABLE events (
      id INTEGER PRIMARY KEY NOT NULL,
      time DATETIME,
      level TEXT NOT NULL,
      kind TEXT NOT NULL,
      reason TEXT NOT NULL
    );
    """
}
