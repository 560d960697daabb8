import Delivery
import Records

/// The statements for the records of one layer. $1 to $4 are the origin: device, record, stream,
/// sequence.
struct LayerStatements {
  /// $5: the values without a column; from $6 on the columns.
  ///
  /// A later record of the stream replaces an earlier one, unless it was withdrawn after that. An
  /// identical one of another stream is deleted, so that it is here once.
  let row: String
  /// Deletes the record, also in other streams.
  let removal: String

  init(_ layer: TableLayout) {
    let columns = layer.columns.enumerated().map { index, column in
      (
        name: CollectionTables.quoted(column.name),
        value: "$\(index + 6)::\(CollectionTables.type(of: column))"
      )
    }
    let names = columns.map(\.name).joined(separator: ", ")
    let same = columns.map { "\($0.name) IS NOT DISTINCT FROM \($0.value)" }
    let updates = (["sequence", "other"] + columns.map(\.name)).map { "\($0) = excluded.\($0)" }
    row = """
      WITH twin AS (
        DELETE FROM \(layer.name) WHERE device = $1::text AND record = $2::bigint
          AND stream <> $3::text AND other IS NOT DISTINCT FROM $5::text
          AND \(same.joined(separator: " AND ")))
      INSERT INTO \(layer.name) (device, record, stream, sequence, other, \(names))
      SELECT $1::text, $2::bigint, $3::text, $4::bigint, $5::text,
        \(columns.map(\.value).joined(separator: ", "))
      WHERE NOT EXISTS (SELECT 1 FROM withdrawn_records WHERE layer = '\(layer.name)'
        AND device = $1::text AND record = $2::bigint AND stream = $3::text
        AND sequence > $4::bigint)
      ON CONFLICT (device, record, stream) DO UPDATE SET \(updates.joined(separator: ", "))
      WHERE \(layer.name).sequence < excluded.sequence
      """
    removal = """
      DELETE FROM \(layer.name) WHERE device = $1::text AND record = $2::bigint
        AND (stream <> $3::text OR sequence < $4::bigint)
      """
  }

  static let byLayer = Dictionary(
    uniqueKeysWithValues: CollectionEntry.layers.map { ($0.name, LayerStatements($0)) })

  /// $5: the layer.
  static let withdrawal = """
    INSERT INTO withdrawn_records (device, record, stream, sequence, layer)
    VALUES ($1::text, $2::bigint, $3::text, $4::bigint, $5::text)
    ON CONFLICT (layer, device, record, stream) DO UPDATE
    SET sequence = greatest(withdrawn_records.sequence, excluded.sequence)
    """

  /// $5: the layer, $6: the record as received.
  static let other = """
    INSERT INTO other_records (device, record, stream, sequence, layer, other)
    VALUES ($1::text, $2::bigint, $3::text, $4::bigint, $5::text, $6::text)
    ON CONFLICT (layer, device, record, stream) DO UPDATE
    SET sequence = excluded.sequence, other = excluded.other
    WHERE other_records.sequence < excluded.sequence
    """
}
