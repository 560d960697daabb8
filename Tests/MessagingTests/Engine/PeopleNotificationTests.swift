import Messaging
import PeopleExperiment
import Core
import Testing

/// Notifications shown to the board's owner.
@Suite struct PeopleNotificationTests {
  private static let contacts = People.contacts()

  @Test("every notification is a sentence with the names of the contacts") func sentences() throws {
    let receipt = try LetterReceipt(
      letter: People.id(1), to: People.anna, by: People.mallory, .refused, at: nil,
      reason: "the letterbox was removed")
    let (meeting, group) = (People.meeting(), People.group())
    let attendance = MembershipChange(.join, .meeting, meeting.id, person: People.carl, at: nil)
    let texts: [(MessagingNotification, String)] = [
      (.near([People.letter()], at: "The oak"), "a letter from ben is near: The oak"),
      (
        .delivered(People.letter(from: People.mallory)),
        "a letter from mallory was delivered: read it with `godwit letters show "
          + "\(People.letter().id.description.prefix(8))`"
      ),
      (
        .receipt(receipt),
        "letter \(People.id(1)) to mallory: refused, the letterbox was removed"
      ),
      (.meetingAppeared(meeting), "ben holds a meeting nearby: Festival"),
      (.meetingChanged(meeting, [.spot, .time]), "Festival has changed: its spot, its time"),
      (.meetingOver(meeting, .cancelled), "Festival was cancelled"),
      (.meetingOver(meeting, .removed), "Festival was removed"),
      (.attended(meeting, attendance), "carl has joined Festival"),
      (.group(group, .joined(People.ben)), "Class 3b: ben has joined"),
      (.group(group, .joined(People.anna)), "Class 3b: you have joined"),
      (.group(group, .back(People.anna)), "Class 3b: you are back in range"),
      (
        .group(group, .missing(People.anna, since: nil)),
        "Class 3b: no position from you has been received"
      ),
      (
        .group(group, .changed([.range, .invitation])),
        "Class 3b: the group has changed: its range, the people who may join"
      ),
      (
        .group(group, .fellBehind(People.ben, 1234)),
        "Class 3b: ben is out of range, 1.2 km from the guide"
      ),
      (
        .group(group, .missing(People.ben, since: PeopleWorld.start)),
        "Class 3b: no position from ben has been received since 2026-05-01T01:46:40.000Z"
      ),
      (
        .group(group, .guideSilent(since: nil)),
        "Class 3b: no position from the guide has been received"
      ),
      (.group(group, .ended), "Class 3b: the group has ended"),
    ]
    for (news, text) in texts { #expect(news.text(Self.contacts, me: People.anna) == text) }
  }

  @Test("a person is named as in the contacts") func names() throws {
    var contacts = People.contacts()
    try contacts.rename("ben", to: "Uncle Ben")
    let text = MessagingNotification.near([People.letter()], at: nil).text(
      contacts, me: People.anna)
    #expect(text == "a letter from Uncle Ben is near")
  }

  @Test("notifications that require action are notices, and the rest is only logged") func notices()
  {
    let group = People.group()
    let notices: [GroupNotification] = [
      .fellBehind(People.ben, 300), .missing(People.ben, since: nil), .guideSilent(since: nil),
      .ended,
    ]
    let rest: [GroupNotification] = [
      .joined(People.ben), .left(People.ben), .back(People.ben), .receivedAgain(People.ben),
      .guideReceived, .changed([.name]),
    ]
    #expect(notices.allSatisfy { MessagingNotification.group(group, $0).isNotice })
    #expect(!rest.contains { MessagingNotification.group(group, $0).isNotice })
    #expect(MessagingNotification.near([People.letter()], at: nil).isNotice)
    #expect(!MessagingNotification.delivered(People.letter()).isNotice)
    #expect(MessagingNotification.delivered(People.letter()).word == "letter-delivered")
    #expect(MessagingNotification.group(group, .ended).word == "group")
  }
}
