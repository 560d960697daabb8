/// Converts between UTC and the local time of a zone.
///
/// The rules come from the bytes of a TZif file (RFC 9636, versions 1 to 4); this type accesses no
/// file. A query examines at most the changes of three days.
public struct TimeZoneRules: Hashable, Sendable {
  /// The TZID of iCalendar: `Europe/Berlin`.
  public let name: String
  private let changes: [OffsetChange]
  private let firstOffset: Int
  private let footer: PosixTimeZone?

  /// In bytes; the largest file of the time zone database has 4000.
  public static let maximumFileSize = 65_536

  public static let utc = TimeZoneRules(
    name: "UTC", changes: [], firstOffset: 0, footer: nil)

  private init(
    name: String, changes: [OffsetChange], firstOffset: Int, footer: PosixTimeZone?
  ) {
    self.name = name
    self.firstOffset = firstOffset
    self.footer = footer
    var changes = changes
    if let footer, let last = changes.popLast() {
      // The footer applies from the last change on (RFC 9636 section 3.3.1).
      changes.append(OffsetChange(begin: last.begin, offset: footer.offset(at: last.begin)))
    }
    self.changes = changes
  }

  /// - Parameter bytes: the content of a TZif file.
  public init(name: String, tzif bytes: some Collection<UInt8>) throws(TimeZoneError) {
    guard bytes.count <= Self.maximumFileSize else { throw .tooLong(bytes: bytes.count) }
    let file = try TZifFile(Array(bytes))
    self.init(
      name: name, changes: file.changes, firstOffset: file.firstOffset, footer: file.footer)
  }

  /// - Parameter text: a POSIX TZ string with its rules, `CET-1CEST,M3.5.0,M10.5.0/3`.
  public init(name: String, posix text: String) throws(TimeZoneError) {
    guard text.utf8.count <= Self.maximumFileSize else { throw .tooLong(bytes: text.utf8.count) }
    let zone = try PosixTimeZone(parsing: text.utf8)
    self.init(name: name, changes: [], firstOffset: zone.standard, footer: zone)
  }

  /// A zone with a fixed offset, without summer time.
  /// - Parameter offset: east of UTC, to the whole second, up to 26 hours.
  public init(name: String, offset: Seconds) throws(TimeZoneError) {
    guard offset.magnitude <= Seconds(Double(OffsetChange.offsets.upperBound)) else {
      throw .offsetOutOfRange
    }
    self.init(
      name: name, changes: [], firstOffset: Int(offset.value.rounded()), footer: nil)
  }

  /// The rules that hold from the last known change on, as a POSIX TZ string: complete by itself,
  /// where the name of a zone needs a database.
  public var posix: String {
    if let footer { return footer.text }
    // POSIX counts west of Greenwich.
    let west = -(changes.last?.offset ?? firstOffset)
    let parts = [west.magnitude / 3600, west.magnitude / 60 % 60, west.magnitude % 60]
    return "<UTC>\(west < 0 ? "-" : "")" + parts.map(String.init).joined(separator: ":")
  }

  /// Local time minus UTC: positive east of Greenwich.
  public func offset(at instant: UTCInstant) -> Seconds {
    Seconds(Double(offset(atSecond: instant.wholeSeconds)))
  }

  public func localTime(at instant: UTCInstant) -> CivilTime {
    let local = instant.wholeSeconds + offset(atSecond: instant.wholeSeconds)
    var civil = CivilTime(localSeconds: local)
    civil.nanosecond = Int(instant.nanoseconds).flooredRemainder(by: 1_000_000_000)
    return civil
  }

  /// The instants that a local time can denote; nil if one of its fields is out of range.
  public func reading(of local: CivilTime) -> LocalReading? {
    guard let seconds = local.localSeconds else { return nil }
    func instant(_ second: Int) -> UTCInstant {
      UTCInstant(
        nanoseconds: UTCInstant(wholeSeconds: second).nanoseconds + Int64(local.nanosecond))
    }
    return switch reading(ofLocalSeconds: seconds) {
    case .once(let second): .once(instant(second))
    case .twice(let first, let second): .twice(first: instant(first), second: instant(second))
    case .never(let second): .never(byOffsetBefore: instant(second))
    }
  }
}

// MARK: In whole seconds

extension TimeZoneRules {
  private enum SecondReading {
    case once(Int)
    case twice(Int, Int)
    case never(Int)
  }

  func offset(atSecond second: Int) -> Int {
    if let footer, second >= changes.last?.begin ?? .min { return footer.offset(at: second) }
    let next = indexOfChange(after: second)
    return next == 0 ? firstOffset : changes[next - 1].offset
  }

  /// The UTC second of a local one by iCalendar's rule; see `LocalReading.instant`.
  func second(ofLocalSeconds local: Int) -> Int {
    switch reading(ofLocalSeconds: local) {
    case .once(let second), .twice(let second, _), .never(let second): second
    }
  }

  private func reading(ofLocalSeconds local: Int) -> SecondReading {
    // The range of UTC offsets bounds the changes that matter.
    let first = local - OffsetChange.offsets.upperBound
    let last = local - OffsetChange.offsets.lowerBound
    let periods = offsets(from: first, through: last)
    var found: Int?
    var byOffsetBefore = local - periods[0].offset
    var isInGap = false
    for (index, period) in periods.enumerated() {
      let second = local - period.offset
      let end = index + 1 < periods.count ? periods[index + 1].begin : Int.max
      if second < period.begin {
        // The clock skips this local time here. Later changes may still return to it.
        isInGap = true
      } else if second < end {
        guard let found else {
          found = second
          continue
        }
        return .twice(found, second)
      } else if !isInGap {
        byOffsetBefore = second
      }
    }
    return found.map { .once($0) } ?? .never(byOffsetBefore)
  }

  /// The offset at the beginning of a period, and the changes until its end.
  private func offsets(from first: Int, through last: Int) -> [OffsetChange] {
    var result = [OffsetChange(begin: first, offset: offset(atSecond: first))]
    var index = indexOfChange(after: first)
    while index < changes.count, changes[index].begin <= last {
      result.append(changes[index])
      index += 1
    }
    if let footer, index == changes.count {
      let begin = max(first, changes.last?.begin ?? .min)
      for change in footer.changes(from: first, through: last)
      where change.begin > begin && change.begin <= last {
        result.append(change)
      }
    }
    return result
  }

  /// The index of the first later change; the number of changes if there is none.
  private func indexOfChange(after second: Int) -> Int {
    changes.partitionPoint { $0.begin > second }
  }
}
