import Records

extension Crossing {
  public static let columns = Columns<Crossing>(
    [
      .count("id", cell: .plain("ID", 5, .right)) { Int($0.id) },
      .time("time", cell: .plain("TIME", 19)) { $0.time },
      .text("change", cell: .plain("CHANGE", 7)) { $0.change.rawValue },
      .time("earliest") { $0.earliest },
      .time("latest") { $0.latest },
    ] + Columns.position { $0.position }.map { $0.except(.table) } + [
      .number(
        "accuracy_m", digits: 1, cell: .figure("ACCURACY", 8, digits: 0, unit: " m")
      ) { $0.accuracy.value },
      .number(
        "edge_distance_m", digits: 1, cell: .figure("TO EDGE", 9, digits: 0, unit: " m")
      ) { $0.distance.value },
      .number("probability_inside", digits: 4) { $0.probabilityInside },
      .text("evidence") { $0.evidence.rawValue },
      .text("place_id") { $0.placeUUID },
      .count("place_version") { $0.placeVersion },
      .text("place", cell: .plain("PLACE", 5)) { $0.placeName },
    ])
}

extension Notice {
  public static let columns = Columns<Notice>([
    .count("id", cell: .plain("ID", 5, .right)) { Int($0.id) },
    .time("time", cell: .plain("TIME", 19)) { $0.time },
    .text("kind", cell: .plain("KIND", 12)) { $0.kind.rawValue },
    .text("alert", cell: .plain("ALERT", 16)) { $0.alertName },
    .count("alert_id") { $0.alert.map { Int($0) } },
    .count("crossing_id") { $0.crossing.map { Int($0) } },
    .text("place_id") { $0.placeUUID },
    .text("place") { $0.placeName },
    .number("lat", digits: 7) { $0.position?.latitude.value },
    .number("lon", digits: 7) { $0.position?.longitude.value },
    .number("accuracy_m", digits: 1) { $0.accuracy?.value },
    .time("located_at") { $0.locatedAt },
    .flag("test") { $0.isTest },
    .text("command", cell: .plain("COMMAND", 7)) { $0.handling.rawValue },
    .text("command_outcome") { $0.outcome },
    .text("text", cell: .plain("TEXT", 4)) { $0.text },
  ])
}
