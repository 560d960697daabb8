import Core

/// A view of a table of points as lines, for mapping programs. Each row is the straight line from
/// one point to the next. No lines are stored, and gaps in the data are not bridged.
public struct LineLayer: Hashable, Sendable {
  /// Points that are further apart in time are not joined: three significant-change locations
  /// (Algorithm 1's SLU, 300 s) are missing.
  public static let maxGap = UnobservedPeriod.shortest

  public let name: String
  /// For people who open the file with other programs.
  public let description: String
  /// The table of points, whose ids are their times.
  public let points: TableLayout
  /// The columns after the id, which is that of the later point, and after the line.
  public let columns: [Column]

  /// An empty table that defines the column types of the view.
  public var typesTable: String { name + "_types" }

  /// A column of the earlier or the later point.
  public struct Column: Hashable, Sendable {
    public let name: String
    /// The name of the column in the table of points.
    public let source: String
    public let isOfEarlier: Bool
    /// For the manual.
    public let meaning: String
  }

  public static let trajectory = LineLayer(
    name: "track_lines", description: "How the board went", points: TrackPoint.layout,
    columns: [
      Column(
        name: "start", source: "time", isOfEarlier: true,
        meaning: "Time at the begin of the line, UTC."),
      Column(
        name: "finish", source: "time", isOfEarlier: false,
        meaning: "Time at the end of the line, UTC."),
      Column(
        name: "start_accuracy_m", source: "accuracy_m", isOfEarlier: true,
        meaning: "Accuracy at the begin, as in track_points."),
      Column(
        name: "finish_accuracy_m", source: "accuracy_m", isOfEarlier: false,
        meaning: "Accuracy at the end."),
      Column(
        name: "session_id", source: "session_id", isOfEarlier: false,
        meaning: "GNSS session of the end; empty if none."),
    ])
}
