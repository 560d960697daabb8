import Core

/// The results of one inbox step: each letter is stored once, in its final state.
struct LetterStep {
  private enum Kept {
    case record(LetterRecord)
    case nothing
  }

  let date: UTCInstant?
  /// How many receipts may still be sent in this step.
  private(set) var room: Int
  private var kept: [LetterKey: Kept] = [:]
  private var order: [LetterKey] = []
  private var boxes: [LetterEffect] = []
  private var notices: [LetterNotice] = []
  private var followUps: [LetterEffect] = []

  init(date: UTCInstant?, room: Int) {
    self.date = date
    self.room = room
  }

  mutating func keep(_ record: LetterRecord) { note(record.key, .record(record)) }
  mutating func forget(_ key: LetterKey) { note(key, .nothing) }
  mutating func keep(_ box: Letterbox) { boxes.append(.storeBox(box)) }
  mutating func remove(box id: UniqueID) { boxes.append(.removeBox(id)) }
  mutating func report(_ effect: LetterEffect) { followUps.append(effect) }
  mutating func useRoom() { room -= 1 }

  private mutating func note(_ key: LetterKey, _ what: Kept) {
    if kept.updateValue(what, forKey: key) == nil { order.append(key) }
  }

  /// Letters of one box are reported together.
  mutating func notice(_ letter: Letter, _ boxes: LetterBoxes, _ circle: LetterCircle) {
    guard case .box(let id) = letter.spot else {
      notices.append(LetterNotice(box: nil, place: circle.name, letters: [letter.key]))
      return
    }
    let index = notices.firstIndex { $0.box == id }
    let before = index.map { notices.remove(at: $0).letters } ?? []
    notices.append(
      LetterNotice(box: id, place: boxes[id]?.name, letters: before + [letter.key]))
  }

  var effects: [LetterEffect] {
    let records = order.compactMap { key -> LetterEffect? in
      switch kept[key] {
      case .record(let record): .store(record)
      case .nothing: .forget(key)
      case nil: nil
      }
    }
    return records + boxes + notices.map { .notice($0) } + followUps
  }
}
