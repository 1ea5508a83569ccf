/// A span as it is shown: a file, and where in it.
struct Place {
  var file: String
  var start: SourceLocation
  var end: SourceLocation
}

/// Finds the places of spans.
struct PlaceTable {
  private(set) var locations: LocationTable

  init(_ sources: SourceMap) {
    locations = LocationTable(sources)
  }

  mutating func place(of span: SourceSpan) -> Place {
    let start = locations.location(of: span.start)
    let end = locations.location(of: span.end)
    return Place(file: locations.map.sources[start.source].name, start: start, end: end)
  }

  /// The place of what `diagnostic` is about, if it has one.
  mutating func place(of diagnostic: Diagnostic) -> Place? {
    diagnostic.span.map { place(of: $0) }
  }

  /// At most `maximalLength` characters of the line that holds `offset`.
  mutating func excerpt(around offset: UInt32, maximalLength: Int) -> LineExcerpt {
    locations.excerpt(around: offset, maximalLength: maximalLength)
  }
}
