import GraphQLSchema
import GraphQLSyntax

/// Descriptions of elements of a schema for a client, and their signatures.
struct ElementDescription {
  let schema: Schema
  var markup = Markup.markdown

  /// The definition of an element on one line.
  func signature(of meaning: Meaning) -> String? {
    switch meaning {
    case .type(let id): signature(of: id)
    case .field(let id):
      "\(schema.coordinate(of: id))\(arguments(schema[id].arguments)): "
        + schema.spelling(schema[id].type)
    case .inputValue(let id): "\(schema.coordinate(of: id)): \(typeAndDefault(of: id))"
    case .enumValue(let id): schema.coordinate(of: id)
    case .directive(let id): signature(of: id)
    case .alias(let name, let field?):
      "\(name): \(schema.coordinate(of: field)): \(schema.spelling(schema[field].type))"
    case .fragment, .operation, .variable, .fragmentVariable, .alias: nil
    }
  }

  private func signature(of id: Schema.NamedType.ID) -> String {
    let type = schema[id]
    var text = "\(schema.spelling(type.kind.keyword)) \(schema.spelling(type.name))"
    if type.isOneOf { text += " @oneOf" }
    let interfaces = schema[type.interfaces].map { schema.name(of: $0.type) }
    if !interfaces.isEmpty { text += " implements \(interfaces.joined(separator: " & "))" }
    let members = schema[type.members].map { schema.name(of: $0.type) }
    if !members.isEmpty { text += " = \(members.joined(separator: " | "))" }
    return text
  }

  private func signature(of id: Schema.DirectiveDefinition.ID) -> String {
    let directive = schema[id]
    let locations = DirectiveLocation.allCases.filter(directive.locations.contains)
    return "directive @\(schema.spelling(directive.name))\(arguments(directive.arguments))"
      + (directive.isDeprecated ? " @deprecated" : "")
      + (directive.isRepeatable ? " repeatable" : "")
      + " on \(locations.map { schema.spelling($0.symbol) }.joined(separator: " | "))"
  }

  private func arguments(_ list: NodeList<Schema.InputValue>) -> String {
    guard !list.isEmpty else { return "" }
    let texts = list.map { "\(schema.spelling(schema[$0].name)): \(typeAndDefault(of: $0))" }
    return "(\(texts.joined(separator: ", ")))"
  }

  private func typeAndDefault(of id: Schema.InputValue.ID) -> String {
    let value = schema.defaultValue(of: id).map { " = \(schema.document.text(of: $0.span))" } ?? ""
    return schema.spelling(schema[id].type) + value
  }

  /// The description that the schema has of an element.
  func description(of meaning: Meaning) -> String? {
    switch meaning {
    case .type(let id): schema.description(of: id)
    case .field(let id), .alias(_, let id?): schema.description(of: id)
    case .inputValue(let id): schema.description(of: id)
    case .enumValue(let id): schema.description(of: id)
    case .directive(let id): schema.description(of: id)
    case .fragment, .operation, .variable, .fragmentVariable, .alias: nil
    }
  }

  /// The reason for which an element is deprecated, or `nil` if it is not.
  func deprecation(of meaning: Meaning) -> String? {
    switch meaning {
    case .field(let id), .alias(_, let id?):
      schema[id].isDeprecated ? schema.deprecationReason(in: schema.directives(of: id)) : nil
    case .inputValue(let id):
      schema[id].isDeprecated ? schema.deprecationReason(in: schema.directives(of: id)) : nil
    case .enumValue(let id):
      schema[id].isDeprecated ? schema.deprecationReason(in: schema.directives(of: id)) : nil
    case .directive(let id):
      schema[id].isDeprecated ? schema.deprecationReason(in: schema.directives(of: id)) : nil
    case .type, .fragment, .operation, .variable, .fragmentVariable, .alias: nil
    }
  }

  /// The directives for the cache that concern an element, as they are written.
  func cachePolicies(of meaning: Meaning) -> [String] {
    switch meaning {
    case .type(let id):
      texts(schema.directives(of: id)) { name, _ in ["typePolicy", "cacheControl"].contains(name) }
    case .field(let id), .alias(_, let id?):
      texts(schema.directives(of: id)) { name, _ in name == "cacheControl" }
        + texts(schema.directives(of: schema[id].owner)) { name, directive in
          let key = name == "fieldPolicy" ? "forField" : name == "cacheControlField" ? "name" : nil
          let argument = key.flatMap { schema.names.symbol(for: $0) }
          return argument.flatMap { schema.string($0, of: directive) }
            == schema.spelling(schema[id].name)
        }
    default: []
    }
  }

  private func texts(
    _ directives: some Sequence<Directive>, where isWanted: (String, Directive) -> Bool
  ) -> [String] {
    directives.filter { isWanted(schema.spelling($0.name.symbol), $0) }.map {
      schema.document.text(of: $0.span)
    }
  }

  /// The URL of the specification of a scalar.
  func specification(of meaning: Meaning) -> String? {
    if case .type(let id) = meaning { schema.specifiedByURL(of: id) } else { nil }
  }

  /// Everything about an element, in the format ``markup``.
  func text(of meaning: Meaning) -> String? {
    guard let signature = signature(of: meaning) else { return nil }
    var parts = [markup.block(signature)]
    if let reason = deprecation(of: meaning) {
      parts.append("\(markup.strong("Deprecated")): \(reason)")
    }
    if let description = description(of: meaning), !description.isEmpty {
      parts.append(description)
    }
    parts += cachePolicies(of: meaning).map { "Cache policy: \(markup.code($0))" }
    if let url = specification(of: meaning) { parts.append("Specification: \(markup.link(url))") }
    return parts.joined(separator: "\n\n")
  }
}
