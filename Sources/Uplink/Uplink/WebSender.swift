import Delivery
import Platform
import Ports
import Core

/// Sends what waits to receivers of web requests.
final class WebSender: Sender {
  /// A receiver, and its uploader.
  struct Line {
    let plan: WebPlan
    let uploader: any UploadPort
  }

  private let lines: [Line]
  private let outbox: any OutboxPort
  private let journal: RunJournal
  /// Nil: requests are disabled.
  private let mailbox: RequestInbox?
  private var hasAnswered = false
  private var delivery: WebDelivery?
  /// The request under way to each recipient.
  private var requests: [Recipient: Int] = [:]

  init(
    _ lines: [Line], from outbox: any OutboxPort, _ journal: RunJournal, _ mailbox: RequestInbox?
  ) {
    self.lines = lines
    self.outbox = outbox
    self.journal = journal
    self.mailbox = mailbox
  }

  var transports: [UplinkTransport] { lines.map(\.plan.recipient.route) }
  var ports: [any EventPort] { lines.map(\.uploader) }
  var isIdle: Bool { delivery == nil }
  var traffic: [UplinkTransport: Traffic] {
    Dictionary(uniqueKeysWithValues: lines.map { ($0.plan.recipient.route, $0.uploader.traffic) })
  }
  /// The uploaders handle the timeouts of requests.
  var wake: BootInstant? { nil }

  func connect(respectsBackOff: Bool) throws(PortError) {
    guard delivery == nil else { return }
    let due = lines.map(\.plan).filter {
      !respectsBackOff || journal.pause(of: $0.recipient.route) <= 0
    }
    guard !due.isEmpty else { return }
    var failures: [Recipient: Int] = [:]
    for plan in due {
      journal.begin(plan.recipient.route)
      failures[plan.recipient] = journal.failureCount(of: plan.recipient.route)
    }
    delivery = WebDelivery(due, failures: failures)
    hasAnswered = false
    try step(.begin)
  }

  func step() throws(PortError) {
    for line in lines {
      while let (number, result) = line.uploader.poll() {
        let recipient = line.plan.recipient
        guard requests[recipient] == number else { continue }
        requests[recipient] = nil
        try step(.answered(recipient, result))
      }
    }
  }

  func end() throws(PortError) { try step(.end) }

  private func step(_ event: WebDelivery.Event) throws(PortError) {
    var events = [event]
    while !events.isEmpty, delivery != nil {
      for effect in delivery?.step(events.removeFirst()) ?? [] {
        if let more = try perform(effect) { events.append(more) }
      }
    }
    // Queued answers would otherwise wait for the next record.
    if delivery == nil, hasAnswered { try connect(respectsBackOff: true) }
  }

  private func perform(
    _ effect: WebDelivery.Effect
  ) throws(PortError) -> WebDelivery.Event? {
    switch effect {
    case .fetch(let recipient, let number, let most):
      return .items(
        recipient, try journal.waiting(for: recipient, after: number, atMost: most))
    case .upload(let recipient, let request): return upload(request, to: recipient)
    case .cancel(let recipient):
      if let number = requests.removeValue(forKey: recipient) {
        line(of: recipient)?.uploader.cancel(number)
      }
    case .storeResults(let recipient, let settlements):
      try outbox.confirm(settlements, at: BootClock.systemDate)
      journal.sent(settlements.count { $0.outcome == .received }, to: recipient)
      for case .refused(let why) in settlements.map(\.outcome) { journal.refused(recipient, why) }
    case .receivedMessages(let recipient, let said): try answer(said, of: recipient)
    case .backOff(let recipient, let why, let asked):
      try journal.failed(recipient.route, why, asked: asked)
    case .endBackOff(let recipient): try journal.works(recipient.route)
    case .skipped(let recipient, let why):
      journal.warn("skipped", "\(recipient.rawValue): a message waits: \(why)")
    case .ended: delivery = nil
    }
    return nil
  }

  /// Answers are queued like everything else: durable, and limited to what was released.
  private func answer(_ said: [UInt8], of recipient: Recipient) throws(PortError) {
    guard let mailbox, let state = try outbox.state() else { return }
    let answers = mailbox.handle(answer: said)
    guard !answers.isEmpty else { return }
    hasAnswered = true
    try outbox.queue(
      answers.map { OutboxItem(to: recipient, layer: "answers", record: 0, payload: $0) },
      state: state, at: BootClock.systemDate)
  }

  private func upload(_ request: UploadRequest, to recipient: Recipient) -> WebDelivery.Event? {
    func failed(_ cause: UploadFailure.Cause) -> WebDelivery.Event {
      .answered(recipient, .failure(UploadFailure(cause, at: request.address)))
    }
    guard !request.address.isSecure || CertificateTime.isPossible(BootClock.systemDate) else {
      return failed(.certificateNotYetValid)
    }
    guard let number = line(of: recipient)?.uploader.begin(request) else {
      return failed(.impossible)
    }
    requests[recipient] = number
    return nil
  }

  private func line(of recipient: Recipient) -> Line? {
    lines.first { $0.plan.recipient == recipient }
  }
}
