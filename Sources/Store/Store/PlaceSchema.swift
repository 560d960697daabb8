import Records

/// Keeps the layers of places consistent, whichever program edits them: every row gets a unique
/// UUID, a version that counts its changes, and its box in the spatial index.
///
/// The triggers run in the program that edits; QGIS and GDAL provide the functions that they call,
/// as any program must that edits a layer with a spatial index (OGC 12-128r18, annex F.3).
enum PlaceSchema {
  /// An R-tree (sqlite.org/rtree.html) of both layers. Boxes contain the whole perimeter, and may
  /// be larger: they select candidates.
  static let index = "place_index"
  /// The tables in which SQLite stores it.
  static let indexTables = [index, "\(index)_node", "\(index)_rowid", "\(index)_parent"]

  /// A layer whose ids and boxes are in the index.
  enum Layer: Int64, CaseIterable {
    case circles = 0
    case areas = 1

    var table: TableLayout {
      switch self {
      case .circles: StoredCircle.layout
      case .areas: StoredArea.layout
      }
    }

    /// The place's number in the index.
    func number(_ id: String) -> String { "(\(id) * 2 + \(rawValue))" }

    init(number: Int64) { self = number & 1 == 0 ? .circles : .areas }
  }

  static var sql: String {
    """
    CREATE VIRTUAL TABLE \(index) USING rtree(id, west, east, south, north);
    """ + Layer.allCases.map(sql).joined()
  }

  private static func sql(of layer: Layer) -> String {
    let name = layer.table.name
    let box = layer == .circles ? circleBox : areaBox
    let edges = layer == .circles ? "geom, radius_m" : "geom"
    let taken = Layer.allCases.map { isTaken(in: $0, by: layer) }.joined(separator: " OR ")
    return """

      CREATE INDEX \(name)_uuid ON \(name) (uuid);
      CREATE TRIGGER \(name)_made AFTER INSERT ON \(name)
      WHEN NEW.version IS NULL OR \(isNoUUID) OR \(taken)
      BEGIN
        UPDATE \(name) SET version = coalesce(version, 1), uuid = \(uuid(ifTaken: taken))
        WHERE id = NEW.id;
      END;
      CREATE TRIGGER \(name)_renamed AFTER UPDATE OF uuid ON \(name)
      WHEN \(isNoUUID) OR \(taken)
      BEGIN
        UPDATE \(name) SET uuid = \(uuid(ifTaken: taken)) WHERE id = NEW.id;
      END;
      CREATE TRIGGER \(name)_changed AFTER UPDATE ON \(name)
      WHEN NEW.version IS OLD.version AND NEW.uuid IS OLD.uuid AND OLD.version < \(maxVersion)
      BEGIN
        UPDATE \(name) SET version = OLD.version + 1 WHERE id = NEW.id;
      END;
      CREATE TRIGGER \(name)_found AFTER INSERT ON \(name)
      WHEN NEW.id BETWEEN 0 AND \(RecordIdentifier.highest)
      BEGIN
        DELETE FROM \(index) WHERE id = \(layer.number("NEW.id"));
        INSERT INTO \(index) SELECT \(layer.number("NEW.id")), \(box);
      END;
      CREATE TRIGGER \(name)_moved AFTER UPDATE OF id, \(edges) ON \(name)
      WHEN NEW.id BETWEEN 0 AND \(RecordIdentifier.highest)
      BEGIN
        DELETE FROM \(index) WHERE id IN (\(layer.number("OLD.id")), \(layer.number("NEW.id")));
        INSERT INTO \(index) SELECT \(layer.number("NEW.id")), \(box);
      END;
      CREATE TRIGGER \(name)_removed AFTER DELETE ON \(name)
      BEGIN
        DELETE FROM \(index) WHERE id = \(layer.number("OLD.id"));
      END;
      """
  }

  /// Index of the places that move with a device, among many others.
  static var followingIndexes: String {
    Layer.allCases.map { layer in
      let name = layer.table.name
      return """
        CREATE INDEX \(name)_following ON \(name) (follows_device) WHERE follows_device NOT NULL;

        """
    }.joined()
  }

  /// JSON represents integers below 2^53 exactly.
  private static let maxVersion: Int64 = 1 << 52

  /// Whether another row of a layer has the new row's UUID; all of them are in lower case.
  private static func isTaken(in layer: Layer, by own: Layer) -> String {
    let other = layer == own ? " AND id <> NEW.id" : ""
    return "EXISTS (SELECT 1 FROM \(layer.table.name) WHERE uuid = lower(NEW.uuid)\(other))"
  }

  private static let isNoUUID = "NEW.uuid IS NULL OR NEW.uuid <> lower(NEW.uuid)"

  private static func uuid(ifTaken taken: String) -> String {
    "CASE WHEN uuid IS NULL OR \(taken) THEN \(newUUID) ELSE lower(uuid) END"
  }

  /// Random (RFC 9562 § 5.4).
  private static let newUUID =
    """
    lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
            || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2)
            || '-' || hex(randomblob(6)))
    """

  /// West, east, south, north of a circle. A degree of latitude has at least 111 km on the sphere
  /// (`Sphere.radius`); a degree of longitude has fewer near the poles, for which there are bounds
  /// in steps.
  private static let circleBox =
    """
    x - dx, x + dx, y - dy, y + dy FROM (
          SELECT x, y, dy, CASE WHEN abs(y) + dy < 60 THEN dy * 2
            WHEN abs(y) + dy < 80 THEN dy * 5.8 WHEN abs(y) + dy < 89 THEN dy * 57.4
            ELSE 360 END AS dx
          FROM (SELECT ST_MinX(NEW.geom) AS x, ST_MinY(NEW.geom) AS y,
            max(0, coalesce(NEW.radius_m, 0)) / 111000.0 AS dy)
        ) WHERE x NOT NULL
    """

  /// Box of an area. One wider than half the Earth crosses the antimeridian or surrounds a pole.
  private static let areaBox =
    """
    CASE WHEN east - west > 180 THEN -180 ELSE west END,
          CASE WHEN east - west > 180 THEN 180 ELSE east END,
          CASE WHEN east - west > 180 AND south < 0 THEN -90 ELSE south END,
          CASE WHEN east - west > 180 AND north > 0 THEN 90 ELSE north END
        FROM (SELECT ST_MinX(NEW.geom) AS west, ST_MaxX(NEW.geom) AS east,
          ST_MinY(NEW.geom) AS south, ST_MaxY(NEW.geom) AS north)
        WHERE west NOT NULL
    """
}
