import Records
import Core

/// Gives contents without an id one that is derived from the place and the content: the same file
/// read twice gives the same ids, on every board, and so do rows of an older version. The counts of
/// an item stay with it.
enum ContentNames {
  static func named(_ contents: [PlaceContent], of place: PlaceID) -> [PlaceContent] {
    var taken = Set(contents.compactMap(\.id))
    return contents.map { content in
      guard content.id == nil else { return content }
      var named = content
      // Identical contents get different ids.
      for turn in 0... {
        let id = id(of: content, at: place, turn: turn)
        guard taken.insert(id).inserted else { continue }
        named.id = id
        break
      }
      return named
    }
  }

  private static func id(of content: PlaceContent, at place: PlaceID, turn: Int) -> UniqueID {
    var digest = SHA256()
    digest.update(place.bytes)
    let happening = content.happening
    let parts: [String?] = [
      "\(turn)", content.title, content.type, content.uri, content.mediaType, content.text,
      happening.map { "\($0.start.nanoseconds) \($0.end.nanoseconds)" }, happening?.venue,
    ]
    for part in parts {
      // Includes the length, so that different parts never give the same bytes.
      digest.update(Array("\(part?.utf8.count ?? -1):\(part ?? "")".utf8))
    }
    return UniqueID(of: digest)
  }
}
