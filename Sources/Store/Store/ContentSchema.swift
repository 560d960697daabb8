/// What beside its table is needed for what was done with contents.
enum ContentSchema {
  /// Counts of one content, and what an arrival has shown, are asked for at every arrival, among
  /// those of years.
  static let indexes = """
    CREATE INDEX content_actions_content ON content_actions (content_id, action);
    CREATE INDEX content_actions_crossing ON content_actions (crossing_id)
      WHERE crossing_id NOT NULL;
    """
}
