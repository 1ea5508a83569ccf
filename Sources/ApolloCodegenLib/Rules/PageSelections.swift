import ApolloIR
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// Warns about fields of merged lists that do not select what a page consists of.
///
/// The cache keeps the data of such a field as a value of its own: it is not shown with the pages
/// of the list. Fields without items, such as those that only count, are not meant to be.
struct PageSelections {
  let valid: ValidatedDocument
  let severity: Diagnostic.Severity
  /// The fields that a policy of the schema makes connections.
  let connections: Set<Schema.Field.ID>

  /// Returns a warning for each such field, in the order of the document.
  ///
  /// - Parameters:
  ///   - document: The operations.
  ///   - configuration: The configuration, which can give the rule a severity.
  /// - Returns: The warnings.
  static func diagnostics(
    _ document: ValidatedDocument, _ configuration: ApolloCodegenConfiguration
  ) -> [Diagnostic] {
    let severity =
      RuleSeverities(configuration.ruleSeverities).severity(of: .mergedPages) ?? .warning
    guard let severity = severity.diagnosticSeverity else { return [] }
    let search = PageSelections(document, severity)
    let fields = document.document.fields.indices.map {
      GraphQLSyntax.Field.ID(rawValue: UInt32($0))
    }
    return fields.compactMap(search.diagnostic(of:)) + search.insertions(by: fields)
  }

  private init(_ document: ValidatedDocument, _ severity: Diagnostic.Severity) {
    valid = document
    self.severity = severity
    let schema = document.schema
    var connections: Set<Schema.Field.ID> = []
    for index in schema.types.indices {
      let type = Schema.NamedType.ID(rawValue: UInt32(index))
      for name in schema.connectionFields(of: type) {
        guard let field = schema.names.symbol(for: name).flatMap({ schema.ownField($0, of: type) })
        else { continue }
        connections.insert(field)
      }
    }
    self.connections = connections
  }

  private func diagnostic(of id: GraphQLSyntax.Field.ID) -> Diagnostic? {
    let document = valid.document
    let field = document[id]
    guard let set = field.selectionSet, let definition = valid.types.definition(of: id),
      isConnection(field, definition)
    else { return nil }
    let contents = fields(of: set)
    let name = document.spelling(field.name)
    guard contents["edges"] != nil || contents["nodes"] != nil else { return nil }
    var missing: [String] = []
    if let edges = contents["edges"], contents["nodes"] == nil,
      !edges.contains(where: { fields(of: $0)["node"] != nil })
    {
      missing.append("edges { node }")
    }
    let info = (contents["pageInfo"] ?? []).map { Set(fields(of: $0).keys) }
    let ends = ends(of: field)
    if !ends.contains(where: { end in info.contains { $0.isSuperset(of: end) } }) {
      missing.append("pageInfo { \(ends[0].joined(separator: " ")) }")
    }
    guard !missing.isEmpty else { return nil }
    return Diagnostic(
      rule: .mergedPages, severity: severity,
      message: "This page of the merged list '\(name)' is kept apart from the others, because it "
        + "lacks '\(missing.joined(separator: "' and '"))'. Select what is missing, or set the rule "
        + "'\(Diagnostic.Rule.mergedPages.rawValue)' to 'off'.",
      at: field.name.span)
  }

  func isConnection(_ field: GraphQLSyntax.Field, _ definition: Schema.Field.ID) -> Bool {
    connections.contains(definition)
      || valid.document[field.directives].contains {
        valid.schema.isConnection($0, in: valid.document)
      }
  }

  /// The fields of `pageInfo` of which a page needs one set, the likeliest first.
  private func ends(of field: GraphQLSyntax.Field) -> [[String]] {
    let names = Set(valid.document[field.arguments].map { valid.document.spelling($0.name) })
    let isBackward = !names.isDisjoint(with: ["last", "before"])
    let isForward = !isBackward || !names.isDisjoint(with: ["first", "after"])
    return (isForward ? [["endCursor", "hasNextPage"]] : [])
      + (isBackward ? [["startCursor", "hasPreviousPage"]] : [])
  }

  /// Returns the fields of objects by their names, with their selection sets. Parts that may come
  /// later do not count.
  ///
  /// - Parameters:
  ///   - set: The selections.
  ///   - types: The types of the objects, or `nil` for all that the declared type has.
  /// - Returns: The fields that objects of each of the types have.
  func fields(
    of set: GraphQLSyntax.SelectionSet, on types: [Schema.NamedType.ID]? = nil
  ) -> [String: [GraphQLSyntax.SelectionSet]] {
    var found: [String: [GraphQLSyntax.SelectionSet]] = [:]
    var visited: Set<FragmentDefinition.ID> = []
    let types =
      types ?? valid.types.parentType(of: set).map { Array(valid.schema.possibleTypes(of: $0)) }
    var pending = [set]
    func append(_ part: GraphQLSyntax.SelectionSet, _ directives: GraphQLSyntax.Directive.List) {
      let isDeferred = valid.document[directives].contains {
        valid.document.spelling($0.name) == "defer"
      }
      guard !isDeferred, applies(part, to: types) else { return }
      pending.append(part)
    }
    while let next = pending.popLast() {
      for selection in next.selections {
        switch valid.document[selection] {
        case .field(let id):
          let field = valid.document[id]
          let sets = field.selectionSet.map { [$0] } ?? []
          found[valid.document.spelling(field.name), default: []] += sets
        case .inlineFragment(let id):
          let fragment = valid.document[id]
          append(fragment.selectionSet, fragment.directives)
        case .fragmentSpread(let id):
          let spread = valid.document[id]
          guard let fragment = valid.fragment(named: spread.name.symbol),
            visited.insert(fragment).inserted
          else { continue }
          append(valid.document[fragment].selectionSet, spread.directives)
        }
      }
    }
    return found
  }

  /// Returns whether a part applies to all objects of some types.
  private func applies(
    _ part: GraphQLSyntax.SelectionSet, to types: [Schema.NamedType.ID]?
  ) -> Bool {
    guard let types, let condition = valid.types.parentType(of: part) else { return true }
    return types.allSatisfy { valid.schema.doTypesOverlap($0, condition) }
  }
}

extension Schema {
  /// Returns the fields that `@typePolicy` names as connections, without those that have pages of
  /// another kind.
  fileprivate func connectionFields(of type: NamedType.ID) -> [String] {
    func text(_ name: String, of directive: GraphQLSyntax.Directive) -> String? {
      for argument in document[directive.arguments] where document.spelling(argument.name) == name {
        if case .string(let literal) = argument.value.content { return document.string(literal) }
      }
      return nil
    }
    let directives = Array(self.directives(of: type))
    let others = directives.filter {
      document.spelling($0.name) == "fieldPolicy" && text("paginationArgs", of: $0) != nil
    }.compactMap { text("forField", of: $0) }
    return directives.filter { document.spelling($0.name) == "typePolicy" }
      .compactMap { text("connectionFields", of: $0) }
      .flatMap(PolicyRules.names(in:))
      .filter { !others.contains($0) }
  }
}
