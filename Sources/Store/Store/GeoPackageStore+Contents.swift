import Ports
import Core
import Records

extension GeoPackageStore {
  public func contentCounts(of contents: [String]) throws(PortError) -> [ContentCount] {
    try ContentQueries(connection).counts(of: contents)
  }
  public func shownContent(atCrossing id: Int64) throws(PortError) -> ContentAction? {
    try ContentQueries(connection).shown(atCrossing: id)
  }
  public func interests() throws(PortError) -> String? { try connection.remembered(.interests) }
  public func crossings(since: UTCInstant, atMost most: Int) throws(PortError) -> [Crossing] {
    try ContentQueries(connection).crossings(since: since, atMost: most)
  }
}
