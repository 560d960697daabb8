import Notation
import People

/// The letterboxes that are known, each in its latest revision.
struct LetterBoxes: Sendable {
  private var boxes: [UniqueID: Letterbox]

  init(_ boxes: [Letterbox]) {
    self.boxes = Dictionary(boxes.map { ($0.id, $0) }) { $0.revision > $1.revision ? $0 : $1 }
  }

  subscript(_ id: UniqueID) -> Letterbox? { boxes[id] }
  var all: [Letterbox] { boxes.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) } }

  /// - Returns: false for a revision that is known, or older than the one that is.
  mutating func put(_ box: Letterbox) throws(MessageError) -> Bool {
    if let known = boxes[box.id] {
      guard known.owner == box.owner else {
        throw MessageError(
          "it is \(known.owner)'s letterbox: only he changes it", at: "owner")
      }
      guard box.revision > known.revision else { return false }
    } else {
      guard boxes.count < LetterLimits.boxes else {
        throw MessageError(
          "there are \(LetterLimits.boxes) letterboxes, and no room for more: remove some")
      }
    }
    boxes[box.id] = box
    return true
  }

  mutating func remove(_ id: UniqueID) { boxes[id] = nil }
}
