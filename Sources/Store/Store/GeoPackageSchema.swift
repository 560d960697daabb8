import Core

/// The schema of a GeoPackage 1.3 (OGC 12-128r18; the tables are in annex C).
enum GeoPackageSchema {
  /// "GPKG" in ASCII.
  static let applicationId: Int64 = 0x4750_4B47
  /// Version 1.3.0.
  static let userVersion = 10_300

  static var sql: String {
    """
    PRAGMA application_id = \(applicationId);
    PRAGMA user_version = \(userVersion);
    CREATE TABLE gpkg_spatial_ref_sys (
      srs_name TEXT NOT NULL,
      srs_id INTEGER NOT NULL PRIMARY KEY,
      organization TEXT NOT NULL,
      organization_coordsys_id INTEGER NOT NULL,
      definition TEXT NOT NULL,
      description TEXT
    );
    INSERT INTO gpkg_spatial_ref_sys VALUES
      ('Undefined Cartesian SRS', -1, 'NONE', -1, 'undefined',
       'undefined Cartesian coordinate reference system'),
      ('Undefined geographic SRS', 0, 'NONE', 0, 'undefined',
       'undefined geographic coordinate reference system'),
      ('WGS 84 geodetic', 4326, 'EPSG', 4326, '\(wgs84)',
       'longitude/latitude coordinates in decimal degrees on the WGS 84 spheroid');
    CREATE TABLE gpkg_contents (
      table_name TEXT NOT NULL PRIMARY KEY,
      data_type TEXT NOT NULL,
      identifier TEXT UNIQUE,
      description TEXT DEFAULT '',
      last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
      min_x DOUBLE,
      min_y DOUBLE,
      max_x DOUBLE,
      max_y DOUBLE,
      srs_id INTEGER,
      CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id)
    );
    CREATE TABLE gpkg_geometry_columns (
      table_name TEXT NOT NULL,
      column_name TEXT NOT NULL,
      geometry_type_name TEXT NOT NULL,
      srs_id INTEGER NOT NULL,
      z TINYINT NOT NULL,
      m TINYINT NOT NULL,
      CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
      CONSTRAINT uk_gc_table_name UNIQUE (table_name),
      CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
      CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id)
    );
    CREATE TABLE migrations (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL);
    CREATE TABLE meta (
      id INTEGER PRIMARY KEY NOT NULL,
      key TEXT NOT NULL UNIQUE,
      value TEXT NOT NULL
    );
    INSERT INTO gpkg_contents (table_name, data_type, identifier, description, last_change) VALUES
      ('migrations', 'attributes', 'migrations', 'Steps of the schema', '\(noChange)'),
      ('meta', 'attributes', 'meta', 'What the daemon keeps between runs', '\(noChange)');
    """
  }

  /// The `last_change` of a table without rows: no clock time may enter the file, so that the same
  /// records give the same bytes.
  static let noChange = "1970-01-01T00:00:00.000Z"

  /// EPSG:4326 in the well-known text of OGC 01-009.
  private static let wgs84 =
    #"GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,"#
    + #"AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],"#
    + #"PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],"#
    + #"UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],"#
    + #"AXIS["Latitude",NORTH],AXIS["Longitude",EAST],AUTHORITY["EPSG","4326"]]"#
}

/// Times in the format of GeoPackage's DATETIME column type: `YYYY-MM-DDTHH:MM:SS.sssZ`. In this
/// form the order of the texts is the order of the times.
enum DateTime {
  static func text(_ instant: UTCInstant) -> String { ISO8601.text(instant, digits: 3) }
  static func parse(_ text: String) -> UTCInstant? { ISO8601.parse(text) }

  /// The time in a track point's identifier; nil if no receiver can have reported it.
  static func ofIdentifier(_ id: Int64) -> UTCInstant? {
    (0..<Int64.max / 1000).contains(id) ? UTCInstant(nanoseconds: id * 1000) : nil
  }
}
