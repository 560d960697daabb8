import Notation
import Quantities

/// A fix as one line of JSON with the keys of gpsd's TPV (gpsd_json(5)), in gpsd's order, so that
/// gpsd's users and programs read it as they read gpsd.
public enum FixJSON {
  public static func write(_ fix: Fix, to writer: inout JSONWriter) {
    writer.object { json in
      json.field("class", "TPV")
      if fix.mode != .none, fix.quality != .autonomous {
        json.field("status", fix.quality.rawValue)
      }
      json.field("mode", fix.mode.rawValue)
      json.field("time", ifKnown: fix.time)
      writePosition(fix, to: &json)
      writeErrors(fix, to: &json)
      writeMotion(fix, to: &json)
      writeSky(fix, to: &json)
    }
  }

  private static func writePosition(_ fix: Fix, to json: inout JSONWriter) {
    json.field("lat", ifKnown: fix.position?.latitude.value, digits: 9)
    json.field("lon", ifKnown: fix.position?.longitude.value, digits: 9)
    json.field("altHAE", ifKnown: fix.altitudeHAE?.value, digits: 4)
    json.field("altMSL", ifKnown: fix.altitudeMSL?.value, digits: 4)
    json.field("alt", ifKnown: fix.altitudeMSL?.value, digits: 4)
  }

  private static func writeErrors(_ fix: Fix, to json: inout JSONWriter) {
    json.field("epv", ifKnown: fix.verticalError?.value, digits: 3)
    json.field("eps", ifKnown: fix.speedError?.value, digits: 3)
    json.field("eph", ifKnown: fix.horizontalError?.value, digits: 3)
  }

  private static func writeMotion(_ fix: Fix, to json: inout JSONWriter) {
    json.field("track", ifKnown: fix.track?.value, digits: 4)
    json.field("speed", ifKnown: fix.speed?.value, digits: 3)
    json.field("climb", ifKnown: fix.climb?.value, digits: 3)
    json.field("geoidSep", ifKnown: fix.geoidSeparation?.value, digits: 3)
  }

  /// What gpsd reports in SKY and not in TPV, under SKY's names: one line tells the whole fix.
  private static func writeSky(_ fix: Fix, to json: inout JSONWriter) {
    json.field("hdop", ifKnown: fix.hdop, digits: 2)
    json.field("uSat", ifKnown: fix.satellitesUsed)
    json.field("nSat", ifKnown: fix.satellitesInView)
  }
}
