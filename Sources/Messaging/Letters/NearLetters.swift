import Core

/// Letters that have come near in one step: those of one box are reported together.
struct NearLetters {
  private var groups: [(box: UniqueID?, place: String?, letters: [Letter])] = []

  mutating func add(_ letter: Letter, _ boxes: LetterBoxes, _ circle: LetterCircle) {
    guard case .box(let id) = letter.spot else {
      return groups.append((nil, circle.name, [letter]))
    }
    let index = groups.firstIndex { $0.box == id }
    let before = index.map { groups.remove(at: $0).letters } ?? []
    groups.append((id, boxes[id]?.name, before + [letter]))
  }

  func report(_ step: inout MessagingStep) {
    for group in groups { step.report(.near(group.letters, at: group.place)) }
  }
}
