package import GraphQLSchema
package import GraphQLSyntax

/// The way in which the pages of a list belong together.
package struct ListPolicy: Hashable, Sendable {
  package var field: String
  /// The arguments that select a page; `nil` for a connection.
  package var pageArguments: [String]?
  /// The arguments that select another list, or `nil` for all others.
  package var keyArguments: [String]?

  /// The first word of its description in generated code, and the arguments.
  package var words: [String] {
    guard let pageArguments else { return ["connection"] }
    return [numbersPages ? "page" : "offset"] + pageArguments
  }

  /// Indicates whether pages have numbers. Their first argument is called so.
  package var numbersPages: Bool {
    pageArguments.map { $0.count == 2 && $0[0].lowercased().hasPrefix("page") } ?? false
  }
}

/// A `@connection(key: "Shop_products", filters: ["category"])` in a document.
package struct ConnectionDirective: Hashable, Sendable {
  package var key: String?
  package var filters: [String]?
}

extension SchemaView {
  /// Reads `@typePolicy(connectionFields:)` and each `@fieldPolicy` for one of these fields or with
  /// `paginationArgs:`, sorted by field. If a field has several, the first applies.
  func listPolicies(of type: Schema.NamedType.ID) -> [ListPolicy] {
    var policies: [String: ListPolicy] = [:]
    for field in connectionFields(of: type) { policies[field] = ListPolicy(field: field) }
    var seen: Set<String> = []
    for directive in schema.directives(of: type)
    where schema.document.spelling(directive.name) == "fieldPolicy" {
      guard let field = Self.stringArgument("forField", of: directive, schema) else { continue }
      let pages = Self.stringArgument("paginationArgs", of: directive, schema)
      guard policies[field] != nil || pages != nil, seen.insert(field).inserted else { continue }
      var policy = policies[field] ?? ListPolicy(field: field)
      policy.pageArguments = pages.map { Self.names(in: $0) }
      policy.keyArguments = Self.stringArgument("keyArgs", of: directive, schema).map {
        Self.names(in: $0)
      }
      policies[field] = policy
    }
    return policies.values.sorted { $0.field < $1.field }
  }

  private func connectionFields(of type: Schema.NamedType.ID) -> [String] {
    let text = Self.stringArgument(
      "connectionFields", of: "typePolicy", in: schema.directives(of: type), schema)
    return text.map { Self.names(in: $0) } ?? []
  }

  /// Returns the `@connection` among the directives of a field, or `nil` if there is none.
  func connection(
    _ directives: GraphQLSyntax.Directive.List, in document: Document
  ) -> ConnectionDirective? {
    for directive in document[directives] where schema.isConnection(directive, in: document) {
      var connection = ConnectionDirective()
      for argument in document[directive.arguments] {
        switch (document.spelling(argument.name), argument.value.content) {
        case ("key", .string(let literal)): connection.key = document.string(literal)
        case ("filters", .list(let items)):
          connection.filters = document[items].compactMap { item in
            if case .string(let literal) = item.content { document.string(literal) } else { nil }
          }
        case ("filters", .string(let literal)): connection.filters = [document.string(literal)]
        default: continue
        }
      }
      return connection
    }
    return nil
  }
}

extension Schema {
  /// Returns whether a directive is the `@connection` for the client. One that a schema defines
  /// with other arguments is the server's.
  package func isConnection(_ directive: GraphQLSyntax.Directive, in document: Document) -> Bool {
    guard document.spelling(directive.name) == "connection",
      let definition = self.directive(named: directive.name.symbol)
    else { return false }
    let arguments = inputValues[self[definition].arguments.indices]
    let names = Set(arguments.map { spelling($0.name) })
    return names.contains("key") && names.isSubset(of: ["key", "filters", "handler"])
  }
}
