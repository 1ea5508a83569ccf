import GraphQLSchema
import GraphQLSyntax

extension SchemaView {
  /// The rules of `@cacheControl` on composite types and their fields, and of `@cacheControlField`.
  ///
  /// If a field has several rules, its own `@cacheControl` counts, then the first
  /// `@cacheControlField`.
  var maxAges: [CacheControl] {
    var rules: [CacheControl] = []
    let names = schema.names
    let relevant = ["cacheControl", "cacheControlField"].compactMap(names.symbol(for:))
    guard !relevant.isEmpty else { return rules }
    for id in schema.definedTypes where schema[id].kind.isComposite {
      let directives = schema.directives(of: id)
      let typename = name(of: id)
      if let rule = maxAge(of: typename, directives) { rules.append(rule) }
      var known: Set<String> = []
      for field in schema[id].fields {
        let directives = schema.directives(of: field)
        guard directives.contains(where: { relevant.contains($0.name.symbol) }) else { continue }
        let coordinate = "\(typename).\(schema.spelling(schema[field].name))"
        guard let rule = maxAge(of: coordinate, directives) else { continue }
        known.insert(coordinate)
        rules.append(rule)
      }
      for directive in directives
      where schema.document.spelling(directive.name) == "cacheControlField" {
        guard case let field? = Self.stringArgument("name", of: directive, schema),
          let rule = maxAge(of: "\(typename).\(field)", directive),
          known.insert(rule.coordinate).inserted
        else { continue }
        rules.append(rule)
      }
    }
    return rules
  }

  private func maxAge(
    of coordinate: String, _ directives: some Sequence<GraphQLSyntax.Directive>
  ) -> CacheControl? {
    for directive in directives where schema.document.spelling(directive.name) == "cacheControl" {
      return maxAge(of: coordinate, directive)
    }
    return nil
  }

  /// Returns the rule of the `@cacheControl` in a document, or `nil` if there is none.
  func maxAge(
    _ directives: GraphQLSyntax.Directive.List, in document: Document
  ) -> MaxAgeRule? {
    for directive in document[directives]
    where document.spelling(directive.name) == ClientDirective.cacheControl {
      for argument in document[directive.arguments] {
        switch (document.spelling(argument.name), argument.value.content) {
        case ("maxAge", .int):
          guard let seconds = Int32(document.text(of: argument.value.span)) else { continue }
          return .seconds(max(0, seconds))
        case ("inheritMaxAge", .boolean(true)): return .inherited
        default: continue
        }
      }
    }
    return nil
  }

  /// Returns the rule of a directive, or `nil` if it only says who may see the data (`scope`).
  private func maxAge(
    of coordinate: String, _ directive: GraphQLSyntax.Directive
  ) -> CacheControl? {
    let document = schema.document
    for argument in document[directive.arguments] {
      switch (document.spelling(argument.name), argument.value.content) {
      case ("maxAge", .int):
        guard let seconds = Int32(document.text(of: argument.value.span)) else { continue }
        return CacheControl(coordinate: coordinate, seconds: max(0, seconds))
      case ("inheritMaxAge", .boolean(true)):
        return CacheControl(coordinate: coordinate, seconds: nil)
      default: continue
      }
    }
    return nil
  }
}
