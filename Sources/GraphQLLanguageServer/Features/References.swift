import GraphQLSchema
import GraphQLSyntax

/// `textDocument/references`: the names with the meaning of the one under the cursor, in the
/// operations and in the schema.
enum References {
  static func references(
    _ request: FeatureRequest, at position: TextPosition, withDefinition: Bool
  ) -> JSONOutput {
    var texts = FileTexts(request.workspace)
    var locations: [FileLocation] = []
    var isFound = false
    for (request, found) in inAllProjects(request, at: position) {
      isFound = true
      locations += found.occurrences.filter { withDefinition || !$0.isDefinition }.compactMap {
        texts.location(of: FilePart($0.span, in: found.sources), in: request.project)
      }
    }
    // Several projects can have a file.
    var known: Set<FileLocation> = []
    return isFound ? .array(locations.filter { known.insert($0).inserted }.map(\.json)) : .null
  }

  /// The occurrences of an element.
  struct Found {
    let meaning: Meaning
    let occurrences: [Occurrence]
    /// The document of all operations.
    let whole: ParsedText
    /// The scope of a variable.
    let scope: VariableScope?

    var sources: SourceMap { whole.document.sources }
  }

  /// Returns the occurrences of the element under the cursor in the project of the request, and in
  /// every other project that reads a file with one of them: it can have more in files of its own.
  static func inAllProjects(
    _ request: FeatureRequest, at position: TextPosition
  ) -> [(request: FeatureRequest, found: Found)] {
    var results: [(request: FeatureRequest, found: Found)] = []
    // One occurrence in each file of each project suffices to find the others.
    var places = [(path: request.path, offset: request.offset(of: position))]
    func search(_ request: FeatureRequest, at offset: Int) {
      guard let found = occurrences(request, at: offset) else { return }
      results.append((request, found))
      var files: Set<String> = []
      for occurrence in found.occurrences {
        let part = FilePart(occurrence.span, in: found.sources)
        guard files.insert(part.file).inserted else { continue }
        places.append((request.project.path(of: part.file), part.bytes.lowerBound))
      }
    }
    search(request, at: places[0].offset)
    let others = request.workspace.projects.filter { $0.root != request.project.root }
    var index = 0
    while index < places.count, results.count <= others.count {
      let place = places[index]
      index += 1
      for other in others where !results.contains(where: { $0.request.project.root == other.root })
      {
        guard let request = request.moved(to: place.path, in: other) else { continue }
        search(request, at: place.offset)
      }
    }
    return results
  }

  /// Returns the occurrences of the element at an offset of the file, the one there included.
  private static func occurrences(_ request: FeatureRequest, at offset: Int) -> Found? {
    let text = request.text
    guard let here = text.occurrence(at: offset) else { return nil }
    let part = FilePart(here.span, in: text.document.sources)
    let whole = request.operations
    var found: [Occurrence]
    var scope: VariableScope?
    switch here.meaning {
    case .variable(let name):
      guard let span = whole.span(of: part) else { return nil }
      let variable = VariableScope(name, usedAt: span, in: whole)
      found = variable.occurrences
      scope = variable
    case .alias:
      guard let span = whole.span(of: part) else { return nil }
      found = [Occurrence(meaning: here.meaning, span: span, isDefinition: true)]
    case .fragment, .operation, .fragmentVariable:
      found = whole.occurrences.filter { $0.meaning == here.meaning }
    case .type, .field, .inputValue, .enumValue, .directive:
      found = whole.occurrences.filter { $0.meaning == here.meaning }
      var search = OccurrenceSearch(whole.schema.document, whole.schema)
      for definition in whole.schema.document.definitions { search.visit(definition) }
      found = search.occurrences.filter { $0.meaning == here.meaning } + found
    }
    return Found(meaning: here.meaning, occurrences: found, whole: whole, scope: scope)
  }
}
