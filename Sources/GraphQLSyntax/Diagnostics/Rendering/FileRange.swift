/// A range of text in a file, in lines and columns.
struct FileRange {
  var file: String
  var start: SourceLocation
  var end: SourceLocation
}

extension LocationTable {
  /// Returns the range of `span` in its file.
  mutating func range(of span: SourceSpan) -> FileRange {
    let start = location(of: span.start)
    let end = location(of: span.end)
    return FileRange(file: map.sources[start.source].name, start: start, end: end)
  }

  /// Returns the range of `diagnostic`, or `nil` if it has no span.
  mutating func range(of diagnostic: Diagnostic) -> FileRange? {
    diagnostic.span.map { range(of: $0) }
  }
}
