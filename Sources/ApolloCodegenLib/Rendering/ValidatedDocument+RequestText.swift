import ApolloIR
package import GraphQLSyntax
package import GraphQLValidation

extension ValidatedDocument {
  /// Returns the text of an operation and of its fragments for a server: what is written, without
  /// descriptions, directives for the client, and the variables that only those use.
  ///
  /// The text in generated code also has the fields that a cache needs.
  package func requestText(of operation: GraphQLSyntax.OperationDefinition.ID) -> String {
    var document = document
    document.removeClientDirectives(schema)
    document.removeExecutableDescriptions()
    let fragments = fragments(usedBy: operation).map(GraphQLSyntax.Definition.fragment)
    return document.printed([.operation(operation)] + fragments)
  }

  /// Returns the names of the variables that ``requestText(of:)`` leaves out.
  package func variablesForClient(
    of operation: GraphQLSyntax.OperationDefinition.ID
  ) -> Set<String> {
    let names = document.variablesOfListEdits(in: document[operation].selectionSet, schema)
    return Set(names.map { document.spelling($0) })
  }
}
