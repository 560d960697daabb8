/// The indexes for actions on contents, in addition to the table.
enum ContentSchema {
  /// The counts of one content, and what an arrival has shown, are queried at every arrival, among
  /// years of data.
  static let indexes = """
    CREATE INDEX content_actions_content ON content_actions (content_id, action);
    CREATE INDEX content_actions_crossing ON content_actions (crossing_id)
      WHERE crossing_id NOT NULL;
    """
}
