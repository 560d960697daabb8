import Core

/// Whether an answer is a receipt: the decision that releases a record or keeps it. In doubt it is
/// kept. Whoever runs the network can answer instead of the receiver, and a captive portal answers
/// 200 to everything.
public enum WebReceipt: Hashable, Sendable {
  /// It has arrived.
  case received
  /// It may work later; not before this pause if the server gives one.
  case retry(after: Seconds?, why: String)
  /// It will not work without a person's action, and is kept until then.
  case refused(Ground, why: String)

  /// The reason for the refusal, which shows what else need not be tried.
  public enum Ground: Hashable, Sendable {
    /// This content only. Others may pass: it must not block them.
    case content
    /// The content is too long; fewer records at once may pass.
    case size
    /// The credentials or the device: nothing passes.
    case credentials
    /// The address or its method: nothing passes.
    case address
    /// Something missing on this machine, such as a library or a file: nothing passes.
    case setup
  }

  /// - Parameter plan: where the request was sent.
  init(of result: Result<UploadAnswer, UploadFailure>, from plan: WebPlan) {
    switch result {
    case .success(let answer): self.init(of: answer, from: plan)
    case .failure(let failure):
      self =
        failure.isPassing
        ? .retry(after: nil, why: failure.message) : .refused(.setup, why: failure.message)
    }
  }

  public init(of answer: UploadAnswer, from plan: WebPlan) {
    guard (200...299).contains(answer.status) else {
      self = Self.without(success: answer, plan.receiver)
      return
    }
    switch Self.claim(of: answer, plan) {
    case .receipt: self = .received
    case .refusal(let why): self = .refused(.content, why: "\(answer.status), but \(why)")
    case .doubt(let why):
      self = .retry(after: answer.retryAfter, why: "\(answer.status), but \(why)")
    }
  }
}

// MARK: Success

extension WebReceipt {
  /// What an answer with a success status means.
  enum Claim: Equatable {
    case receipt
    /// From the receiver itself, but not a receipt.
    case refusal(String)
    /// Perhaps from elsewhere.
    case doubt(String)

    /// A receiver's statement that it has not accepted something; over http it may come from
    /// anyone.
    static func refused(_ why: String, at address: WebAddress) -> Claim {
      address.isSecure ? .refusal(why) : .doubt(why)
    }

    static let unknownWebhook = Claim.doubt(
      "without the answer of Home Assistant's webhook: it is starting, has failed, or has no "
        + "webhook at this address")
  }

  private static func claim(of answer: UploadAnswer, _ plan: WebPlan) -> Claim {
    if looksLikePage(answer) {
      return .doubt(
        "with an HTML page: this network may require a sign-in, or the address is wrong")
    }
    guard type(of: plan.receiver).successes.contains(answer.status) else {
      return .doubt("that is not the answer of its receiver: check the address")
    }
    return plan.receiver.claim(of: answer, at: plan.address)
  }

  private static func looksLikePage(_ answer: UploadAnswer) -> Bool {
    let start = answer.body.drop { $0.isSpace || [0xEF, 0xBB, 0xBF].contains($0) }
    guard let first = start.first else { return false }
    let isPageType = ["text/html", "application/xhtml+xml"].contains(answer.contentType)
    return isPageType || first == UInt8(ascii: "<")
  }
}

extension UInt8 {
  /// A blank, a tabulator, or part of a line end.
  var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0a || self == 0x0d }
}

// MARK: Failure

extension WebReceipt {
  private static func without(
    success answer: UploadAnswer, _ receiver: any WebProtocol
  ) -> WebReceipt {
    let status = answer.status
    if let own = receiver.refusal(status) { return own }
    switch status {
    case 300...399:
      let other = answer.redirect.map { " to \($0)" } ?? ""
      return .retry(
        after: nil,
        why:
          "\(status): redirected\(other), which is not followed; this network may need a sign-in"
      )
    case 401, 403:
      return .refused(
        .credentials, why: "\(status): not authorized; check the user, the password or the key")
    case 404, 405, 410:
      return .refused(.address, why: "\(status): no receiver at this address; check its path")
    case 413: return .refused(.size, why: "413: too long for the receiver; send fewer at once")
    case 407:
      return .retry(after: nil, why: "407: a proxy in this network requires a sign-in")
    case 408, 421, 423, 425, 429:
      return .retry(after: answer.retryAfter, why: "\(status): the receiver requests a delay")
    case 511: return .retry(after: nil, why: "511: this network requires a sign-in")
    case 500...599:
      return .retry(
        after: answer.retryAfter, why: "\(status): internal error of the receiver")
    case 400...499:
      return .refused(.content, why: "\(status): the receiver does not accept this content")
    default:
      return .retry(
        after: nil, why: "\(status) is not an HTTP status: the server is not a receiver")
    }
  }
}
