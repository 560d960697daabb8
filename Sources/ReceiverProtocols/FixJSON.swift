import Notation
import Quantities

/// A fix as one line of JSON with the keys of gpsd's TPV (gpsd_json(5)), in gpsd's order, so that
/// gpsd's users and programs read it as they read gpsd.
public enum FixJSON {
  public static func write(_ fix: Fix, to writer: inout JSONWriter) {
    writer.object { json in
      json.key("class")
      json.string("TPV")
      if fix.mode != .none, fix.quality != .autonomous {
        json.key("status")
        json.number(fix.quality.rawValue)
      }
      json.key("mode")
      json.number(fix.mode.rawValue)
      if let time = fix.time {
        json.key("time")
        json.time(time)
      }
      writePlace(fix, to: &json)
      writeErrors(fix, to: &json)
      writeMotion(fix, to: &json)
      writeSky(fix, to: &json)
    }
  }

  private static func writePlace(_ fix: Fix, to json: inout JSONWriter) {
    if let position = fix.position {
      json.key("lat")
      json.number(position.latitude.value, digits: 9)
      json.key("lon")
      json.number(position.longitude.value, digits: 9)
    }
    if let altitude = fix.altitudeHAE?.value {
      json.key("altHAE")
      json.number(altitude, digits: 4)
    }
    if let altitude = fix.altitudeMSL?.value {
      json.key("altMSL")
      json.number(altitude, digits: 4)
      json.key("alt")
      json.number(altitude, digits: 4)
    }
  }

  private static func writeErrors(_ fix: Fix, to json: inout JSONWriter) {
    if let error = fix.verticalError?.value {
      json.key("epv")
      json.number(error, digits: 3)
    }
    if let error = fix.speedError?.value {
      json.key("eps")
      json.number(error, digits: 3)
    }
    if let error = fix.horizontalError?.value {
      json.key("eph")
      json.number(error, digits: 3)
    }
  }

  private static func writeMotion(_ fix: Fix, to json: inout JSONWriter) {
    if let track = fix.track?.value {
      json.key("track")
      json.number(track, digits: 4)
    }
    if let speed = fix.speed?.value {
      json.key("speed")
      json.number(speed, digits: 3)
    }
    if let climb = fix.climb?.value {
      json.key("climb")
      json.number(climb, digits: 3)
    }
    if let separation = fix.geoidSeparation?.value {
      json.key("geoidSep")
      json.number(separation, digits: 3)
    }
  }

  /// What gpsd reports in SKY and not in TPV, under SKY's names: one line tells the whole fix.
  private static func writeSky(_ fix: Fix, to json: inout JSONWriter) {
    if let hdop = fix.hdop {
      json.key("hdop")
      json.number(hdop, digits: 2)
    }
    if let used = fix.satellitesUsed {
      json.key("uSat")
      json.number(used)
    }
    if let inView = fix.satellitesInView {
      json.key("nSat")
      json.number(inView)
    }
  }
}
