/// A change of lists or records that a field of a mutation or a subscription asks for, such as
/// `@appendEdge`.
package struct ListEdit: Hashable, Sendable {
  /// The directive, with its arguments about types.
  package enum Action: Hashable, Sendable {
    /// `@appendNode`, `@prependNode`: the type of the edges that are made of the objects, and the
    /// types of objects that these edges can have. `nil` if they can have all objects of the field.
    case insertNodes(edgeTypeName: String, nodeTypes: [String]? = nil, atEnd: Bool)
    /// `@appendEdge`, `@prependEdge`
    case insertEdges(atEnd: Bool)
    /// `@deleteRecord`, `@deleteEdge`: the type of the objects, if the field has identifiers.
    case delete(typeName: String?, alsoRecords: Bool)
  }

  package let action: Action
  /// The response keys that lead to the field.
  package let path: [String]
  /// The lists that the directive names.
  package let lists: [List]

  /// A list, or a variable with lists.
  package enum List: Hashable, Sendable {
    case constant(String)
    case variable(String)
  }

  /// The variables with lists.
  package var variables: [String] {
    lists.compactMap { if case .variable(let name) = $0 { name } else { nil } }
  }
}

/// A ``ListEdit`` of one occurrence of a field. Another occurrence may have none, or may be there
/// under other conditions.
struct ConditionalEdit {
  let edit: ListEdit
  /// The conditions of the occurrence that the field itself does not have.
  let conditions: [InclusionCondition]
}
