/// A record was added, changed or withdrawn: an entry for programs that pass records on.
public struct RecordChange: Hashable, Sendable {
  /// Rising.
  public var number: Int64
  /// The table.
  public var layer: String
  /// The record's id in that table.
  public var record: Int64
  /// Whether the record was wrong and was removed. Expired records are no withdrawals.
  public var isWithdrawal: Bool

  public init(number: Int64, layer: String, record: Int64, isWithdrawal: Bool) {
    self.number = number
    self.layer = layer
    self.record = record
    self.isWithdrawal = isWithdrawal
  }
}
