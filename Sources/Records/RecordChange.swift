/// That a record came about, changed, or was taken back, for what hands records on to others.
public struct RecordChange: Hashable, Sendable {
  /// Rising.
  public var number: Int64
  /// The table.
  public var layer: String
  /// Its id there.
  public var record: Int64
  /// Whether it was wrong and is gone. One that is only too old to be kept is not.
  public var isWithdrawal: Bool

  public init(number: Int64, layer: String, record: Int64, isWithdrawal: Bool) {
    self.number = number
    self.layer = layer
    self.record = record
    self.isWithdrawal = isWithdrawal
  }
}
