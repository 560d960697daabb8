import Core

/// Where the guide's board has published the group, which moves with the guide: an open one is
/// found by who is around, one for some people by them wherever they are (Chughtai 2015, 4.3.2:
/// "view list of nearby groups"). It also lies where its guide's next board finds it.
public struct GroupPublication: Hashable, Sendable {
  /// What a broker has to do.
  public struct Order: Hashable, Sendable {
    public let group: Group
    /// Where it is published anew.
    public let under: [String]
    /// Where it is taken away.
    public let without: [String]
    /// What it tells of where the guide is; nil: nothing.
    public let place: PublishedPlace?
  }

  /// How far beyond its range a group is published, and from where on it is taken away: a guide who
  /// goes along the edge of an area is not worth a message each time.
  private static let ahead: Metres = 1000
  private static let behind: Metres = 5000

  private var revision = 0
  private var topics: [String] = []
  /// Where the guide of an open one was when it was published last.
  private var foundAt: PublishedPlace?

  public init() {}

  /// - Parameters:
  ///   - guide: where the guide is; nil: it is not known.
  ///   - isOver: whether nobody is to find it any more.
  /// - Returns: nil where everything is as it should be.
  public mutating func update(
    _ group: Group, guide: GroupPosition?, isOver: Bool = false
  ) -> Order? {
    let here = guide?.position
    let wanted = isOver ? [] : Self.topics(of: group, here, within: group.range + Self.ahead)
    let kept = isOver ? [] : Self.topics(of: group, here, within: group.range + Self.behind)
    let without: [String]
    // Nobody knows where it has gone: it stays where it was.
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
      ? all : all.filter { !topics.contains($0) || isElsewhere && GroupTopics.isOfArea($0) }
    guard !under.isEmpty || !without.isEmpty else { return nil }
    revision = group.revision
    topics = all
    var group = group
    group.foundAt = foundAt?.position
    return Order(group: group, under: under, without: without, place: isOver ? nil : foundAt)
  }

  /// Whether an open one is found elsewhere from now on.
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

  /// An earlier board of the guide, or another one, has published it there.
  /// - Returns: whether that was not known.
  public mutating func adopt(
    _ topic: String, revision heard: Int, foundAt place: Coordinate? = nil
  ) -> Bool {
    guard !topics.contains(topic) else { return false }
    foundAt = foundAt ?? place.map(PublishedPlace.init(of:))
    revision = topics.isEmpty ? heard : min(revision, heard)
    topics.append(topic)
    return true
  }

  /// It may lie nowhere any more.
  public mutating func forget() { revision = 0 }

  private static func topics(
    of group: Group, _ guide: Coordinate?, within radius: Metres
  ) -> [String] {
    let own = GroupTopics.ownTopic(ofGroup: group.id, of: group.guide)
    let others = GroupTopics.topics(
      of: group, in: guide.map { SphericalCap(centre: $0, radius: radius) })
    return [own] + others.filter { $0 != own }
  }

  // MARK: JSON

  private static let type = "group_publication"

  /// - Throws: for what the store cannot have kept.
  public init(_ bytes: some Collection<UInt8>) throws(MessageError) {
    let reader = try MessageReader(bytes, atMost: GroupLimits.state)
    try reader.expect(Self.type)
    revision = try reader.integer("revision", 0...GroupLimits.revisions.upperBound)
    topics = try reader.texts("topics")
    if reader.has("latitude") { foundAt = try PublishedPlace(reader) }
  }

  /// As the store keeps it.
  public var bytes: [UInt8] {
    var writer = MessageWriter(Self.type)
    writer.add("revision", revision)
    writer.add("topics", texts: topics)
    foundAt?.write(into: &writer)
    return writer.bytes
  }
}
