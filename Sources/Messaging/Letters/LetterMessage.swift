import Core

/// Every message of letters, each as one JSON object.
public enum LetterMessage: Hashable, Sendable {
  case letter(Letter)
  case box(Letterbox)
  case receipt(LetterReceipt)
  case withdrawal(LetterWithdrawal)

  /// - Throws: for anything else, with the reason and the field.
  public init(_ bytes: some Collection<UInt8>) throws(MessageError) {
    let reader = try MessageReader(bytes, atMost: LetterLimits.message)
    switch reader.type {
    case Letter.type: self = .letter(try Letter(reader))
    case Letterbox.type: self = .box(try Letterbox(reader))
    case LetterReceipt.type: self = .receipt(try LetterReceipt(reader))
    case LetterWithdrawal.type: self = .withdrawal(try LetterWithdrawal(reader))
    default:
      throw MessageError(
        "it is none of \(Letter.type), \(Letterbox.type), \(LetterReceipt.type) and "
          + "\(LetterWithdrawal.type): is it another message?", at: "type")
    }
  }

  /// Deterministic; one line, without a line end.
  public var bytes: [UInt8] {
    switch self {
    case .letter(let letter): letter.writer.bytes
    case .box(let box): box.writer.bytes
    case .receipt(let receipt): receipt.writer.bytes
    case .withdrawal(let withdrawal): withdrawal.writer.bytes
    }
  }
}
