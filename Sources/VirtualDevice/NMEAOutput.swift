import Core

/// The sentences of a u-blox 8 at its factory settings, in its order: RMC, VTG, GGA, GSA, GSV, GST
/// (NMEA 0183 version 4.0; u-blox 8 / M8 Receiver description, UBX-13003221, chapter 31). GST is
/// off at the factory and on here, because it contains the error estimate. GSV is sent in epochs
/// with signals.
enum NMEAOutput {
  static func encode(
    _ epoch: ReceiverEpoch, _ satellites: [Constellation.Satellite], to line: SentenceWriter
  ) {
    let civil = CivilTime(epoch.time)
    recommendedMinimum(epoch, civil, to: line)
    courseAndSpeed(epoch, to: line)
    fixData(epoch, civil, to: line)
    activeSatellites(epoch, satellites, to: line)
    if let signals = epoch.signals { satellitesInView(signals, to: line) }
    errorStatistics(epoch, civil, to: line)
  }

  private static func timeOfDay(_ epoch: ReceiverEpoch, _ civil: CivilTime, to line: SentenceWriter)
  {
    guard epoch.knowsTime else { return line.empty() }
    line.pairs(civil.hour, civil.minute, civil.second)
    line.hundredths(civil.nanosecond / 10_000_000)
  }

  private static func position(_ solution: ReceiverEpoch.Solution, to line: SentenceWriter) {
    line.angle(solution.latitude, degreeDigits: 2, positive: "N", negative: "S")
    line.angle(solution.longitude, degreeDigits: 3, positive: "E", negative: "W")
  }

  /// Below this speed a u-blox gives no course.
  private static let slowestCourse = 0.2
  private static let knots = 3600.0 / 1852

  private static func recommendedMinimum(
    _ epoch: ReceiverEpoch, _ civil: CivilTime, to line: SentenceWriter
  ) {
    line.begin("GNRMC")
    timeOfDay(epoch, civil, to: line)
    if let solution = epoch.solution {
      line.text("A")
      position(solution, to: line)
      line.decimal(solution.speed * knots, digits: 3)
      if solution.speed >= slowestCourse {
        line.decimal(solution.track, digits: 2)
      } else {
        line.empty()
      }
    } else {
      line.text("V")
      line.empty(6)
    }
    if epoch.knowsTime {
      line.pairs(civil.day, civil.month, civil.year % 100)
    } else {
      line.empty()
    }
    line.empty(2)
    line.text(epoch.solution == nil ? "N" : "A")
    line.end()
  }

  private static func courseAndSpeed(_ epoch: ReceiverEpoch, to line: SentenceWriter) {
    line.begin("GNVTG")
    guard let solution = epoch.solution else {
      line.empty(8)
      line.text("N")
      return line.end()
    }
    if solution.speed >= slowestCourse {
      line.decimal(solution.track, digits: 2)
    } else {
      line.empty()
    }
    line.text("T")
    line.empty()
    line.text("M")
    line.decimal(solution.speed * knots, digits: 3)
    line.text("N")
    line.decimal(solution.speed * 3.6, digits: 3)
    line.text("K")
    line.text("A")
    line.end()
  }

  private static func fixData(
    _ epoch: ReceiverEpoch, _ civil: CivilTime, to line: SentenceWriter
  ) {
    line.begin("GNGGA")
    timeOfDay(epoch, civil, to: line)
    guard let solution = epoch.solution else {
      line.empty(4)
      line.text("0")
      line.text("00")
      line.text("99.99")
      line.empty(6)
      return line.end()
    }
    position(solution, to: line)
    line.text("1")
    line.number(min(epoch.reception.used, 12), digits: 2)
    line.decimal(epoch.reception.hdop, digits: 2)
    line.decimal(solution.altitude, digits: 1)
    line.text("M")
    line.decimal(ReceiverEpoch.geoidSeparation, digits: 1)
    line.text("M")
    line.empty(2)
    line.end()
  }

  private static func activeSatellites(
    _ epoch: ReceiverEpoch, _ satellites: [Constellation.Satellite], to line: SentenceWriter
  ) {
    for glonass in [false, true] {
      line.begin("GNGSA")
      line.text("A")
      line.text(epoch.solution == nil ? "1" : "3")
      var empty = 12
      for satellite in satellites.prefix(epoch.reception.used)
      where satellite.isGlonass == glonass && empty > 0 {
        line.number(satellite.number, digits: 2)
        empty -= 1
      }
      line.empty(empty)
      line.decimal(epoch.reception.pdop, digits: 2)
      line.decimal(epoch.reception.hdop, digits: 2)
      line.decimal(epoch.reception.vdop, digits: 2)
      line.end()
    }
  }

  private static func satellitesInView(_ signals: [ReceivedSignal], to line: SentenceWriter) {
    for glonass in [false, true] {
      let seen = signals.filter { $0.satellite.isGlonass == glonass }
      let sentences = max(1, (seen.count + 3) / 4)
      for sentence in 0..<sentences {
        line.begin(glonass ? "GLGSV" : "GPGSV")
        line.number(sentences)
        line.number(sentence + 1)
        line.number(seen.count, digits: 2)
        for signal in seen.dropFirst(sentence * 4).prefix(4) {
          line.number(signal.satellite.number, digits: 2)
          line.number(signal.satellite.elevation, digits: 2)
          line.number(signal.satellite.azimuth, digits: 3)
          line.number(signal.strength, digits: 2)
        }
        line.end()
      }
    }
  }

  private static func errorStatistics(
    _ epoch: ReceiverEpoch, _ civil: CivilTime, to line: SentenceWriter
  ) {
    line.begin("GNGST")
    timeOfDay(epoch, civil, to: line)
    guard let solution = epoch.solution else {
      line.empty(7)
      return line.end()
    }
    // The range residuals' root mean square: position error over the geometry.
    line.decimal(solution.sigma / epoch.reception.hdop, digits: 1)
    line.empty(3)
    line.decimal(solution.sigma, digits: 1)
    line.decimal(solution.sigma, digits: 1)
    line.decimal(solution.sigma * 1.6, digits: 1)
    line.end()
  }
}
