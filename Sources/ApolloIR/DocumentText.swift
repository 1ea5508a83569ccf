package import GraphQLSchema
import GraphQLSyntax

/// Writes the text of a definition as it is sent to a server.
///
/// It is on one line, with `__typename` and key fields added, and without directives for the
/// client. It is the text that Apollo iOS sends, down to the blanks, so that servers which know
/// operations by the hashes of their texts know these.
///
/// The exception is a `__typename` with an alias or a directive, which Apollo iOS takes for the
/// added one and strips of both. Here it stays, for the property that shows it and for the variable
/// that it uses, and another one is added.
struct DocumentText {
  private let document: Document
  private let schema: SchemaView
  /// Adds `__typename` to inline fragments too, and omits what the source has of it, if `true`. One
  /// under an alias stays, and so does one at the root of an operation, where none is added.
  private let isLegacy: Bool
  private var text = ""

  init(_ document: Document, _ schema: SchemaView, isLegacy: Bool) {
    self.document = document
    self.schema = schema
    self.isLegacy = isLegacy
  }

  // MARK: - Definitions

  static func text(
    of operation: GraphQLSyntax.OperationDefinition, root: Schema.NamedType.ID,
    in document: Document, _ schema: SchemaView, isLegacy: Bool
  ) -> String {
    var writer = DocumentText(document, schema, isLegacy: isLegacy)
    writer.text = document.spelling(operation.kind.symbol)
    if let name = operation.name { writer.text += " " + document.spelling(name) }
    writer.write(operation.variables)
    writer.write(operation.directives, at: operation.kind.location)
    writer.text += " "
    writer.write(operation.selectionSet, on: root, implicit: [])
    return writer.text
  }

  static func text(
    of fragment: GraphQLSyntax.FragmentDefinition, type: Schema.NamedType.ID,
    in document: Document, _ schema: SchemaView, isLegacy: Bool
  ) -> String {
    var writer = DocumentText(document, schema, isLegacy: isLegacy)
    writer.text =
      "fragment \(document.spelling(fragment.name)) on \(document.spelling(fragment.typeCondition))"
    writer.write(fragment.directives, at: .fragmentDefinition)
    writer.text += " "
    writer.write(fragment.selectionSet, on: type, implicit: schema.implicitFields(of: type))
    return writer.text
  }

  private mutating func write(_ variables: GraphQLSyntax.VariableDefinition.List) {
    guard !variables.isEmpty else { return }
    let definitions = document[variables].map { variable in
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
    _ set: GraphQLSyntax.SelectionSet, on type: Schema.NamedType.ID, implicit: [String]
  ) {
    let selections = document[set.selections]
    let omitsTypename = isLegacy && implicit.contains("__typename")
    // One that is written stays where it is, as in the documents of Apollo iOS.
    let hasTypename = !isLegacy && selections.contains(where: isWholeTypename)
    text += "{"
    for name in implicit where !(hasTypename && name == "__typename") { text += " \(name)" }
    for selection in selections where !(omitsTypename && isPlainTypename(selection)) {
      switch selection {
      case .field where hasTypename && isWholeTypename(selection): text += " __typename"
      case .field(let id): write(document[id], on: type, implicit)
      case .fragmentSpread(let id):
        text += " ...\(document.spelling(document[id].name))"
        write(document[id].directives, at: .fragmentSpread)
      case .inlineFragment(let id): write(document[id], on: type)
      }
    }
    text += " }"
  }

  private func isPlainTypename(_ selection: GraphQLSyntax.Selection) -> Bool {
    guard case .field(let id) = selection else { return false }
    let field = document[id]
    return field.alias == nil && document.spelling(field.name) == "__typename"
  }

  /// Returns whether a selection is `__typename` without an alias and directives for the server.
  ///
  /// With directives, another one is added: it must always be there, and leaving them out could
  /// leave a variable unused.
  private func isWholeTypename(_ selection: GraphQLSyntax.Selection) -> Bool {
    guard isPlainTypename(selection), case .field(let id) = selection else { return false }
    return isSentWithoutDirectives(document[id])
  }

  private mutating func write(
    _ field: GraphQLSyntax.Field, on type: Schema.NamedType.ID, _ implicit: [String]
  ) {
    let name = document.spelling(field.name)
    if field.alias == nil, field.arguments.isEmpty, isSentWithoutDirectives(field),
      implicit.contains(name), field.selectionSet == nil
    {
      return
    }
    let aliased = field.alias.map { "\(document.spelling($0)): \(name)" } ?? name
    let arguments = document[field.arguments].map(document.line)
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
    write(set, on: inner, implicit: schema.implicitFields(of: inner))
  }

  private mutating func write(
    _ fragment: GraphQLSyntax.InlineFragment, on type: Schema.NamedType.ID
  ) {
    text += " ..."
    var inner = type
    if let condition = fragment.typeCondition {
      text += " on \(document.spelling(condition))"
      inner = schema.type(named: condition.symbol) ?? type
    }
    write(fragment.directives, at: .inlineFragment)
    text += " "
    // Narrower types may have key fields that the type around them lacks.
    let known = schema.implicitFields(of: type)
    let keys = schema.keyFields(of: inner).filter { !known.contains($0) }
    write(fragment.selectionSet, on: inner, implicit: (isLegacy ? ["__typename"] : []) + keys)
  }

  private func isSentWithoutDirectives(_ field: GraphQLSyntax.Field) -> Bool {
    document[field.directives].allSatisfy {
      ClientDirective.all.contains(document.spelling($0.name)) || isOfClient($0, at: .field)
    }
  }

  /// Returns whether a `@cacheControl` is for the client's cache. It is for the server, too, if its
  /// schema allows the directive there.
  private func isOfClient(
    _ directive: GraphQLSyntax.Directive, at location: DirectiveLocation
  ) -> Bool {
    guard document.spelling(directive.name) == ClientDirective.cacheControl else { return false }
    return !schema.allowsDirective(directive.name.symbol, at: location)
  }

  private mutating func write(
    _ directives: GraphQLSyntax.Directive.List, at location: DirectiveLocation
  ) {
    for directive in document[directives] {
      let name = document.spelling(directive.name)
      if ClientDirective.all.contains(name) || isOfClient(directive, at: location) { continue }
      text += " @\(name)"
      guard !directive.arguments.isEmpty else { continue }
      let arguments = document[directive.arguments].map { document.line($0).text }
      text += "(\(arguments.joined(separator: ", ")))"
    }
  }
}

extension GraphQLSyntax.OperationKind {
  fileprivate var location: DirectiveLocation {
    switch self {
    case .query: .query
    case .mutation: .mutation
    case .subscription: .subscription
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
