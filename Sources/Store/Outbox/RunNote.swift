import Ports
import Core

/// A note in the outbox as long as a run goes on: one that is found without its run tells that it
/// did not end by itself. libmosquitto aborts the process at some malformed packets.
public struct RunNote {
  private static let key = "run_since_s"

  private let outbox: OutboxFile

  public init(_ outbox: OutboxFile) { self.outbox = outbox }

  /// When the run began that goes on, or has not ended by itself; nil: the last one has.
  public func found() throws(PortError) -> UTCInstant? {
    try outbox.asked { () throws(Database.Failure) in
      try outbox.meta.integer(Self.key).map { UTCInstant(seconds: Double($0)) }
    }
  }

  public func put(at time: UTCInstant) throws(PortError) {
    try outbox.asked { () throws(Database.Failure) in
      try outbox.meta.set(Self.key, OutboxFile.seconds(time))
    }
  }

  public func remove() throws(PortError) {
    try outbox.asked { () throws(Database.Failure) in try outbox.meta.remove(Self.key) }
  }
}
