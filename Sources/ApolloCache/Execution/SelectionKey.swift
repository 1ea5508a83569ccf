package import ApolloAPI

/// One selection set with the values of its variables: what two equal readings have in common.
package struct SelectionKey: Hashable, Sendable {
  private let selections: SelectionLayout
  private let schema: ObjectIdentifier
  /// As text, and compared as bytes: strings that only look alike are different arguments.
  private let variables: String
  /// Of the text, which is hashed once for all look-ups.
  private let hash: UInt64

  package init(
    _ selections: SelectionLayout, schema: any SchemaMetadata.Type, variables: Variables?
  ) {
    self.selections = selections
    self.schema = ObjectIdentifier(schema)
    self.variables = variables?.distinctiveText ?? ""
    hash = KeyHash.hash(self.variables)
  }

  package static func == (left: SelectionKey, right: SelectionKey) -> Bool {
    left.selections == right.selections && left.schema == right.schema
      && left.variables.hasSameBytes(as: right.variables)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(selections)
    hasher.combine(schema)
    hasher.combine(hash)
  }
}
