import Core

/// A view of a table of points as lines, for programs that draw maps: each row is the straight line
/// from one point to the next. The file holds no line, and nothing is drawn where nothing is known.
public struct LineLayer: Hashable, Sendable {
  /// No line joins points that are further apart in time: three significant-change locations
  /// (Algorithm 1's SLU, 300 s) are missing.
  public static let maxGap = UnwatchedTime.shortest

  public let name: String
  /// For people who look into the file with other programs.
  public let description: String
  /// The points, whose ids are their times.
  public let points: TableLayout
  /// Behind the id, which is that of the later point, and the line.
  public let columns: [Column]

  /// The table that stays empty, from which the view has the types of its columns.
  public var typesTable: String { name + "_types" }

  /// A column of one of the two points.
  public struct Column: Hashable, Sendable {
    public let name: String
    /// The name of the points' column.
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
        meaning: "When the board was where the line begins, UTC."),
      Column(
        name: "finish", source: "time", isOfEarlier: false,
        meaning: "When it was where the line ends, UTC."),
      Column(
        name: "start_accuracy_m", source: "accuracy_m", isOfEarlier: true,
        meaning: "How well the beginning is known, as in track_points."),
      Column(
        name: "finish_accuracy_m", source: "accuracy_m", isOfEarlier: false,
        meaning: "How well the end is known."),
      Column(
        name: "session_id", source: "session_id", isOfEarlier: false,
        meaning: "The GNSS session that gave the end; empty where none did."),
    ])
}
