package import GraphQLSchema
package import GraphQLSyntax

extension SchemaView {
  /// Returns whether a directive is for the client alone. A `@cacheControl` is for the server, too,
  /// if its schema allows the directive there.
  func isOfClient(
    _ directive: GraphQLSyntax.Directive, at location: DirectiveLocation, in document: Document
  ) -> Bool {
    let name = document.spelling(directive.name)
    if ClientDirective.all.contains(name) || nullability[directive]?.isOfDocuments == true {
      return true
    }
    if schema.isConnection(directive, in: document) || schema.isListEdit(directive, in: document) {
      return true
    }
    guard name == ClientDirective.cacheControl else { return false }
    return !allowsDirective(directive.name.symbol, at: location)
  }
}

extension Document {
  /// Removes the directives for the client from operations and fragments, and the variables that
  /// only they use.
  ///
  /// - Parameter schema: The schema that the document is valid for.
  package mutating func removeClientDirectives(_ schema: Schema) {
    let view = SchemaView(schema)
    let source = self
    for index in operations.indices {
      let id = GraphQLSyntax.OperationDefinition.ID(rawValue: UInt32(index))
      removeVariables(source.variablesOfListEdits(in: source[id].selectionSet, schema), of: id)
    }
    removeExecutableDirectives { view.isOfClient($0, at: $1, in: source) }
  }
}
