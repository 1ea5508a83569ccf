/// A change of lists or records that a field of a mutation or a subscription asks for, such as
/// `@appendEdge`.
package struct ListEdit: Hashable, Sendable {
  /// The directive.
  package enum Action: String, CaseIterable, Sendable {
    case appendNode
    case prependNode
    case appendEdge
    case prependEdge
    case deleteRecord
    case deleteEdge
  }

  package let action: Action
  /// The response keys that lead to the field.
  package let path: [String]
  /// The type of the edges that are made of nodes.
  package let edgeTypeName: String?
  /// The type of the objects whose identifiers the field has.
  package let typeName: String?
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
