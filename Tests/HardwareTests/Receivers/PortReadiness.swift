import Glibc
import Platform
import Ports

/// Whether the port has work: its descriptor is ready for what it waits for, or it is due.
func isReady(_ port: any ReceiverPort, within seconds: Double = 5) -> Bool {
  if let due = port.due, due <= BootClock.now { return true }
  guard let interest = port.interest else { return false }
  let events =
    (interest.reads ? Int16(POLLIN) : 0) | (interest.writes ? Int16(POLLOUT) : 0)
  var entry = pollfd(fd: interest.descriptor, events: events, revents: 0)
  return poll(&entry, 1, Int32(seconds * 1000)) > 0
}
