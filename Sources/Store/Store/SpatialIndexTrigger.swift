/// The triggers by which GDAL, QGIS and others maintain the spatial index of a layer (OGC
/// 12-128r18, annex F.3), and the triggers by which GDAL counts its rows. Their texts differ from
/// version to version; all of them write only to the index, or to the count.
enum SpatialIndexTrigger {
  /// Prefix of an index and its triggers: `rtree_LAYER_COLUMN`.
  static let prefix = "rtree_"
  /// GDAL's table of row counts.
  static let counts = "gpkg_ogr_contents"

  /// The words allowed in them besides the names of the layer, its columns and the index. None of
  /// these makes a query, or refuses or replaces the row.
  private static let words: Set<String> = [
    "create", "trigger", "after", "insert", "update", "delete", "of", "on", "when", "for", "each",
    "row", "and", "or", "not", "null", "notnull", "isnull", "is", "in", "begin", "end", "replace",
    "into", "values", "from", "where", "set", "new", "old", "id", "minx", "maxx", "miny", "maxy",
    "st_isempty", "st_minx", "st_maxx", "st_miny", "st_maxy", "geom",
  ]
  private static let countingWords: Set<String> = [
    "create", "trigger", "after", "insert", "delete", "on", "for", "each", "row", "begin", "end",
    "update", "set", "feature_count", "where", "lower", "table_name", counts,
  ]
  private static let signs: Set<String> = ["(", ")", ",", ";", ".", "=", "!", "<", ">", "+", "-"]

  static func isOne(_ trigger: SchemaEntry) -> Bool {
    isOfIndex(trigger) || isOfCount(trigger)
  }

  private static func isOfIndex(_ trigger: SchemaEntry) -> Bool {
    let index = "\(prefix)\(trigger.table)_geom"
    guard trigger.name.hasPrefix("\(index)_"),
      consists(trigger, of: words.union([index, trigger.table, trigger.name]))
    else { return false }
    // Only the index is written.
    return pairs(of: trigger.tokens.drop { !$0.is("begin") }).allSatisfy { word, next in
      !["into", "from", "update"].contains { word.is($0) } || next.text == index
    }
  }

  private static func isOfCount(_ trigger: SchemaEntry) -> Bool {
    ["insert", "delete"].contains { trigger.name == "trigger_\($0)_feature_count_\(trigger.table)" }
      && consists(trigger, of: countingWords.union([trigger.table, trigger.name]))
      && pairs(of: trigger.tokens[...]).allSatisfy { word, next in
        !word.is("update") || next.text == counts
      }
  }

  private static func pairs(
    of tokens: ArraySlice<SQLToken>
  ) -> Zip2Sequence<ArraySlice<SQLToken>, ArraySlice<SQLToken>> {
    zip(tokens, tokens.dropFirst())
  }

  private static func consists(_ trigger: SchemaEntry, of words: Set<String>) -> Bool {
    trigger.tokens.allSatisfy { token in
      switch token.kind {
      case .word, .name, .text: words.contains(token.text)
      case .sign: signs.contains(token.text)
      case .number: token.text == "1"
      }
    }
  }
}
