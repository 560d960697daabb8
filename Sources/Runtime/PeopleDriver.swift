import Messaging
import Core
import Places
import Ports
import Records
import Tracking

/// Connects the board's location and the messages of others with the notifications to its owner
/// about letters, groups and meetings.
///
/// The store is authoritative: the command line changes it, too. A step that changes something is
/// stored in one transaction with its notices: after a kill all of it is there, or nothing. If the
/// store was changed meanwhile, the step is repeated on its new content.
public final class PeopleDriver: Endpoint {
  private static let letterDemander = DemanderName("letters")
  private static let groupDemander = DemanderName("groups")

  public let kind = "people"
  public let fruitlessLimit = 20
  public let interest: Interest? = nil

  private let settings: PeopleSettings
  private let me: PersonAddress
  private let hasBroker: Bool
  private let writer: StoreWriter
  private unowned let places: PlaceDriver
  private let onPending: () -> Void
  private let log: LogChannel
  /// As stored; nil until that has been read.
  private var messaging: MessagingState? {
    didSet { targets = nil }
  }
  /// The places of letters and meetings, by the messages and the last location; nil: to be queried.
  private var targets: [PlaceReach.Candidate]?
  private var editMark: Int64?
  private var isStale = true
  private var retry = BackOff(first: 30, maxPause: 900)
  private var sighting = Sighting()
  private var clock = UTCClock()
  private var search = LetterSearch()
  /// The last demand of each demander.
  private var demands: [DemanderName: GnssDemand] = [:]
  private var refusalLimiter = RefusalLogLimiter()

  /// Nil if no owner is configured.
  init?(_ writer: StoreWriter, _ places: PlaceDriver, _ devices: Devices, log: LogChannel) {
    guard let me = devices.people.address else { return nil }
    self.me = me
    settings = devices.people
    hasBroker = devices.hasBroker
    onPending = devices.onPending
    self.writer = writer
    self.places = places
    self.log = log
  }

  /// While the store cannot be queried, only the retry counts.
  public var due: BootInstant? { retry.until ?? messaging?.wake }

  // MARK: What is known

  var address: PersonAddress { me }
  /// Letters waiting for the owner, and letters delivered but not read.
  var letters: (waiting: Int, unread: Int) {
    let records = messaging?.letterRecords ?? []
    return (
      records.count { $0.status == .waiting }, records.count { $0.status == .delivered }
    )
  }
  /// How many messages have still to be sent.
  var pending: Int { messaging?.pendingCount ?? 0 }
  var groups: [String] {
    (messaging?.groupStates ?? []).filter { messaging?.isInGroup($0.group.id) == true }.map(
      \.group.name)
  }
  func meetings(at now: BootInstant) -> [String] {
    clock.utc(at: now).flatMap { messaging?.visibleMeetings(at: $0) }?.map(\.name) ?? []
  }

  // MARK: What happens

  /// Called after the tracker has handled an event.
  func follow(_ tracker: Tracker, at now: BootInstant) -> [Input] {
    let before = sighting
    let hadDate = clock.utc(at: now) != nil
    sighting = tracker.sighting
    clock = tracker.clock
    guard refresh(at: now) else { return [] }
    if sighting.locations != before.locations, let location = sighting.location {
      search.located(location, at: now)
      targets = nil
      step(.located(location), at: now)
    }
    if !hadDate, clock.utc(at: now) != nil { step(.timePassed, at: now) }
    return updatedDemands(at: now)
  }

  public func serve(at now: BootInstant, isReady: Bool) -> Served {
    guard let due, now >= due else { return Served(isFruitful: false) }
    if retry.until != nil { isStale = true }
    if refresh(at: now), let wake = messaging?.wake, now >= wake { step(.timePassed, at: now) }
    return Served(updatedDemands(at: now), isFruitful: true)
  }

  /// The command line has changed something.
  package func edited(at now: BootInstant) -> [Input] {
    isStale = true
    return refresh(at: now) ? updatedDemands(at: now) : []
  }

  /// A broker has delivered or acknowledged messages.
  /// - Returns: why the store could not keep them, so that they have to be delivered again; nil:
  ///   they are stored.
  package func deliver(
    _ mail: PeerMessageDelivery, at now: BootInstant
  ) -> (inputs: [Input], failure: String?) {
    var failure: String?
    _ = refresh(at: now)
    do throws(PortError) {
      try perform(mail.events, at: now)
    } catch { failure = error.message }
    stayHere(at: now)
    return (updatedDemands(at: now), failure)
  }

  /// Reads the store if it may have changed.
  /// - Returns: whether its content is known.
  private func refresh(at now: BootInstant) -> Bool {
    if let until = retry.until, now < until { return messaging != nil }
    do throws(PortError) {
      // Taken before the data are read: an edit in between is read again.
      let mark = try places.edits.mark(at: now, isStale: messaging == nil || isStale)
      guard messaging == nil || isStale || mark != editMark else { return true }
      let items = try writer.query { (store) throws(PortError) in try store.messages() }
      guard let items else { return false }
      editMark = mark
      isStale = false
      let until = retry.until
      restore(items, at: now)
      // A store that can be read but not written has failed again.
      if retry.until == until { retry.succeeded() }
    } catch {
      // The writer reports it.
      retry.failed(at: now)
    }
    return messaging != nil
  }

  private func restore(_ items: [StoredMessage], at now: BootInstant) {
    let before = messaging
    let restored = MessagingState(
      of: me, hasBroker: hasBroker, restoring: items, at: sighting.location)
    if before == nil {
      for remark in restored.remarks {
        log.write("people-unreadable", remark, level: .warning, at: now)
      }
    }
    messaging = restored
    step(.timePassed, at: now)
    stayHere(at: now)
    if hasBroker, hasChanges(since: before) { onPending() }
  }

  /// Whether the uplink has something to send, or has to change its subscriptions.
  private func hasChanges(since before: MessagingState?) -> Bool {
    // Messages that arrived before the state was loaded have to be delivered again.
    guard let messaging, let before else { return true }
    return messaging.contacts != before.contacts
      || (messaging.pendingCount > 0 && messaging.pending != before.pending)
  }

  /// Applies the present location to what has arrived since the board came here.
  private func stayHere(at now: BootInstant) {
    guard let location = presentLocation(at: now) else { return }
    step(.located(location), at: now)
  }

  /// The reliable present location: the board was just located, or rests where it was.
  private func presentLocation(at now: BootInstant) -> Location? {
    guard let location = sighting.location, let date = clock.utc(at: now) else { return nil }
    var present = location
    if case .resting(let since) = sighting.rest, sighting.isMonitored,
      let start = clock.utc(at: since), location.time >= start - Self.freshness
    {
      present.time = max(date, location.time)
      return present
    }
    return date - location.time <= Self.freshness ? present : nil
  }

  /// How long a location counts as current.
  private static let freshness: Seconds = 120

  // MARK: Steps

  private func step(_ event: MessagingEvent, at now: BootInstant) {
    guard messaging != nil, retry.until.map({ now >= $0 }) ?? true else { return }
    do throws(PortError) { try perform([event], at: now) } catch { retry.failed(at: now) }
  }

  /// The result of events.
  private struct Outcome {
    var messaging: MessagingState
    var result: MessagingResult
    /// Whether the state was built from the store's rows, so that its next due time is not known.
    let isRebuilt: Bool

    init(
      _ events: [MessagingEvent], _ messaging: MessagingState, isRebuilt: Bool, at now: BootInstant,
      _ date: UTCInstant?
    ) {
      self.messaging = messaging
      result = self.messaging.step(events, at: now, date: date)
      self.isRebuilt = isRebuilt
    }
  }

  /// A step without a change needs no transaction: most of a broker's retained messages are known.
  private func perform(_ events: [MessagingEvent], at now: BootInstant) throws(PortError) {
    let date = clock.utc(at: now)
    let trial = messaging.map { Outcome(events, $0, isRebuilt: false, at: now, date) }
    if let trial, trial.result.change.isEmpty {
      messaging = trial.messaging
      return report(trial.result, at: now)
    }
    let done = try store(trial, events, at: now, date)
    messaging = done.messaging
    report(done.result, at: now)
    if done.isRebuilt { try perform([.timePassed], at: now) }
  }

  /// - Parameter trial: the result based on this driver's state; it is stored unless the store was
  ///   changed since that was read.
  private func store(
    _ trial: Outcome?, _ events: [MessagingEvent], at now: BootInstant, _ date: UTCInstant?
  ) throws(PortError) -> Outcome {
    let here = sighting.location
    var done: Outcome?
    try writer.changeMessages(since: trial == nil ? nil : editMark) { items in
      var next: Outcome
      if items == nil, let trial {
        next = trial
      } else {
        let messaging = MessagingState(
          of: me, hasBroker: hasBroker, restoring: items ?? [], at: here)
        next = Outcome(events, messaging, isRebuilt: true, at: now, date)
      }
      next.result.addNotices(at: here, date: date, contacts: next.messaging.contacts, me: me) {
        places.reserveNotice()
      }
      done = next
      return next.result.change
    }
    guard let done else { throw .failed("there is no store for letters, groups and meetings") }
    return done
  }

  private func report(_ turn: MessagingResult, at now: BootInstant) {
    let contacts = messaging?.contacts ?? Contacts()
    for news in turn.notifications { log.write(news.word, news.text(contacts, me: me), at: now) }
    for refusal in turn.refusals {
      if let text = refusalLimiter.text(of: "\(refusal)", at: now) {
        log.write("people-refused", text, at: now)
      }
    }
    places.raised(turn.change.notices, at: now)
    if turn.hasPending, hasBroker { onPending() }
  }

  // MARK: Demands for the receiver

  private func updatedDemands(at now: BootInstant) -> [Input] {
    guard let messaging else { return [] }
    if messaging.wantedAccuracy != nil { stayHere(at: now) }
    return change(Self.letterDemander, to: letterDemand(messaging, at: now)) + follow(at: now)
      + change(Self.groupDemander, to: groupDemand(at: now))
  }

  /// For a policy that follows places.
  private func follow(at now: BootInstant) -> [Input] {
    let regions = (targets ?? []).map(\.region)
    guard Set(regions.map(\.box)) != Set(places.leftByPeople.map(\.box)) else { return [] }
    places.leftByPeople = regions
    return places.follow(at: now)
  }

  private func letterDemand(_ messaging: MessagingState, at now: BootInstant) -> GnssDemand? {
    guard settings.mayRequestFixes, let location = sighting.location else { return nil }
    let targets =
      targets ?? messaging.targets(around: location.position, date: clock.utc(at: now))
    self.targets = targets
    guard let request = search.nextFix(among: targets, sighting) else { return nil }
    return GnssDemand(
      .off(until: request.at), accuracy: request.accuracy, reason: "a letter or a meeting is near")
  }

  private func groupDemand(at now: BootInstant) -> GnssDemand? {
    guard let accuracy = messaging?.wantedAccuracy else { return nil }
    // A demand for an immediate fix must not be postponed by a later time.
    if let before = demands[Self.groupDemander], before.accuracy == accuracy { return before }
    return GnssDemand(
      .off(until: now), accuracy: accuracy, reason: "a group requests the positions of its members")
  }

  private func change(_ demander: DemanderName, to wish: GnssDemand?) -> [Input] {
    guard wish != demands[demander] else { return [] }
    demands[demander] = wish
    return [.tracker(.demand(from: demander, wish))]
  }
}
