import GraphQLSyntax

/// The fields of an operation whose accessors no Swift source of its projects uses, as hints.
///
/// A field that identifies its object is used by the cache. The fields of an object whose accessor
/// is not used are not looked at.
enum UnusedFields {
  /// Returns the hints for a file.
  ///
  /// - Parameters:
  ///   - request: The request about the file.
  ///   - names: The names that each project with the file uses. A project without Swift sources can
  ///     be used by those of another package, so that there are no hints then.
  /// - Returns: The hints as an array of `Diagnostic`.
  static func items(_ request: FeatureRequest, _ names: [SwiftNameIndex]) -> [JSONOutput] {
    guard !names.isEmpty, !names.contains(where: \.isEmpty) else { return [] }
    let text = request.text
    guard !text.isSchema else { return [] }
    var positions = PositionCounter(request.buffer, request.encoding)
    return fields(text, names).map { name, span in
      .object([
        ("range", positions.range(of: text.bytes(of: span)).json),
        ("severity", .number(4)),
        ("code", .string("UnusedFields")),
        ("source", .string("apollo")),
        ("message", .string("No Swift source of the project uses '\(name)'.")),
        ("tags", .array([.number(1)])),
      ])
    }
  }

  /// Returns the response names of unused fields and their places, in the order of the text.
  private static func fields(
    _ text: ParsedText, _ names: [SwiftNameIndex]
  ) -> [(name: String, span: SourceSpan)] {
    let document = text.document
    var found: [(name: String, span: SourceSpan)] = []
    var sets: [SelectionSet] = text.definitions.compactMap { definition in
      switch definition {
      case .operation(let id): document[id].selectionSet
      case .fragment(let id): document[id].selectionSet
      case .schema, .type, .directive: nil
      }
    }
    while let set = sets.popLast() {
      for selection in document[set.selections] {
        switch selection {
        case .field(let id):
          let field = document[id]
          let name = document.spelling(field.responseName)
          if ["id", "_id", "__typename"].contains(name) { continue }
          if names.contains(where: { $0.contains(name) }) {
            if let inner = field.selectionSet { sets.append(inner) }
          } else {
            found.append((name, field.alias?.span ?? field.name.span))
          }
        case .inlineFragment(let id): sets.append(document[id].selectionSet)
        case .fragmentSpread: break
        }
      }
    }
    return found.sorted { $0.span.start < $1.span.start }
  }
}
