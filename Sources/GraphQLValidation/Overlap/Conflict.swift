import GraphQLSchema
import GraphQLSyntax

/// Two fields that cannot be merged, and why; with the fields below them that are the cause.
struct Conflict {
  indirect enum Reason {
    case fields(MergeConflict)
    case subfields([(responseName: Symbol, reason: Reason)])
  }

  var responseName: Symbol
  var reason: Reason
  /// The first field, then those below it that matter.
  var firstFields: [Field.ID]
  /// The second field, then those below it that matter.
  var secondFields: [Field.ID]
}

extension Conflict {
  /// The whole sentence.
  func message(_ document: Document, _ schema: Schema) -> String {
    "Fields \"\(document.spelling(responseName))\" conflict because "
      + "\(reason.description(document, schema)). "
      + "Use different aliases on the fields to fetch both if this was intentional."
  }
}

extension Conflict.Reason {
  fileprivate func description(_ document: Document, _ schema: Schema) -> String {
    switch self {
    case .fields(let conflict): conflict.description(document, schema)
    case .subfields(let parts):
      parts.map { part in
        "subfields \"\(document.spelling(part.responseName))\" conflict because "
          + part.reason.description(document, schema)
      }.joined(separator: " and ")
    }
  }
}
