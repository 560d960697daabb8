import Core
import Records

extension Statement {
  func bind(_ index: Int32, _ value: StoredValue) {
    switch value {
    case .null: bind(index, nil as Int64?)
    case .integer(let number): bind(index, number)
    case .real(let number): bind(index, number)
    case .text(let text): bind(index, text)
    case .time(let time): bind(index, time)
    case .position(let position): bind(index, position)
    case .polygons(let polygons): bind(index, PolygonGeometry.encode(polygons))
    }
  }
}

extension StoredValue {
  /// The positions of the row.
  var positions: [Coordinate] {
    switch self {
    case .position(let position): [position]
    case .polygons(let polygons): polygons.joined().flatMap { $0 }
    case .null, .integer, .real, .text, .time: []
    }
  }
}
