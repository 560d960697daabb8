import Core

/// The nearest of the places considered, by index, the nearest first; of equal ones the first
/// considered comes first.
struct NearestPlaces {
  private let most: Int
  private var places: [(distance: Metres, index: Int)] = []

  init(_ most: Int) {
    self.most = most
    places.reserveCapacity(most + 1)
  }

  var indices: [Int] { places.map(\.index) }

  /// A place at this distance or farther changes nothing.
  var limit: Metres { places.count < most ? Metres(.infinity) : places[most - 1].distance }

  mutating func consider(_ index: Int, atLeast distance: Metres) {
    guard distance < limit || places.count < most else { return }
    let rank = places.firstIndex { $0.distance > distance } ?? places.count
    places.insert((distance, index), at: rank)
    if places.count > most { places.removeLast() }
  }
}
