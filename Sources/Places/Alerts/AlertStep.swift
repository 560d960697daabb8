import Core

/// One step, with its effects.
struct AlertStep {
  let now: BootInstant
  let date: UTCInstant?
  var effects: [AlertEffect] = []
}
