package import ApolloAPI

/// The identity of a reading: a selection set with the values of its variables.
package struct SelectionKey: Hashable, Sendable {
  private let selections: SelectionLayout
  private let schema: ObjectIdentifier
  /// The variables as text. They are compared as bytes: strings that only look alike are different.
  private let variables: String
  /// The hash of the text, which is computed once for all lookups.
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
