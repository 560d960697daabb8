import RadioSignals
import Core
import Places

/// Places from OwnTracks' waypoints (owntracks.org/booklet/tech/json): the file that its apps
/// export, a single message, a list of messages, one per line, or within a configuration or a
/// command.
///
/// `desc` is the name, `rad` the radius, `rid` the id if it was exported from a place of ours.
/// `tst` is when a waypoint was made, which is no part of a place, and is dropped. The prefixes
/// that the iOS app interprets in a name ("-", "+", "|1|2") stay in it.
struct OwnTracksPlaceReader: JSONPlaceReader {
  static let noun = "waypoint"

  private let defaults: PlaceFileDefaults
  var scanner = JSONItemScanner(lists: ["waypoints"], limits: JSONExtent.placeLimits)
  private(set) var count = 0

  init(_ defaults: PlaceFileDefaults) { self.defaults = defaults }

  mutating func read(
    _ piece: JSONItemScanner.Piece, into entries: inout [PlaceFileEntry]
  ) throws(PlaceFileError) {
    switch piece {
    case .opening: break
    case .item(let extent, let start):
      add(JSONItem(extent, at: start), into: &entries)
    case .text(let extent, let start, let hasItems):
      let item = JSONItem(extent, at: start)
      guard case .value(let text) = item else {
        guard hasItems else { return add(item, into: &entries) }
        throw PlaceFileError(
          "the members beside the waypoints cannot be read: \(item.fault ?? "")")
      }
      // The scanner has read the items of a list of messages already.
      if case .array = text { return }
      guard let list = text["waypoints"] else {
        return add(item, into: &entries)
      }
      // The command setWaypoints has them one level deeper.
      guard let waypoints = list.array ?? list["waypoints"]?.array else {
        throw PlaceFileError("they are not a list: write []", at: "waypoints")
      }
      for waypoint in waypoints { add(.value(waypoint), into: &entries) }
    case .cutText(let start):
      add(
        JSONItem(fault: "it is cut off where the next one begins", at: start), into: &entries)
    }
  }

  private mutating func add(
    _ item: JSONItem, into entries: inout [PlaceFileEntry]
  ) {
    count += 1
    var draft = PlaceDraft()
    switch item {
    case .value(let value):
      do throws(PlaceError) { try Self.read(value, into: &draft) } catch { draft.fault = error }
    case .faulty(let reason): draft.fault = PlaceError(.malformed, at: "", reason)
    }
    entries.append(draft.entry(Self.noun, count, defaults))
  }

  // MARK: One waypoint

  private static func read(
    _ value: JSONValue, into draft: inout PlaceDraft
  ) throws(PlaceError) {
    var members = PlaceProperties(value)
    try checkType(members.find("_type")?.value, of: value)
    _ = members.find("tst")
    let beacon = Beacon(&members)
    let description = try members.find("desc").map(PlaceProperties.text)
    if let name = beacon?.name ?? description { draft.properties.add("name", .string(name)) }
    if let rid = members.find("rid") {
      let text = try PlaceProperties.text(rid)
      draft.id = PlaceID(text)
      if draft.id == nil { draft.foreignID = text }
    }
    let latitude = members.find("lat")
    let longitude = members.find("lon")
    let radius = members.find("rad")
    let reach = try radius.map(PlaceProperties.number)
    if let reach, reach > 0 { draft.properties.add("radius_m", .number(reach)) }
    if let beacon {
      guard latitude != nil, longitude != nil, let reach, reach > 0 else {
        // A radius of 0 or less means for a beacon that there is no position.
        draft.isLeftOut = true
        draft.notices.append("it is the beacon \(beacon.text), without a position")
        return
      }
      do throws(BeaconTextError) {
        draft.properties.add("beacons", .string(try beacon.region().description))
      } catch {
        draft.notices.append("its beacon is not imported: \(error.message)")
      }
    }
    guard let latitude, let longitude else {
      throw PlaceError(.missing, at: latitude == nil ? "lat" : "lon", "it has no position")
    }
    draft.shape = .point(
      Coordinate(
        latitude: Degrees(try PlaceProperties.number(latitude)),
        longitude: Degrees(try PlaceProperties.number(longitude))))
    if let leftovers = members.unreadNames { draft.notices.append(leftovers) }
  }

  private static func checkType(
    _ type: JSONValue?, of value: JSONValue
  ) throws(PlaceError) {
    guard case .object = value else {
      throw PlaceError(.malformed, at: "", "it is not a waypoint: write an object")
    }
    switch type?.string {
    case nil, "waypoint"?: return
    case "encrypted"?:
      throw PlaceError(.malformed, at: "_type", "it is encrypted: export it without a key")
    case "waypoints"?, "configuration"?, "cmd"?:
      throw PlaceError(.missing, at: "waypoints", "there are none")
    case let other?:
      throw PlaceError(.malformed, at: "_type", "it is a \(Quoted.text(other)), not a waypoint")
    }
  }

  /// An iBeacon, in the members of newer apps (uuid, major, minor) or in the name of older ones:
  /// "name:UUID:major:minor".
  private struct Beacon {
    let name: String?
    /// UUID, major, minor; 0 or a missing number means any.
    private let parts: [String]

    /// UUID:major:minor
    var text: String { Quoted.text(parts.joined(separator: ":")) }

    func region() throws(BeaconTextError) -> BeaconRegion {
      let numbers = parts.dropFirst().map { $0 == "0" ? "*" : $0 }
      return try BeaconRegion("ibeacon:" + (parts.prefix(1) + numbers).joined(separator: "/"))
    }

    init?(_ members: inout PlaceProperties) {
      let major = members.find("major")?.value.text
      let minor = members.find("minor")?.value.text
      if let uuid = members.find("uuid")?.value.string {
        name = nil
        parts = [uuid, major ?? "0", minor ?? "0"]
        return
      }
      let description = members.find("desc")?.value.string ?? ""
      let parts = description.prefix(400).split(
        separator: ":", maxSplits: 3, omittingEmptySubsequences: false
      ).map(String.init)
      guard parts.count >= 2, UniqueID(parts[1]) != nil else { return nil }
      name = parts[0]
      self.parts = Array(parts.dropFirst())
    }
  }
}
