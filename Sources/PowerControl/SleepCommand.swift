/// Which command puts the receiver to sleep.
public enum SleepCommand: String, Sendable, CaseIterable {
  /// What the receiver's family understands.
  case auto
  case none
  /// UBX-RXM-PMREQ with 16 bytes: backup, woken by its serial line or EXTINT (M8 and later).
  case ubxBackup16 = "ubx-pmreq-16"
  /// UBX-RXM-PMREQ with 8 bytes (u-blox 6 and 7, M8).
  case ubxBackup8 = "ubx-pmreq-8"
  /// Standby, woken by any byte.
  case mtkStandby = "pmtk161"
  /// Backup, woken by FORCE_ON or a power cycle only.
  case mtkBackup = "pmtk225"
  case pairSleep = "pair650"
  /// Standby for a time that the command gives.
  case casStandby = "pcas12"
}

/// How a receiver's orbits survive without supply.
public enum OrbitKeeping: String, Sendable, CaseIterable { case auto, flash, host, none }
