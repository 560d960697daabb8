import Places

extension PlaceContent {
  /// The content without the id that a place assigns.
  var anonymous: PlaceContent {
    var content = self
    content.id = nil
    return content
  }
}
