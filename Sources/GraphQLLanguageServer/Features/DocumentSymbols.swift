import GraphQLSyntax

/// `textDocument/documentSymbol`: the definitions of a file, and the members of types.
enum DocumentSymbols {
  /// The kinds of symbols of the protocol.
  private enum Kind: Int {
    case field = 8
    case enumeration = 10
    case interface = 11
    case function = 12
    case object = 23
    case structure = 5
    case enumMember = 22
    case event = 24
  }

  static func symbols(_ request: FeatureRequest) -> JSONOutput {
    let text = request.text
    return .array(text.definitions.map { symbol(of: $0, in: text, request) })
  }

  private static func symbol(
    of definition: Definition, in text: ParsedText, _ request: FeatureRequest
  ) -> JSONOutput {
    let document = text.document
    let span = document.span(of: definition)
    func symbol(
      _ name: String, _ detail: String, _ kind: Kind, _ nameSpan: SourceSpan?,
      _ whole: SourceSpan? = nil, _ children: [JSONOutput] = []
    ) -> JSONOutput {
      let whole = whole ?? span
      let name = name.isEmpty ? "(anonymous)" : name
      let selection = nameSpan ?? SourceSpan(at: whole.start)
      var members: [(String, JSONOutput)] = [
        ("name", .string(name)), ("detail", .string(detail)), ("kind", .number(kind.rawValue)),
        ("range", request.range(text.bytes(of: whole)).json),
        ("selectionRange", request.range(text.bytes(of: selection)).json),
      ]
      if !children.isEmpty { members.append(("children", .array(children))) }
      return .object(members)
    }
    switch definition {
    case .operation(let id):
      let operation = document[id]
      return symbol(
        operation.name.map(document.spelling) ?? "", document.spelling(operation.kind.symbol),
        .function, operation.name?.span)
    case .fragment(let id):
      let fragment = document[id]
      return symbol(
        document.spelling(fragment.name),
        "fragment on \(document.spelling(fragment.typeCondition))",
        .structure, fragment.name.span)
    case .schema(let id):
      return symbol("schema", "", .object, document[id].keywordSpan)
    case .directive(let id):
      let directive = document[id]
      return symbol(
        "@\(document.spelling(directive.name))", "directive", .event, directive.name.span)
    case .type(let id):
      let type = document[id]
      let fields =
        document[type.fields].map {
          symbol(
            document.spelling($0.name), document.description(of: $0.type), .field, $0.name.span,
            $0.span)
        }
        + document[type.inputFields].map {
          symbol(
            document.spelling($0.name), document.description(of: $0.type), .field, $0.name.span,
            $0.span)
        }
        + document[type.values].map {
          symbol(document.spelling($0.name), "", .enumMember, $0.name.span, $0.span)
        }
      let kind: Kind =
        switch type.kind {
        case .enum: .enumeration
        case .interface, .union: .interface
        case .object, .inputObject, .scalar: .object
        }
      let keyword = document.spelling(type.kind.keyword)
      return symbol(
        document.spelling(type.name), type.isExtension ? "extend \(keyword)" : keyword, kind,
        type.name.span, nil, fields)
    }
  }
}
