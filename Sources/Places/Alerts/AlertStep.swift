import Core

/// One step, with what it leads to.
struct AlertStep {
  let now: BootInstant
  let date: UTCInstant?
  var effects: [AlertEffect] = []
}
