import Coarse
import GodwitSettings
import Ports

/// What else than GNSS the settings name that tells of motion, surroundings and places. Nothing is
/// opened yet.
enum ConfiguredSources {
  static func all(_ settings: Settings) -> [any EvidencePort] {
    let sources: [(any EvidencePort)?] = [
      MotionLine(settings.motion)
    ]
    return sources.compactMap { $0 }
  }
}
