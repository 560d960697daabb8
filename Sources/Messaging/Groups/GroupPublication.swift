import Core

/// Where the guide's board has published the group, which moves with the guide. An open group is
/// found by people nearby, a restricted one by its people wherever they are (Chughtai 2015, 4.3.2:
/// "view list of nearby groups"). It is also published where the guide's next board finds it.
struct GroupPublication: Hashable, Sendable {
  /// Changes to be made at a broker.
  struct Order: Hashable, Sendable {
    let group: Group
    /// Topics to publish under.
    let under: [String]
    /// Topics to clear.
    let without: [String]
    /// The guide's position as far as the messages reveal it; nil: they do not.
    let place: PublishedPlace?
  }

  /// How far beyond its range a group is published, and from where on it is cleared: a guide who
  /// walks along the edge of an area must not cause a message each time.
  private static let ahead: Metres = 1000
  private static let behind: Metres = 5000

  private var revision = 0
  private var topics: [String] = []
  /// The guide's position when an open group was last published.
  private var foundAt: PublishedPlace?

  init() {}

  /// - Parameters:
  ///   - guide: the guide's position; nil: it is not known.
  ///   - isOver: whether the group is to be found no longer.
  /// - Returns: nil if nothing has to change.
  mutating func update(
    _ group: Group, guide: GroupPosition?, isOver: Bool = false
  ) -> Order? {
    let here = guide?.position
    let wanted = isOver ? [] : Self.topics(of: group, here, within: group.range + Self.ahead)
    let kept = isOver ? [] : Self.topics(of: group, here, within: group.range + Self.behind)
    let without: [String]
    // The guide's position is unknown: the group stays published where it was.
    if !isOver, guide == nil, group.allowed == .everybody {
      without = []
    } else {
      without = topics.filter { !kept.contains($0) }
    }
    let rest = topics.filter { !without.contains($0) }
    let all = rest + wanted.filter { !rest.contains($0) }
    let isElsewhere = hasMoved(group, guide)
    let under =
      revision != group.revision
      ? all : all.filter { !topics.contains($0) || isElsewhere && MessageTopic.isOfArea($0) }
    guard !under.isEmpty || !without.isEmpty else { return nil }
    revision = group.revision
    topics = all
    var group = group
    group.foundAt = foundAt?.position
    return Order(group: group, under: under, without: without, place: isOver ? nil : foundAt)
  }

  /// Whether the place where an open group is found has changed.
  private mutating func hasMoved(_ group: Group, _ guide: GroupPosition?) -> Bool {
    guard group.allowed == .everybody else {
      foundAt = nil
      return false
    }
    guard let guide else { return false }
    if let foundAt, Sphere.distance(foundAt.position, guide.position) < Group.step { return false }
    foundAt = PublishedPlace(guide)
    return true
  }

  /// Takes over a topic under which another or an earlier board of the guide has published the
  /// group.
  /// - Returns: whether the topic was new.
  mutating func adopt(
    _ topic: String, revision heard: Int, foundAt place: Coordinate? = nil
  ) -> Bool {
    guard !topics.contains(topic) else { return false }
    foundAt = foundAt ?? place.map(PublishedPlace.init(of:))
    revision = topics.isEmpty ? heard : min(revision, heard)
    topics.append(topic)
    return true
  }

  /// The broker may have lost it: publish everything again.
  mutating func forget() { revision = 0 }

  private static func topics(
    of group: Group, _ guide: Coordinate?, within radius: Metres
  ) -> [String] {
    let own = MessageTopic.ownTopic(ofGroup: group.id, of: group.guide)
    let others = MessageTopic.topics(
      of: group, in: guide.map { SphericalCap(centre: $0, radius: radius) })
    return [own] + others.filter { $0 != own }
  }

  // MARK: JSON

  private static let type = "group_publication"

  /// - Throws: for what cannot come from the store.
  init(_ bytes: some Collection<UInt8>) throws(MessageError) {
    let reader = try MessageReader(bytes, atMost: MessagingLimits.state)
    try reader.expect(Self.type)
    revision = try reader.integer("revision", 0...MessagingLimits.revisions.upperBound)
    topics = try reader.texts("topics")
    if reader.has("latitude") { foundAt = try PublishedPlace(reader) }
  }

  /// As the store keeps it.
  var bytes: [UInt8] {
    var writer = MessageWriter(Self.type)
    writer.add("revision", revision)
    writer.add("topics", texts: topics)
    foundAt?.write(into: &writer)
    return writer.bytes
  }
}
