import Places

extension PlaceContent {
  /// As it is before a place has given it an id.
  var anonymous: PlaceContent {
    var content = self
    content.id = nil
    return content
  }
}
