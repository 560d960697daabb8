import Delivery
import Platform
import Ports
import Core
import Records

/// Queues records from before the store logged its changes, or before a recipient was configured. A
/// collector is left out: it numbers the records of the change log.
public struct Backlog {
  /// Records in one transaction.
  private static let portion = 200

  private let parts: UplinkRun.Parts
  private let history: any HistoryPort
  private let settings: UplinkSettings
  private let board: UplinkBoard

  public init(
    _ parts: UplinkRun.Parts, _ history: any HistoryPort, _ settings: UplinkSettings,
    _ board: UplinkBoard
  ) {
    self.parts = parts
    self.history = history
    self.settings = settings
    self.board = board
  }

  /// - Returns: the number of messages queued.
  public func queue(from start: UTCInstant, to end: UTCInstant?) throws(PortError) -> Int {
    let privacy = try PrivateAreas(parts, settings).privacy()
    let gatherer = OutboxFiller(
      from: parts.store, into: parts.outbox, settings, board, privacy, encryptor: parts.encryptor)
    var queued = 0
    var from: UTCInstant? = start
    while let next = from {
      let points = try history.trackPoints(from: next, to: end, atMost: Self.portion)
      queued += try gatherer.queue(points, at: BootClock.systemDate)
      from =
        points.count < Self.portion
        ? nil : points.last.map { $0.location.time + TrackPoint.resolution }
    }
    let crossings = try history.crossings(from: start, to: end, atMost: .max)
    return queued + (try gatherer.queue(crossings, at: BootClock.systemDate))
  }
}
