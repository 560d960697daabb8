import Ports
import Core

/// A note in the outbox for the time of a run: a note without a run shows that the last run did not
/// end normally. libmosquitto aborts the process at some malformed packets.
public struct RunMarker {
  private static let key = "run_since_s"

  private let outbox: OutboxFile

  public init(_ outbox: OutboxFile) { self.outbox = outbox }

  /// When the present run began, or one that did not end normally; nil: the last one has.
  public func found() throws(PortError) -> UTCInstant? {
    try outbox.translatingFailures { () throws(Database.Failure) in
      try outbox.meta.integer(Self.key).map { UTCInstant(seconds: Double($0)) }
    }
  }

  public func put(at time: UTCInstant) throws(PortError) {
    try outbox.translatingFailures { () throws(Database.Failure) in
      try outbox.meta.set(Self.key, OutboxFile.seconds(time))
    }
  }

  public func remove() throws(PortError) {
    try outbox.translatingFailures { () throws(Database.Failure) in try outbox.meta.remove(Self.key)
    }
  }
}
