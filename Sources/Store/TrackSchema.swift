/// The layers and tables of Godwit's own data, units in the names of the columns.
///
/// Times are text in UTC. The id of a track point is its time in microseconds since 1970: rows lie
/// in the order of time without an index, so that a new point touches one page of the file.
enum TrackSchema {
  static let sql = """
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
    INSERT INTO gpkg_contents
      (table_name, data_type, identifier, description, last_change, srs_id) VALUES
      ('track_points', 'features', 'track_points', 'Where the board was', \(never), 4326),
      ('visits', 'features', 'visits', 'Where the board stayed', \(never), 4326),
      ('destinations', 'features', 'destinations', 'Places of visits', \(never), 4326),
      ('gnss_sessions', 'attributes', 'gnss_sessions', 'Times of GNSS power', \(never), NULL),
      ('coarse_observations', 'attributes', 'coarse_observations', 'Cheap locations',
       \(never), NULL),
      ('power_segments', 'attributes', 'power_segments', 'Charge and energy by GNSS state',
       \(never), NULL),
      ('events', 'attributes', 'events', 'Decision log', \(never), NULL);
    INSERT INTO gpkg_geometry_columns VALUES
      ('track_points', 'geom', 'POINT', 4326, 0, 0),
      ('visits', 'geom', 'POINT', 4326, 0, 0),
      ('destinations', 'geom', 'POINT', 4326, 0, 0);
    """

  private static let never = "'\(GeoPackageSchema.noChange)'"
}
