import ApolloCodegenLib
import GraphQLSchema
import GraphQLSyntax

/// `textDocument/completion`: the names that can occur at the cursor.
enum Completions {
  /// The kinds of items of the protocol.
  private enum Kind: Int {
    case function = 3
    case field = 5
    case variable = 6
    case interface = 8
    case property = 10
    case value = 12
    case enumeration = 13
    case keyword = 14
    case reference = 18
    case enumMember = 20
    case structure = 22
    case event = 23
  }

  /// A name that can be inserted.
  private struct Candidate {
    var label: String
    var kind: Kind
    var detail = ""
    var meaning: Meaning?
  }

  /// The number of candidates above which only those with the written prefix are sent, and none
  /// with its description.
  private static let maximumCount = 200

  static func items(_ request: FeatureRequest, at position: TextPosition) -> JSONOutput {
    let context = CompletionContext(
      request.source, at: request.offset(of: position), request.schema
    ) { fragment in
      let document = request.operations.document
      let definition = document.fragments.first { document.spelling($0.name) == fragment }
      return (definition.map { document[$0.variables] } ?? []).map {
        CompletionContext.FragmentVariable(
          name: document.spelling($0.name), text: document.description(of: $0.type),
          type: request.schema.resolve($0.type))
      }
    }
    var candidates = candidates(for: context, request)
    let isLong = candidates.count > maximumCount
    if isLong, !context.replaced.isEmpty {
      let prefix = String(decoding: request.buffer.bytes[context.replaced], as: UTF8.self)
        .lowercased()
      candidates.removeAll { !$0.label.lowercased().hasPrefix(prefix) }
    }
    let description = ElementDescription(
      schema: request.schema, markup: request.workspace.completionMarkup)
    let range = request.range(context.replaced).json
    let items = candidates.enumerated().map { index, candidate in
      item(candidate, index, range, candidates.count > maximumCount ? nil : description)
    }
    return .object([("isIncomplete", .boolean(isLong)), ("items", .array(items))])
  }

  private static func item(
    _ candidate: Candidate, _ index: Int, _ range: JSONOutput, _ description: ElementDescription?
  ) -> JSONOutput {
    let order = String(index)
    var members: [(String, JSONOutput)] = [
      ("label", .string(candidate.label)),
      ("kind", .number(candidate.kind.rawValue)),
      ("sortText", .string(String(repeating: "0", count: max(0, 5 - order.count)) + order)),
      (
        "textEdit",
        .object([("range", range), ("newText", .string(candidate.label))])
      ),
    ]
    if !candidate.detail.isEmpty { members.append(("detail", .string(candidate.detail))) }
    if let description, let meaning = candidate.meaning {
      if description.deprecation(of: meaning) != nil {
        members.append(("tags", .array([.number(1)])))
      }
      if let text = description.text(of: meaning) {
        members.append(("documentation", description.markup.content(text)))
      }
    }
    return .object(members)
  }
}

// MARK: - Candidates

extension Completions {
  private static func candidates(
    for context: CompletionContext, _ request: FeatureRequest
  ) -> [Candidate] {
    let schema = request.schema
    switch context.expectation {
    case .nothing: return []
    case .definition: return keywords(request)
    case .extendedDefinition:
      return schemaKeywords.filter {
        $0 != "extend" && ($0 != "directive" || schema.hasDeprecatedDirectives)
      }.map { Candidate(label: $0, kind: .keyword) }
    case .selection(let type): return type.map { fields(of: $0, schema) } ?? []
    case .spread(let type):
      return [Candidate(label: "on", kind: .keyword)] + fragments(in: type, request)
    case .condition(let type):
      return types(schema) { id, type2 in
        type2.kind.isComposite && type.map { schema.doTypesOverlap($0, id) } ?? true
      }
    case .argument(let list, let names): return inputValues(list, besides: names, schema, .field)
    case .fragmentVariable(let variables, let names):
      return variables.filter { !names.contains($0.name) }.map {
        Candidate(label: $0.name, kind: .variable, detail: $0.text)
      }
    case .inputField(let type, let names):
      return inputValues(schema[type].inputFields, besides: names, schema, .property)
    case .value(let type):
      return values(of: type, schema) + variables(context, for: type, request, prefix: "$")
    case .variable(let type): return variables(context, for: type, request, prefix: "")
    case .inputType: return types(schema) { $1.kind.isInput }
    case .outputType: return types(schema) { $1.kind.isOutput }
    case .directiveLocation:
      return DirectiveLocation.allCases.filter {
        $0 != .directiveDefinition || schema.hasDeprecatedDirectives
      }.map {
        Candidate(label: name(of: $0), kind: .enumMember)
      }
    case .directive(let location):
      return schema.effectiveDirectives.filter { schema[$0].locations.contains(location) }.map {
        Candidate(label: schema.spelling(schema[$0].name), kind: .event, meaning: .directive($0))
      }
    }
  }

  /// Returns the name of a place for directives, such as `INPUT_FIELD_DEFINITION`.
  private static func name(of location: DirectiveLocation) -> String {
    "\(location)".reduce(into: "") { name, letter in
      if letter.isUppercase { name += "_" }
      name += letter.uppercased()
    }
  }

  private static let schemaKeywords = [
    "type", "interface", "input", "enum", "union", "scalar", "directive", "extend", "schema",
  ]

  private static func keywords(_ request: FeatureRequest) -> [Candidate] {
    let isSchema = request.project.isSchema(request.path)
    var words: [String] = []
    // A file can be both.
    if !isSchema || request.project.file(at: request.path) != nil {
      words += ["query", "mutation", "subscription", "fragment"]
    }
    if isSchema { words += schemaKeywords }
    return words.map { Candidate(label: $0, kind: .keyword) }
  }

  private static func fields(of type: Schema.NamedType.ID, _ schema: Schema) -> [Candidate] {
    let own = schema[type].fields.map { field in
      Candidate(
        label: schema.spelling(schema[field].name), kind: .field,
        detail: schema.spelling(schema[field].type), meaning: .field(field))
    }
    let typename = schema.field(.typename, of: type).map {
      [
        Candidate(
          label: "__typename", kind: .field, detail: schema.spelling(schema[$0].type),
          meaning: .field($0))
      ]
    }
    return own + (typename ?? [])
  }

  private static func fragments(
    in type: Schema.NamedType.ID?, _ request: FeatureRequest
  ) -> [Candidate] {
    let schema = request.schema
    let candidates = request.project.files.flatMap(\.index.definitions).compactMap {
      definition -> Candidate? in
      guard let name = definition.fragment, let condition = definition.typeCondition else {
        return nil
      }
      if let type, let other = schema.type(named: condition),
        schema[other].kind.isComposite, !schema.doTypesOverlap(type, other)
      {
        return nil
      }
      return Candidate(label: name, kind: .reference, detail: "on \(condition)")
    }
    return candidates.sorted { $0.label < $1.label }
  }

  private static func types(
    _ schema: Schema, where isWanted: (Schema.NamedType.ID, Schema.NamedType) -> Bool
  ) -> [Candidate] {
    let defined = Set(schema.definedTypes)
    let ofProgram = Set(ClientDirectives.typesOfProgram(in: schema))
    let ids = schema.types.indices.map { Schema.NamedType.ID(rawValue: UInt32($0)) }
    // The names of introspection begin with two underscores.
    let wanted = ids.filter { !defined.contains($0) || ofProgram.contains($0) }.filter {
      isWanted($0, schema[$0]) && !schema.names.isReserved(schema[$0].name)
    }
    return wanted.map { id in
      let kind: Kind =
        switch schema[id].kind {
        case .enum: .enumeration
        case .interface, .union: .interface
        case .object, .inputObject, .scalar: .structure
        }
      return Candidate(
        label: schema.name(of: id), kind: kind,
        detail: schema.spelling(schema[id].kind.keyword), meaning: .type(id))
    }.sorted { $0.label < $1.label }
  }

  private static func inputValues(
    _ list: NodeList<Schema.InputValue>, besides names: Set<String>, _ schema: Schema, _ kind: Kind
  ) -> [Candidate] {
    list.compactMap { id in
      let name = schema.spelling(schema[id].name)
      guard !names.contains(name) else { return nil }
      return Candidate(
        label: name, kind: kind, detail: schema.spelling(schema[id].type),
        meaning: .inputValue(id))
    }
  }

  private static func values(of type: ResolvedType?, _ schema: Schema) -> [Candidate] {
    guard let type else { return [] }
    var candidates = schema[type.namedType].enumValues.map {
      Candidate(label: schema.spelling(schema[$0].name), kind: .enumMember, meaning: .enumValue($0))
    }
    if schema[type.namedType].name == .boolean {
      candidates += ["true", "false"].map { Candidate(label: $0, kind: .value) }
    }
    if !type.isNonNull { candidates.append(Candidate(label: "null", kind: .value)) }
    return candidates
  }

  private static func variables(
    _ context: CompletionContext, for type: ResolvedType?, _ request: FeatureRequest,
    prefix: String
  ) -> [Candidate] {
    let schema = request.schema
    // A variable that can be null is offered where that is not allowed: its type is easy to
    // correct.
    let expected = type.map { schema.spelling($0).filter { $0 != "!" } }
    return (context.variables + variablesOfOperations(context, request)).filter { variable in
      let type = variable.type.filter { $0 != "!" }
      return expected == nil || type == expected || type.isEmpty
    }
    .map { Candidate(label: prefix + $0.name, kind: .variable, detail: $0.type) }
  }

  /// Returns the variables of the operations that spread the fragment around the cursor, without
  /// those that it declares itself.
  private static func variablesOfOperations(
    _ context: CompletionContext, _ request: FeatureRequest
  ) -> [(name: String, type: String)] {
    guard let fragment = context.fragment else { return [] }
    let document = request.operations.document
    guard let symbol = document.names.symbol(for: fragment) else { return [] }
    let spreads = SpreadGraph(document)
    var names = Set(context.variables.map { $0.name })
    var found: [(name: String, type: String)] = []
    for case .operation(let id) in document.definitions
    where spreads.reaches(symbol, from: .operation(id)) {
      for variable in document[document[id].variables] {
        let name = document.spelling(variable.name)
        guard names.insert(name).inserted else { continue }
        found.append((name, document.description(of: variable.type)))
      }
    }
    return found
  }
}
