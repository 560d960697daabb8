import Formats
import Core
import Places

/// A place in a list, with the way to it if a starting point is known.
struct ListedPlace: Sendable {
  let place: Place
  /// Its position, or that of its device; nil: unknown.
  let position: Coordinate?
  /// The way from the starting point; nil: there is none.
  var direction: PlaceDirection?
  /// To the nearest edge, negative inside.
  var distanceToEdge: Metres?

  /// - Parameters:
  ///   - location: its position, from `DevicePositions`.
  ///   - position: the starting point; nil: there is none.
  init(
    _ place: Place, at location: Coordinate?, from position: Coordinate? = nil,
    heading: Degrees? = nil
  ) {
    self.place = place
    self.position = location
    guard let position, let location else { return }
    direction = PlaceDirection(from: position, heading: heading, to: location)
    distanceToEdge = place.region(devicePosition: location)?.signedDistance(from: position)
  }

  /// "circle 50 m", "area 2 polygons", "circle 20 m with guide"
  var shape: String { Self.shape(of: place) }

  static func shape(of place: Place) -> String {
    var text =
      switch place.perimeter {
      case .circle(let radius): "circle \(radius.inWords)"
      case .polygons(let polygons): "area of \(Counted.text(polygons.count, "polygon"))"
      }
    if case .following(let device) = place.location { text += " with \(device.name)" }
    return text
  }

  static let columns = Columns<ListedPlace>(
    identity + [
      .number("distance_m", digits: 1) { $0.direction?.distance.value }.brief,
      .number("bearing_deg", digits: 1) { $0.direction?.bearing.value }.brief,
      .number("distance_to_edge_m", digits: 1) { $0.distanceToEdge?.value }.brief,
    ])

  /// Includes the way to the place.
  static let columnsFromHere = Columns<ListedPlace>(
    [
      .number(
        "distance_m", digits: 1,
        cell: .made("DISTANCE", 9, .right) { row, _ in
          row.direction?.distance.inWords ?? ""
        }
      ) { $0.direction?.distance.value },
      .number(
        "bearing_deg", digits: 1,
        cell: .made("WAY", 12) { row, _ in
          row.direction.map { "\($0.arrow) \($0.compassWord)" } ?? ""
        }
      ) { $0.direction?.bearing.value },
      .number(
        "distance_to_edge_m", digits: 1,
        cell: .made("EDGE", 10, .right) { row, _ in
          row.distanceToEdge.map { $0 <= 0 ? "inside" : $0.inWords } ?? ""
        }
      ) { $0.distanceToEdge?.value },
    ] + identity)

  private static let identity: [Column<ListedPlace>] = [
    .text("id", cell: .made("ID", 8) { row, _ in String(row.place.id.description.prefix(8)) }) {
      $0.place.id.description
    },
    .number(
      "lat", digits: 7, cell: .made("LATITUDE", 11, .right) { row, _ in row.degrees(\.latitude) }
    ) { $0.position?.latitude.value },
    .number(
      "lon", digits: 7, cell: .made("LONGITUDE", 12, .right) { row, _ in row.degrees(\.longitude) }
    ) { $0.position?.longitude.value },
    .text("shape", cell: .made("SHAPE", 12) { row, _ in row.shape }) { $0.shape },
    .table(.made("BEACONS", 7, .right) { row, _ in row.beacons }),
    .texts("tags", cell: .plain("TAGS", 4)) { $0.place.tags },
    .text("name", cell: .plain("NAME", 4)) { $0.place.name },
  ]

  private var beacons: String {
    place.beacons.isEmpty ? "" : "\(place.beacons.count)"
  }

  private func degrees(_ part: KeyPath<Coordinate, Degrees>) -> String {
    position.map { FixedDecimal.text($0[keyPath: part].value, digits: 5) } ?? ""
  }
}
