import Places

extension PlaceFileFormat {
  /// A place as a file of this format changes it: what the file says otherwise than the format
  /// would say it of the place is taken. The rest stays, with all that the format has no room for.
  ///
  /// - Parameters:
  ///   - known: the place as it is.
  ///   - read: the one of the file that has its id.
  ///   - defaults: with which the file was read.
  /// - Returns: `known` itself where the file says nothing new; otherwise a higher version of it.
  public func update(
    _ known: Place, with read: Place, _ defaults: PlaceFileDefaults
  ) -> Place {
    guard let written = written(known, defaults)?.details else { return read }
    var details = known.details
    func take<Part: Equatable>(_ part: WritableKeyPath<PlaceDetails, Part>) {
      let said = read.details[keyPath: part]
      if said != written[keyPath: part] { details[keyPath: part] = said }
    }
    // A circle in a polygon's stead has another centre: only together they are a shape.
    if read.location != written.location || read.perimeter != written.perimeter {
      details.location = read.location
      details.perimeter = read.perimeter
    }
    take(\.name)
    take(\.description)
    take(\.beacons)
    take(\.lifetime)
    take(\.schedule)
    take(\.visibility)
    take(\.relationships)
    take(\.tags)
    take(\.followers)
    take(\.contents)
    take(\.owner)
    guard details != known.details else { return known }
    let next = known.version < .max ? known.version + 1 : .max
    // Parts of two places may not go together.
    return (try? Place(id: known.id, version: max(read.version, next), details)) ?? read
  }

  /// The place as a file of this format has it; nil: it has no room for such a place.
  private func written(_ place: Place, _ defaults: PlaceFileDefaults) -> Place? {
    var writer = writer()
    _ = writer.place(place)
    writer.finish()
    var reader = reader(defaults)
    return try? reader.entries(of: writer.output).first?.place
  }
}
