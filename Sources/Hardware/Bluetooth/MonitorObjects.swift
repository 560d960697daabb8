import RadioSignals
import Core

/// The objects that define for BlueZ what to monitor (org.bluez.AdvertisementMonitor1), and their
/// answers to its calls.
struct MonitorObjects {
  /// BlueZ's limits: patterns per monitor (adv_monitor.c; ADV_MONITOR_MAX_PATTERNS is the kernel's,
  /// 16), and monitors of all programs.
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

  /// Parent of all of them. Each registration has its own, so that BlueZ's messages about one are
  /// not taken for those about the next.
  let root: String
  private let monitors: [[Pattern]]
  private let leastStrength: DecibelMilliwatts

  init(_ regions: [BeaconRegion], leastStrength: DecibelMilliwatts, registration: Int = 1) {
    root = "/org/godwit/monitors\(registration)"
    self.leastStrength = leastStrength
    // Too many patterns: every beacon of these kinds is reported, and filtered here.
    let patterns = Self.patterns(of: regions) ?? Self.all
    monitors = stride(from: 0, to: patterns.count, by: Self.mostPatterns).map {
      Array(patterns[$0..<min($0 + Self.mostPatterns, patterns.count)])
    }
  }

  var paths: [String] { monitors.indices.map { "\(root)/\($0)" } }

  /// Whether an object is one of them, or their root.
  func owns(_ path: String) -> Bool { path == root || path.hasPrefix(root + "/") }

  /// Without duplicates; nil: more than BlueZ accepts.
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

  /// Prefixes of what is sent: a minor with any major is filtered here. In BlueZ up to 5.70 the
  /// data of a service begin with its UUID, later after it (bluez/bluez issue 1176); so both are
  /// registered.
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
      // Between the frame's type and the namespace stands the transmission power, which is not
      // known in advance.
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

  // MARK: BlueZ's calls

  /// All of them with their properties, as the answer to GetManagedObjects.
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

  /// A beacon is found after 4 s above the threshold, without a gap longer than that between two
  /// advertisements received (adv_monitor.c, adv_monitor_filter_rssi); beacons that send more
  /// seldom are not found. It is lost after half a minute without any, or with weak ones alone.
  private func properties(_ patterns: [Pattern]) -> BusValue {
    let least = Int16(max(-127, min(20, leastStrength.value.rounded())))
    let lowest = max(least - 6, -127)
    return .properties([
      ("Type", .text("or_patterns")),
      ("RSSIHighThreshold", .short(least)), ("RSSIHighTimeout", .unsignedShort(4)),
      ("RSSILowThreshold", .short(lowest)), ("RSSILowTimeout", .unsignedShort(30)),
      // No reports in between, if the controller supports that.
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
