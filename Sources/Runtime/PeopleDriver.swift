import Messaging
import Core
import Places
import Ports
import Records
import Tracking

/// From where the board is, and from what others send, to what its owner is told of letters, groups
/// and meetings.
///
/// The store has the truth: the command line changes it, too, and so did earlier runs. A step that
/// changes something is stored in one transaction with its notices: after a kill all of it is
/// there, or nothing. Where the store has something else by then, it is done again on that.
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
  private let onMail: () -> Void
  private let log: LogChannel
  /// As the store has it; nil as long as that has not been read.
  private var messaging: MessagingState? {
    didSet { targets = nil }
  }
  /// Where a letter or a meeting is, by the messages and the last location; nil: to be asked.
  private var targets: [PlaceReach.Candidate]?
  private var editMark: Int64?
  private var isStale = true
  private var retry = BackOff(first: 30, maxPause: 900)
  private var sighting = Sighting()
  private var clock = UTCClock()
  private var search = LetterSearch()
  /// What was last asked for, of each demander.
  private var demands: [DemanderName: GnssDemand] = [:]
  private var told = RefusalLogLimiter()

  /// Nil where the board is nobody's.
  init?(_ writer: StoreWriter, _ places: PlaceDriver, _ devices: Devices, log: LogChannel) {
    guard let me = devices.people.address else { return nil }
    self.me = me
    settings = devices.people
    hasBroker = devices.hasBroker
    onMail = devices.onMail
    self.writer = writer
    self.places = places
    self.log = log
  }

  /// As long as the store cannot be asked, nothing else counts.
  public var due: BootInstant? { retry.until ?? messaging?.wake }

  // MARK: What is known

  public var address: PersonAddress { me }
  /// What lies somewhere for the owner, and what the owner has and has not read.
  public var letters: (waiting: Int, unread: Int) {
    let records = messaging?.letterRecords ?? []
    return (
      records.count { $0.standing == .waiting }, records.count { $0.standing == .delivered }
    )
  }
  /// How many messages have still to be sent.
  public var pending: Int { messaging?.pendingCount ?? 0 }
  public var groups: [String] {
    (messaging?.groupStates ?? []).filter { messaging?.isInGroup($0.group.id) == true }.map(
      \.group.name)
  }
  public func meetings(at now: BootInstant) -> [String] {
    clock.utc(at: now).flatMap { messaging?.visibleMeetings(at: $0) }?.map(\.name) ?? []
  }

  // MARK: What happens

  /// Something has happened to the tracker, and it has dealt with it.
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
    return wishes(at: now)
  }

  public func serve(at now: BootInstant, isReady: Bool) -> Served {
    guard let due, now >= due else { return Served(isFruitful: false) }
    if retry.until != nil { isStale = true }
    if refresh(at: now), let wake = messaging?.wake, now >= wake { step(.timePassed, at: now) }
    return Served(wishes(at: now), isFruitful: true)
  }

  /// The command line has changed something.
  package func edited(at now: BootInstant) -> [Input] {
    isStale = true
    return refresh(at: now) ? wishes(at: now) : []
  }

  /// Something has come over a broker, or was taken by it.
  /// - Returns: why the store could not keep it, so that it has to be brought again; nil: it is
  ///   kept.
  package func take(
    _ mail: PeerMessageDelivery, at now: BootInstant
  ) -> (inputs: [Input], failure: String?) {
    var failure: String?
    _ = refresh(at: now)
    do throws(PortError) {
      try perform(mail.events, at: now)
    } catch { failure = error.message }
    stayHere(at: now)
    return (wishes(at: now), failure)
  }

  /// Reads what the store has, where that may be something else.
  /// - Returns: whether it is known.
  private func refresh(at now: BootInstant) -> Bool {
    if let until = retry.until, now < until { return messaging != nil }
    do throws(PortError) {
      // Taken before what it stands for is read: what is edited meanwhile is read again.
      let mark = try places.edits.mark(at: now, isStale: messaging == nil || isStale)
      guard messaging == nil || isStale || mark != editMark else { return true }
      let items = try writer.ask { (store) throws(PortError) in try store.messages() }
      guard let items else { return false }
      editMark = mark
      isStale = false
      let until = retry.until
      restore(items, at: now)
      // One that can be read, and not written to, has failed again.
      if retry.until == until { retry.succeeded() }
    } catch {
      // The writer tells of it.
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
    if hasBroker, hasNews(since: before) { onMail() }
  }

  /// Whether the uplink has something to send, or to listen for.
  private func hasNews(since before: MessagingState?) -> Bool {
    // What came while nobody was here to take it has to be brought again.
    guard let messaging, let before else { return true }
    return messaging.contacts != before.contacts
      || (messaging.pendingCount > 0 && messaging.pending != before.pending)
  }

  /// What has come since the board came here finds it here.
  private func stayHere(at now: BootInstant) {
    guard let location = presentLocation(at: now) else { return }
    step(.located(location), at: now)
  }

  /// Where the board surely is now: it was located just now, or rests where it was.
  private func presentLocation(at now: BootInstant) -> Location? {
    guard let location = sighting.location, let date = clock.utc(at: now) else { return nil }
    var present = location
    if case .resting(let since) = sighting.rest, sighting.isWatched,
      let start = clock.utc(at: since), location.time >= start - Self.settling
    {
      present.time = max(date, location.time)
      return present
    }
    return date - location.time <= Self.settling ? present : nil
  }

  /// How long a location is as good as new.
  private static let settling: Seconds = 120

  // MARK: Steps

  private func step(_ event: PeopleEvent, at now: BootInstant) {
    guard messaging != nil, retry.until.map({ now >= $0 }) ?? true else { return }
    do throws(PortError) { try perform([event], at: now) } catch { retry.failed(at: now) }
  }

  /// What has come of events.
  private struct Outcome {
    var messaging: MessagingState
    var turn: PeopleStepResult
    /// Whether the messaging state was made of the store's rows, and knows of no time at which
    /// something is due.
    let isAnew: Bool

    init(
      _ events: [PeopleEvent], _ messaging: MessagingState, isAnew: Bool, at now: BootInstant,
      _ date: UTCInstant?
    ) {
      self.messaging = messaging
      turn = self.messaging.step(events, at: now, date: date)
      self.isAnew = isAnew
    }
  }

  /// What changes nothing costs no transaction: most of what a broker retains is known already.
  private func perform(_ events: [PeopleEvent], at now: BootInstant) throws(PortError) {
    let date = clock.utc(at: now)
    let trial = messaging.map { Outcome(events, $0, isAnew: false, at: now, date) }
    if let trial, trial.turn.change.isEmpty {
      messaging = trial.messaging
      return tell(trial.turn, at: now)
    }
    let done = try store(trial, events, at: now, date)
    messaging = done.messaging
    tell(done.turn, at: now)
    if done.isAnew { try perform([.timePassed], at: now) }
  }

  /// - Parameter trial: what has come of the events for what this driver knows: it is stored,
  ///   unless somebody has changed the store since it was read.
  private func store(
    _ trial: Outcome?, _ events: [PeopleEvent], at now: BootInstant, _ date: UTCInstant?
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
        next = Outcome(events, messaging, isAnew: true, at: now, date)
      }
      next.turn.addNotices(at: here, date: date, contacts: next.messaging.contacts, me: me) {
        places.reserveNotice()
      }
      done = next
      return next.turn.change
    }
    guard let done else { throw .failed("there is no store to keep what people exchange") }
    return done
  }

  private func tell(_ turn: PeopleStepResult, at now: BootInstant) {
    let contacts = messaging?.contacts ?? Contacts()
    for news in turn.news { log.write(news.word, news.text(contacts, me: me), at: now) }
    for refusal in turn.refusals {
      if let text = told.text(of: "\(refusal)", at: now) {
        log.write("people-refused", text, at: now)
      }
    }
    places.raised(turn.change.notices, at: now)
    if turn.hasMail, hasBroker { onMail() }
  }

  // MARK: Where the receiver is wanted

  private func wishes(at now: BootInstant) -> [Input] {
    guard let messaging else { return [] }
    if messaging.wantedAccuracy != nil { stayHere(at: now) }
    return change(Self.letterDemander, to: letterWish(messaging, at: now)) + follow(at: now)
      + change(Self.groupDemander, to: groupWish(at: now))
  }

  /// For a policy that follows places.
  private func follow(at now: BootInstant) -> [Input] {
    let regions = (targets ?? []).map(\.region)
    guard Set(regions.map(\.box)) != Set(places.leftByPeople.map(\.box)) else { return [] }
    places.leftByPeople = regions
    return places.follow(at: now)
  }

  private func letterWish(_ messaging: MessagingState, at now: BootInstant) -> GnssDemand? {
    guard settings.looks, let location = sighting.location else { return nil }
    let targets =
      targets ?? messaging.targets(around: location.position, date: clock.utc(at: now))
    self.targets = targets
    guard let look = search.look(among: targets, sighting) else { return nil }
    return GnssDemand(
      .off(until: look.at), accuracy: look.accuracy, reason: "a letter or a meeting is near")
  }

  private func groupWish(at now: BootInstant) -> GnssDemand? {
    guard let accuracy = messaging?.wantedAccuracy else { return nil }
    // What is wanted at once is wanted no later a second after that.
    if let before = demands[Self.groupDemander], before.accuracy == accuracy { return before }
    return GnssDemand(
      .off(until: now), accuracy: accuracy, reason: "a group asks where its members are")
  }

  private func change(_ demander: DemanderName, to wish: GnssDemand?) -> [Input] {
    guard wish != demands[demander] else { return [] }
    demands[demander] = wish
    return [.tracker(.demand(from: demander, wish))]
  }
}
