/// The sentences that are answers and not part of an epoch.
extension ReceiverAnswer {
  /// The result of reading a sentence.
  enum Reading {
    case answer(ReceiverAnswer)
    /// The address is that of an answer, but the fields are invalid.
    case malformed
    /// The sentence is no answer.
    case none
  }

  /// From a whole proprietary sentence, without `$` and checksum: `PMTK001,161,3`.
  static func reading(proprietary body: UnsafeBufferPointer<UInt8>) -> Reading {
    if let antenna = AntennaState(proprietary: body) { return .answer(.antenna(antenna)) }
    guard body.count > 8, body[0] == UInt8(ascii: "P"), body[7] == UInt8(ascii: ",") else {
      return .none
    }
    let address = AnswerText.printable(body[..<7])
    let fields = AnswerText.fields(UnsafeBufferPointer(rebasing: body[8...]))
    switch address {
    case "PMTK001": return reading(MTKAcknowledgement(fields).map { .mtkAcknowledgement($0) })
    case "PMTK010": return reading(number(fields[0]).map { .mtkStartup($0) })
    case "PMTK011": return .answer(.mtkText(fields[0]))
    case "PMTK705": return reading(MTKVersion(fields).map { .mtkVersion($0) })
    case "PAIR001": return reading(PAIRAcknowledgement(fields).map { .pairAcknowledgement($0) })
    case "PAIR010":
      let request = number(fields[0]).flatMap(PAIRRequest.init(rawValue:))
      return reading(request.map { .pairRequest($0) })
    case "PAIR020", "PAIR021": return reading(PAIRVersion(fields).map { .pairVersion($0) })
    default: return .none
    }
  }

  /// From the fields of a TXT sentence: total number, sequence number, type, text. NMEA 0183 4.11,
  /// "TXT"; the types are u-blox's: 0 error, 1 warning, 2 notice, 7 user.
  static func reading(text fields: UnsafeBufferPointer<UInt8>) -> Reading {
    let parts = fields.split(
      separator: UInt8(ascii: ","), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, let type = number(AnswerText.printable(parts[2])) else {
      return .malformed
    }
    let text = AnswerText.printable(parts[3])
    // Some receivers report the antenna as a warning.
    if let antenna = AntennaState(text) { return .answer(.antenna(antenna)) }
    return type == 2 ? .answer(.notice(text)) : .none
  }

  private static func reading(_ answer: ReceiverAnswer?) -> Reading {
    answer.map { .answer($0) } ?? .malformed
  }

  /// At most four digits.
  fileprivate static func number(_ text: String) -> Int? {
    (1...4).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
      ? Int(text) : nil
  }
}

extension MTKAcknowledgement {
  /// Some commands have additional fields after the result.
  init?(_ fields: [String]) {
    guard fields.count >= 2, let command = ReceiverAnswer.number(fields[0]),
      let result = ReceiverAnswer.number(fields[1]).flatMap(Result.init(rawValue:))
    else { return nil }
    self.init(command: command, result: result)
  }
}

extension MTKVersion {
  init?(_ fields: [String]) {
    guard fields.count >= 2, !fields[0].isEmpty else { return nil }
    self.init(release: fields[0], build: fields[1], product: fields.count > 2 ? fields[2] : "")
  }
}

extension PAIRAcknowledgement {
  init?(_ fields: [String]) {
    guard fields.count >= 2, let command = ReceiverAnswer.number(fields[0]),
      let result = ReceiverAnswer.number(fields[1]).flatMap(Result.init(rawValue:))
    else { return nil }
    self.init(command: command, result: result)
  }
}

extension PAIRVersion {
  /// The first field contains the chip, an underscore, and the firmware.
  init?(_ fields: [String]) {
    let parts = fields[0].split(separator: "_", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    self.init(chip: String(parts[0]), firmware: String(parts[1]))
  }
}
