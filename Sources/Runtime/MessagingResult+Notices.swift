import Messaging
import Core
import Records

extension MessagingResult {
  /// Adds notices, so that they are stored with the change that they report.
  /// - Parameter number: allocates the next notice id.
  mutating func addNotices(
    at here: Location?, date: UTCInstant?, contacts: Contacts, me: PersonAddress,
    _ number: () -> (Int64, Notice.Handling)
  ) {
    for news in notifications where news.isNotice {
      let (id, handling) = number()
      var notice = Notice(
        id: id, time: date ?? here?.time, alert: nil, name: news.name, kind: news.kind,
        text: news.text(contacts, me: me))
      notice.position = here?.position
      notice.accuracy = here?.accuracy
      notice.locatedAt = here?.time
      notice.handling = handling
      add(notice)
    }
  }
}

extension MessagingNotification {
  fileprivate var kind: NoticeKind {
    switch self {
    case .near, .delivered, .receipt: .letter
    case .meetingAppeared, .meetingChanged, .meetingOver, .attended: .meeting
    case .group: .group
    }
  }

  /// The name shown in place of an alert's name.
  fileprivate var name: String {
    switch self {
    case .near(_, let place): place ?? "letters"
    case .delivered, .receipt: "letters"
    case .meetingAppeared(let meeting), .meetingChanged(let meeting, _),
      .meetingOver(let meeting, _), .attended(let meeting, _):
      meeting.name
    case .group(let group, _): group.name
    }
  }
}
