package import GraphQLSchema
import GraphQLSyntax

/// Writes the text of a definition as it is sent to a server.
///
/// It is on one line, with `__typename` and key fields added, and without directives for the
/// client. It is the text that Apollo iOS sends, down to the blanks, so that servers which know
/// operations by the hashes of their texts know these.
///
/// There are two exceptions:
///
/// - A `__typename` with an alias or a directive, which Apollo iOS takes for the added one and
///   strips of both. Here it stays, for the property that shows it and for the variable that it
///   uses, and another one is added.
/// - A fragment on the root type of subscriptions, to which Apollo iOS adds `__typename`. Here it
///   has none, because servers refuse a second field.
struct DocumentText {
  private let document: Document
  private let schema: SchemaView
  /// Adds `__typename` to inline fragments too, except at the root of a subscription, and omits
  /// what the source has of it, if `true`. One with an alias or a directive stays, and so does one
  /// at the root of an operation, where none is added.
  private let isLegacy: Bool
  /// The text so far.
  private(set) var text = ""
  /// The names of the fragments that are spread, in order of appearance.
  private(set) var spreads: [Symbol] = []
  /// The parts of the source that the text comes from, in the order of the text.
  private(set) var marks: [Mark] = []

  /// The beginning of a part of the text.
  struct Mark {
    /// The offset in the text, in bytes.
    var offset: Int
    /// The span in the source. That of an added field is the name of the field or type that it is
    /// added to.
    var span: SourceSpan
    /// The field that is added to the source, or `nil` if the part is written there.
    var addedField: String?
    /// The type that the field is added to.
    var type: Schema.NamedType.ID?
  }

  private init(_ document: Document, _ schema: SchemaView, isLegacy: Bool) {
    self.document = document
    self.schema = schema
    self.isLegacy = isLegacy
  }

  // MARK: - Definitions

  static func text(
    of operation: GraphQLSyntax.OperationDefinition, root: Schema.NamedType.ID,
    in document: Document, _ schema: SchemaView, isLegacy: Bool
  ) -> DocumentText {
    var writer = DocumentText(document, schema, isLegacy: isLegacy)
    let name = operation.name?.span ?? SourceSpan(at: operation.span.start)
    writer.mark(name)
    writer.text += document.spelling(operation.kind.symbol)
    if let name = operation.name { writer.text += " " + document.spelling(name) }
    writer.write(
      operation.variables,
      except: document.variablesOfListEdits(in: operation.selectionSet, schema.schema))
    writer.write(operation.directives, at: operation.kind.directiveLocation)
    writer.text += " "
    writer.write(operation.selectionSet, on: root, implicit: [], owner: name)
    return writer
  }

  static func text(
    of fragment: GraphQLSyntax.FragmentDefinition, type: Schema.NamedType.ID,
    in document: Document, _ schema: SchemaView, isLegacy: Bool
  ) -> DocumentText {
    var writer = DocumentText(document, schema, isLegacy: isLegacy)
    writer.mark(fragment.name.span)
    writer.text +=
      "fragment \(document.spelling(fragment.name)) on \(document.spelling(fragment.typeCondition))"
    writer.write(fragment.directives, at: .fragmentDefinition)
    writer.text += " "
    writer.write(
      fragment.selectionSet, on: type, implicit: schema.implicitFields(ofFragmentOn: type),
      owner: fragment.name.span)
    return writer
  }

  private mutating func mark(
    _ span: SourceSpan, addedField: String? = nil, to type: Schema.NamedType.ID? = nil
  ) {
    marks.append(Mark(offset: text.utf8.count, span: span, addedField: addedField, type: type))
  }

  private mutating func write(
    _ variables: GraphQLSyntax.VariableDefinition.List, except omitted: Set<Symbol>
  ) {
    let sent = document[variables].filter { !omitted.contains($0.name.symbol) }
    guard !sent.isEmpty else { return }
    mark(sent.first?.variableSpan ?? SourceSpan(at: 0))
    let definitions = sent.map { variable in
      var writer = DocumentText(document, schema, isLegacy: isLegacy)
      let type = document.description(of: variable.type)
      writer.text = "$\(document.spelling(variable.name)): \(type)"
      var isBroken = false
      if let value = variable.defaultValue {
        let value = document.line(value)
        writer.text += " = \(value.text)"
        isBroken = value.isBroken
      }
      writer.write(variable.directives, at: .variableDefinition)
      return DocumentLine(text: writer.text, isBroken: isBroken)
    }
    text += DocumentLine("(", definitions, ")", width: .max).text
  }

  // MARK: - Selections

  private mutating func write(
    _ set: GraphQLSyntax.SelectionSet, on type: Schema.NamedType.ID, implicit: [AddedField],
    owner: SourceSpan, inside outer: [Schema.NamedType.ID] = []
  ) {
    let selections = document[set.selections]
    let implicit = implicit.filter { field in
      !field.isOfObjects || !selections.contains { isWhole($0, named: field.name) }
    }
    let omitsTypename = isLegacy && implicit.contains { $0.name == "__typename" }
    // One that is written stays where it is, as in the documents of Apollo iOS.
    let hasTypename = !isLegacy && selections.contains(where: isWholeTypename)
    text += "{"
    for field in implicit where !(hasTypename && field.name == "__typename") {
      mark(owner, addedField: field.name, to: type)
      text += " \(field.text)"
    }
    for selection in selections where !(omitsTypename && isWholeTypename(selection)) {
      switch selection {
      case .field(let id) where hasTypename && isWholeTypename(selection):
        mark(document[id].name.span)
        text += " __typename"
      case .field(let id): write(document[id], on: type, implicit)
      case .fragmentSpread(let id):
        let name = document[id].name
        mark(name.span)
        spreads.append(name.symbol)
        text += " ...\(document.spelling(name))"
        write(document[id].directives, at: .fragmentSpread)
      case .inlineFragment(let id): write(document[id], on: type, inside: outer)
      }
    }
    writeKeys(ofTypesIn: type, inside: outer, selections, owner)
    text += " }"
  }

  /// Writes a fragment with the key fields of each object type that is not selected anyway.
  private mutating func writeKeys(
    ofTypesIn type: Schema.NamedType.ID, inside outer: [Schema.NamedType.ID],
    _ selections: some Sequence<GraphQLSyntax.Selection>, _ owner: SourceSpan
  ) {
    let types = schema.typesWithOwnKeys(in: type, inside: outer)
    guard !types.isEmpty, document.selectsFields(selections) else { return }
    let selected = document.certainTypeConditions(in: selections)
    for object in types where !selected.contains(schema.symbol(of: object)) {
      mark(owner)
      text += " ... on \(schema.name(of: object)) {"
      let keys = schema.addedKeyFields(ofFragmentOn: object, in: type)
      for field in (isLegacy ? [AddedField(name: "__typename")] : []) + keys {
        mark(owner, addedField: field.name, to: object)
        text += " \(field.text)"
      }
      text += " }"
    }
  }

  /// Returns whether a selection is `__typename` without an alias and directives for the server.
  ///
  /// With directives, another one is added: it must always be there, and leaving them out could
  /// leave a variable unused.
  private func isWholeTypename(_ selection: GraphQLSyntax.Selection) -> Bool {
    guard case .field(let id) = selection, document[id].name.symbol == .typename else {
      return false
    }
    return isWhole(selection, named: "__typename")
  }

  /// Returns whether a selection is a leaf without an alias, arguments and directives for the
  /// server.
  private func isWhole(_ selection: GraphQLSyntax.Selection, named name: String) -> Bool {
    guard case .field(let id) = selection else { return false }
    let field = document[id]
    return field.alias == nil && field.arguments.isEmpty && field.selectionSet == nil
      && document.spelling(field.name) == name && isSentWithoutDirectives(field)
  }

  private mutating func write(
    _ field: GraphQLSyntax.Field, on type: Schema.NamedType.ID, _ implicit: [AddedField]
  ) {
    let name = document.spelling(field.name)
    if field.alias == nil, field.arguments.isEmpty, isSentWithoutDirectives(field),
      implicit.contains(where: { $0.responseKey == name && $0.alias == nil }),
      field.selectionSet == nil
    {
      return
    }
    let aliased = field.alias.map { "\(document.spelling($0)): \(name)" } ?? name
    let arguments = document[field.arguments].map(document.line)
    let owner = field.alias?.span ?? field.name.span
    mark(owner)
    text += " \(aliased)"
    if !arguments.isEmpty {
      let width = DocumentLine.width - aliased.utf16.count
      text += DocumentLine("(", arguments, ")", width: width).text
    }
    write(field.directives, at: .field)
    guard let set = field.selectionSet,
      let fieldType = schema.field(named: field.name.symbol, of: type)
    else { return }
    text += " "
    let inner = schema.type(of: fieldType)
    write(set, on: inner, implicit: schema.implicitFields(of: inner), owner: owner)
  }

  private mutating func write(
    _ fragment: GraphQLSyntax.InlineFragment, on type: Schema.NamedType.ID,
    inside outer: [Schema.NamedType.ID]
  ) {
    let owner = fragment.typeCondition?.span ?? SourceSpan(at: fragment.span.start)
    mark(owner)
    text += " ..."
    var inner = type
    if let condition = fragment.typeCondition {
      text += " on \(document.spelling(condition))"
      inner = schema.type(named: condition.symbol) ?? type
    }
    write(fragment.directives, at: .inlineFragment)
    text += " "
    let keys = schema.addedKeyFields(ofFragmentOn: inner, in: type)
    let around = outer + [type]
    let hasTypename = isLegacy && !(around + [inner]).contains(where: schema.isSubscriptionRoot)
    write(
      fragment.selectionSet, on: inner,
      implicit: (hasTypename ? [AddedField(name: "__typename")] : []) + keys, owner: owner,
      inside: around)
  }

  private func isSentWithoutDirectives(_ field: GraphQLSyntax.Field) -> Bool {
    document[field.directives].allSatisfy {
      schema.isOfClient($0, at: .field, in: document)
    }
  }

  private mutating func write(
    _ directives: GraphQLSyntax.Directive.List, at location: DirectiveLocation
  ) {
    for directive in document[directives] {
      if schema.isOfClient(directive, at: location, in: document) { continue }
      text += " @\(document.spelling(directive.name))"
      guard !directive.arguments.isEmpty else { continue }
      let arguments = document[directive.arguments].map { document.line($0).text }
      text += "(\(arguments.joined(separator: ", ")))"
    }
  }
}

/// Directives for the generator.
package enum ClientDirective {
  package static let localCacheMutation = "apollo_client_ios_localCacheMutation"
  package static let importModule = "import"
  package static let cacheControl = "cacheControl"
  /// Directives that are never sent.
  static let all: Set<String> = [localCacheMutation, importModule]

  /// The locations of directives for the client in documents, whatever the schema says.
  ///
  /// They are sent only if the schema allows them there.
  package static let locations: [String: DirectiveLocationSet] = {
    var locations = DirectiveLocationSet()
    locations.insert(.query)
    locations.insert(.field)
    return [cacheControl: locations]
  }()
}

/// Directives for the server that the generator treats specially.
package enum ServerDirective {
  package static let deferred = "defer"
}

extension Document {
  /// Returns `true` if some of the selections are fields besides `__typename`.
  func selectsFields(_ selections: some Sequence<GraphQLSyntax.Selection>) -> Bool {
    selections.contains { selection in
      guard case .field(let id) = selection else { return false }
      return spelling(self[id].name) != "__typename"
    }
  }

  /// Returns the type conditions of the inline fragments without directives.
  fileprivate func certainTypeConditions(
    in selections: some Sequence<GraphQLSyntax.Selection>
  ) -> Set<Symbol> {
    var names: Set<Symbol> = []
    for case .inlineFragment(let id) in selections where self[id].directives.isEmpty {
      if let condition = self[id].typeCondition { names.insert(condition.symbol) }
    }
    return names
  }

  /// Returns a value without anything that is not needed.
  func graphQL(_ value: Value) -> String {
    switch value.content {
    case .variable(let name): "$" + spelling(name)
    case .int, .float: text(of: value.span)
    case .string(let literal): QuotedString.text(of: string(literal))
    case .boolean(let flag): flag ? "true" : "false"
    case .null: "null"
    case .enum(let name): spelling(name)
    case .list(let items): "[" + self[items].map(graphQL).joined(separator: " ") + "]"
    case .object(let members):
      "{"
        + self[members].map { "\(spelling($0.name)): \(graphQL($0.value))" }.joined(separator: " ")
        + "}"
    }
  }

  /// Returns a value without variables.
  func literal(_ value: Value) -> InputLiteral? {
    switch value.content {
    case .variable: return nil
    case .int: return .int(text(of: value.span))
    case .float: return .float(text(of: value.span))
    case .string(let literal): return .string(string(literal))
    case .boolean(let flag): return .boolean(flag)
    case .null: return .null
    case .enum(let name): return .enumValue(spelling(name))
    case .list(let items): return .list(self[items].compactMap(literal))
    case .object(let members):
      return .object(
        self[members].compactMap { member in
          literal(member.value).map { .init(name: spelling(member.name), value: $0) }
        })
    }
  }
}
