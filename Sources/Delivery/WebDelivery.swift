import Core

/// One run of uploads to the receivers of web requests: one request in flight to each, independent
/// of the others. It is a pure state machine: `step` handles an event and returns the effects.
public struct WebDelivery: Sendable {
  public enum Event: Sendable {
    case begin
    /// The answer to `fetch`.
    case items(Recipient, [OutboxItem])
    case answered(Recipient, Result<UploadAnswer, UploadFailure>)
    /// Stop now.
    case end
  }

  public enum Effect: Equatable, Sendable {
    case fetch(Recipient, after: Int64, atMost: Int)
    case upload(Recipient, UploadRequest)
    /// Cancel the request in flight there.
    case cancel(Recipient)
    case storeResults(Recipient, [DeliveryResult])
    /// The server has sent messages for the board with its receipt.
    case receivedMessages(Recipient, [UInt8])
    /// It is in back-off: nothing more is sent before a pause.
    case backOff(Recipient, why: String, asked: Seconds?)
    /// It accepts requests: the back-off ends.
    case endBackOff(Recipient)
    /// It fails at one message, which waits.
    case skipped(Recipient, why: String)
    case ended
  }

  private var queues: [WebQueue]
  private var isOver = false

  /// - Parameter failures: of earlier runs, in a row.
  public init(_ plans: [WebPlan], failures: [Recipient: Int] = [:]) {
    queues = plans.map { WebQueue($0, failures: failures[$0.recipient] ?? 0) }
  }

  public mutating func step(_ event: Event) -> [Effect] {
    guard !isOver else { return [] }
    var effects: [Effect] = []
    switch event {
    case .begin:
      for index in queues.indices { effects += go(index) }
    case .items(let recipient, let items):
      guard let index = index(of: recipient) else { return [] }
      queues[index].receive(items)
      effects = go(index)
    case .answered(let recipient, let result):
      guard let index = index(of: recipient), !queues[index].inFlight.isEmpty else { return [] }
      effects = answered(index, result)
    case .end:
      for index in queues.indices {
        if !queues[index].inFlight.isEmpty { effects.append(.cancel(queues[index].plan.recipient)) }
        queues[index].stop()
      }
    }
    if queues.allSatisfy(\.isOver) {
      isOver = true
      effects.append(.ended)
    }
    return effects
  }

  private func index(of recipient: Recipient) -> Int? {
    queues.firstIndex { $0.plan.recipient == recipient }
  }

  /// Sends the next request, or fetches more.
  private mutating func go(_ index: Int) -> [Effect] {
    let plan = queues[index].plan
    if let last = queues[index].beginFetch() {
      return [.fetch(plan.recipient, after: last, atMost: WebQueue.portion)]
    }
    let items = queues[index].next()
    guard !items.isEmpty else { return [] }
    do throws(UploadRequestError) {
      return [.upload(plan.recipient, try plan.request(for: items))]
    } catch {
      return unsendable(index, error.message)
    }
  }

  /// Handles what cannot be sent: it is too long, or has invalid credentials.
  private mutating func unsendable(_ index: Int, _ why: String) -> [Effect] {
    if queues[index].split(into: 1) { return go(index) }
    return backOff(index, why)
  }

  private mutating func answered(
    _ index: Int, _ result: Result<UploadAnswer, UploadFailure>
  ) -> [Effect] {
    let plan = queues[index].plan
    let recipient = plan.recipient
    switch WebReceipt(of: result, from: plan) {
    case .received:
      return [.endBackOff(recipient), .storeResults(recipient, queues[index].arrived())]
        + received(index, result) + go(index)
    case .retry(let asked, let why):
      if let settled = skipped(index, result, why) {
        return (settled.isEmpty ? [] : [.storeResults(recipient, settled)])
          + [.skipped(recipient, why: why)] + go(index)
      }
      return backOff(index, why, asked)
    case .refused(.size, let why): return refused(index, into: .half, why)
    case .refused(.content, let why): return refused(index, into: .single, why)
    case .refused(_, let why): return backOff(index, why)
    }
  }

  /// Skips an item whose content may be the reason for the failure: after the receiver's own
  /// errors, not those of gateways (502...504), which concern the server behind them, and after
  /// answers with a success status that are not receipts. Those may come from elsewhere, and count
  /// only if other items have arrived.
  private mutating func skipped(
    _ index: Int, _ result: Result<UploadAnswer, UploadFailure>, _ why: String
  ) -> [DeliveryResult]? {
    guard case .success(let answer) = result else { return nil }
    switch answer.status {
    case 500, 501: return queues[index].skip(why)
    case 200...299: return queues[index].skip(why, onlyAfterArrival: true)
    default: return nil
    }
  }

  private func received(
    _ index: Int, _ result: Result<UploadAnswer, UploadFailure>
  ) -> [Effect] {
    let plan = queues[index].plan
    guard type(of: plan.receiver).answersWithMessages, case .success(let answer) = result,
      !answer.body.isEmpty, answer.body != Array("[]".utf8)
    else { return [] }
    return [.receivedMessages(plan.recipient, answer.body)]
  }

  private enum Parts { case half, single }

  /// In a batch, the refused item has to be found first.
  private mutating func refused(_ index: Int, into parts: Parts, _ why: String) -> [Effect] {
    let most = parts == .half ? queues[index].inFlight.count / 2 : 1
    if queues[index].split(into: most) { return go(index) }
    return queues[index].refuse(why) ? go(index) : backOff(index, why)
  }

  private mutating func backOff(_ index: Int, _ why: String, _ asked: Seconds? = nil) -> [Effect] {
    queues[index].stop()
    return [.backOff(queues[index].plan.recipient, why: why, asked: asked)]
  }
}
