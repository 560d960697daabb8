import Places

extension PlaceFileFormat {
  /// Updates a place from a file of this format: values in the file that differ from what the
  /// format would write for the place are accepted. The rest is kept, with everything that the
  /// format cannot hold.
  ///
  /// - Parameters:
  ///   - known: the present place.
  ///   - read: the place of the same id in the file.
  ///   - defaults: the defaults for reading the file.
  /// - Returns: `known` itself if the file contains nothing new; otherwise a higher version of it.
  public func update(
    _ known: Place, with read: Place, _ defaults: PlaceFileDefaults
  ) -> Place {
    guard let written = written(known, defaults)?.details else { return read }
    var details = known.details
    func take<Part: Equatable>(_ part: WritableKeyPath<PlaceDetails, Part>) {
      let said = read.details[keyPath: part]
      if said != written[keyPath: part] { details[keyPath: part] = said }
    }
    // A circle that replaces a polygon has another centre: only together they are a shape.
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
    // Parts of two places may be incompatible.
    return (try? Place(id: known.id, version: max(read.version, next), details)) ?? read
  }

  /// The place as a file of this format would contain it; nil: the format cannot hold it.
  private func written(_ place: Place, _ defaults: PlaceFileDefaults) -> Place? {
    var writer = writer()
    _ = writer.place(place)
    writer.finish()
    var reader = reader(defaults)
    return try? reader.entries(of: writer.output).first?.place
  }
}
