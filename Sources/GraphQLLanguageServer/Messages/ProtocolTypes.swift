import GraphQLSyntax

// The types of the protocol as JSON: positions, ranges, locations and edits.

extension TextPosition {
  /// Reads a position. Negative numbers are read as zero.
  init?(_ json: IndexedJSON.Value?) {
    guard let line = json?["line"]?.integer, let character = json?["character"]?.integer else {
      return nil
    }
    self.init(line: max(0, line), character: max(0, character))
  }

  var json: JSONOutput {
    .object([("line", .number(line)), ("character", .number(character))])
  }
}

extension TextRange {
  init?(_ json: IndexedJSON.Value?) {
    guard let start = TextPosition(json?["start"]), let end = TextPosition(json?["end"]) else {
      return nil
    }
    self.init(start: start, end: end)
  }

  var json: JSONOutput { .object([("start", start.json), ("end", end.json)]) }
}

/// A part of a file.
struct FileLocation: Hashable {
  /// The URI of the file.
  var uri: String
  var range: TextRange

  var json: JSONOutput { .object([("uri", .string(uri)), ("range", range.json)]) }
}

/// A replacement of a part of a file.
struct FileEdit: Hashable {
  var location: FileLocation
  var replacement: String

  var json: JSONOutput {
    .object([("range", location.range.json), ("newText", .string(replacement))])
  }
}
