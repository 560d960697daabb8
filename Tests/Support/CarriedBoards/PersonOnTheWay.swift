import Messaging
import Core
import Ports
import Runtime
import Store
import Tracking
import VirtualDevice

/// One person of a trial: a life, a board, and its uplink's connections to the broker.
final class PersonOnTheWay {
  /// The default of `uplink.delay_s`, and the interval while a group requests positions.
  private static let pauses = (usual: Seconds(900), inGroup: Seconds(30))
  /// After a connection that failed.
  private static let retry = Seconds(60)

  let address: PersonAddress
  let board: CarriedBoard
  private let path: String
  private let truth: any GroundTruth
  private let mail: MailFlag
  private var nextVisit: UTCInstant
  private(set) var position: Coordinate
  private(set) var isInGroup = false

  init(
    _ address: PersonAddress, _ truth: PlannedTruth, path: String, seed: UInt64
  ) throws {
    self.address = address
    self.path = path
    self.truth = truth.another()
    nextVisit = truth.start
    guard let state = self.truth.state(at: truth.start) else {
      preconditionFailure("a life has a beginning")
    }
    position = state.position
    let mail = MailFlag()
    self.mail = mail
    board = try CarriedBoard(
      truth, path: path, seed: seed, sources: [.motion],
      clock: SystemDate(date: truth.start, read: .zero, isSynchronized: true)
    ) { devices, tracker in
      devices.people = PeopleSettings(address: address)
      devices.hasBroker = true
      devices.onPending = { mail.isUp = true }
      tracker.policy = .adaptive(AdaptiveSettings())
    }
  }

  /// The messaging state in the board's store.
  var messaging: MessagingState {
    get throws {
      MessagingState(
        of: address, hasBroker: true, restoring: try StoreReader(path: path).messages())
    }
  }

  func distance(to other: Coordinate) -> Metres { Sphere.distance(position, other) }

  func live(until time: UTCInstant, for length: Seconds) {
    board.run(for: length)
    if let state = truth.state(at: time) { position = state.position }
  }

  /// Connects to the broker if that is due.
  /// - Parameter fails: whether the connection fails.
  /// - Returns: the state in the store afterwards; nil: there was no connection.
  func visit(_ post: inout BrokerPost, at time: UTCInstant, fails: Bool) throws -> MessagingState? {
    guard mail.isUp || time >= nextVisit else { return nil }
    mail.isUp = false
    guard !fails else {
      nextVisit = time + Self.retry
      return nil
    }
    let before = try messaging
    if let failure = post.visit(board, before, around: position) { throw TrialFailure(failure) }
    let after = try messaging
    isInGroup = after.groupStates.contains { !$0.isEnded && after.isInGroup($0.group.id) }
    // What a lost message has left is sent again.
    nextVisit =
      time
      + (isInGroup ? Self.pauses.inGroup : after.pending.isEmpty ? Self.pauses.usual : Self.retry)
    return after
  }
}

private final class MailFlag {
  var isUp = false
}

/// A reason why a trial cannot continue.
struct TrialFailure: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
