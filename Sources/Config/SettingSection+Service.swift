extension SettingSection {
  /// What belongs to the daemon as a service.
  static let service = [
    SettingSection(
      "store", "Where records are kept: one SQLite file that is also a GeoPackage.",
      [
        .text("path", \.store.path, atMost: 4095, "The file. It is made when it does not exist."),
        .quantity(
          "retention_days", \.store.retention, 0...36_500,
          "Older track points, visits and samples are deleted, once a day, and no more than a "
            + "quarter of a table in one run. Nothing is deleted for a receiver's date alone: the "
            + "system's clock or the newest stored record must agree with it, or it must have held "
            + "for a day. 0 keeps them for ever."),
        .integer(
          "retention_points", \.store.retentionPoints, 0...1_000_000_000,
          "Beyond this number the oldest track points are deleted. 0 keeps any number."),
        .integer(
          "min_free_MB", \.store.minimumFree, 0...1_000_000,
          "With less free space on the file system than this, the oldest records make room."),
        .quantity(
          "commit_interval_s", \.store.commitInterval, 0...86_400,
          "Records wait at most this long to share a transaction: what a power cut may cost. Ended "
            + "visits never wait."),
      ]),
    SettingSection(
      "control", "How godwit status and godwit gnss reach the daemon.",
      [
        .text(
          "socket", \.control.socket, atMost: 107, "The socket's path (unix(7) allows 107 bytes)."),
        .text("group", \.control.group, atMost: 32, "Members of this group may use the socket."),
      ]),
  ]
}
