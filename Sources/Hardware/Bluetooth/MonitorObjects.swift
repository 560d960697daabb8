import RadioSignals
import Core

/// The objects by which BlueZ is told what to watch for (org.bluez.AdvertisementMonitor1), and what
/// it may ask of them.
struct MonitorObjects {
  /// As many as BlueZ takes: patterns of a monitor (adv_monitor.c, ADV_MONITOR_MAX_PATTERNS is of
  /// the kernel, 16), and monitors of all programs.
  private static let mostPatterns = 16
  private static let mostMonitors = 8
  private static let manufacturerData: UInt8 = 0xff
  private static let serviceData: UInt8 = 0x16
  /// An advertisement has room for so much (31 bytes less length and type).
  private static let longest = 29

  struct Pattern: Hashable {
    var start: UInt8
    var type: UInt8
    var content: [UInt8]
  }

  /// Above them all. Each registration has its own, so that what BlueZ says of one is not taken for
  /// the next one's.
  let root: String
  private let monitors: [[Pattern]]
  private let leastStrength: DecibelMilliwatts

  init(_ regions: [BeaconRegion], leastStrength: DecibelMilliwatts, registration: Int = 1) {
    root = "/org/godwit/monitors\(registration)"
    self.leastStrength = leastStrength
    // Too many to name: every beacon of their kind is told, and those that count are picked here.
    let patterns = Self.patterns(of: regions) ?? Self.all
    monitors = stride(from: 0, to: patterns.count, by: Self.mostPatterns).map {
      Array(patterns[$0..<min($0 + Self.mostPatterns, patterns.count)])
    }
  }

  var paths: [String] { monitors.indices.map { "\(root)/\($0)" } }

  /// Whether an object is one of them, or their root.
  func owns(_ path: String) -> Bool { path == root || path.hasPrefix(root + "/") }

  /// Each once; nil: they are more than BlueZ takes.
  private static func patterns(of regions: [BeaconRegion]) -> [Pattern]? {
    var patterns: [Pattern] = []
    var known: Set<Pattern> = []
    for region in regions {
      for pattern in self.patterns(of: region) where known.insert(pattern).inserted {
        guard patterns.count < mostPatterns * mostMonitors else { return nil }
        patterns.append(pattern)
      }
    }
    return patterns
  }

  /// A prefix of what is sent: a minor of any major is picked here. In BlueZ up to 5.70 a service's
  /// data begin with its UUID, later behind it (bluez/bluez issue 1176); so both are asked for.
  private static func patterns(of region: BeaconRegion) -> [Pattern] {
    switch region {
    case .iBeacon(let uuid, let major, let minor):
      var content: [UInt8] = iBeacon + uuid.bytes
      if let major {
        content += [UInt8(major >> 8), UInt8(truncatingIfNeeded: major)]
        if let minor { content += [UInt8(minor >> 8), UInt8(truncatingIfNeeded: minor)] }
      }
      return [Pattern(start: 0, type: manufacturerData, content: content)]
    case .eddystone(let namespace, let instance):
      // Between the frame's type and the namespace stands the strength, which nobody knows before.
      let rest = namespace + (instance ?? [])
      return [
        Pattern(start: 4, type: serviceData, content: rest),
        Pattern(start: 2, type: serviceData, content: rest),
      ]
    }
  }

  private static let iBeacon: [UInt8] = [0x4c, 0x00, 0x02, 0x15]
  private static let all = [
    Pattern(start: 0, type: manufacturerData, content: iBeacon),
    Pattern(start: 0, type: serviceData, content: [0xaa, 0xfe, 0x00]),
    Pattern(start: 0, type: serviceData, content: [0x00]),
  ]

  // MARK: What BlueZ asks

  /// All of them with their properties, as GetManagedObjects answers.
  var managed: BusValue {
    .array(
      signature: "{oa{sa{sv}}}",
      zip(paths, monitors).map { path, patterns in
        .entry(
          .path(path),
          .array(
            signature: "{sa{sv}}",
            [.entry(.text(BlueZName.monitor), properties(patterns))]))
      })
  }

  /// It is found when it was above the threshold for 4 s, in which no two advertisements that were
  /// heard are further apart (adv_monitor.c, adv_monitor_filter_rssi); so beacons that send more
  /// seldom are not. Half a minute without any, or with weak ones alone, and it is lost.
  private func properties(_ patterns: [Pattern]) -> BusValue {
    let least = Int16(max(-127, min(20, leastStrength.value.rounded())))
    let lowest = max(least - 6, -127)
    return .properties([
      ("Type", .text("or_patterns")),
      ("RSSIHighThreshold", .short(least)), ("RSSIHighTimeout", .unsignedShort(4)),
      ("RSSILowThreshold", .short(lowest)), ("RSSILowTimeout", .unsignedShort(30)),
      // The service is told of nothing in between, where the controller can do that.
      ("RSSISamplingPeriod", .unsignedShort(0xff)),
      (
        "Patterns",
        .array(
          signature: "(yyay)",
          patterns.map {
            .structure([
              .byte($0.start), .byte($0.type), .bytes(Array($0.content.prefix(Self.longest))),
            ])
          })
      ),
    ])
  }
}
