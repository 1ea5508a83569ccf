import GraphQLSchema
import GraphQLSyntax

/// A pair of fields that cannot be merged, with the reason and the nested fields that cause it.
struct Conflict {
  indirect enum Reason {
    case fields(MergeConflict)
    case subfields([(responseName: Symbol, reason: Reason)])
  }

  var responseName: Symbol
  var reason: Reason
  /// The first field, followed by the nested fields that cause the conflict.
  var firstFields: [Field.ID]
  /// The second field, followed by the nested fields that cause the conflict.
  var secondFields: [Field.ID]
}

extension Conflict {
  /// Returns the complete message.
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
