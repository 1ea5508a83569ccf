import GraphQLSyntax

/// The requests about one document.
enum Feature {
  static let methods: Set<String> = [
    "textDocument/diagnostic", "textDocument/codeAction", "textDocument/completion",
    "textDocument/hover", "textDocument/definition", "textDocument/implementation",
    "textDocument/references", "textDocument/prepareRename", "textDocument/rename",
    "textDocument/documentSymbol", "textDocument/formatting",
    "textDocument/semanticTokens/full", "textDocument/inlayHint",
  ]

  static func response(
    to method: String, _ params: IndexedJSON.Value, _ request: FeatureRequest
  ) throws(RequestError) -> JSONOutput {
    switch method {
    case "textDocument/documentSymbol": return DocumentSymbols.symbols(request)
    case "textDocument/formatting": return Formatting.edits(request)
    case "textDocument/semanticTokens/full": return SemanticTokens.tokens(request)
    case "textDocument/codeAction":
      let kinds = params["context"]?["only"]?.items?.compactMap(\.string)
      return CodeActions.actions(request, in: try range(params), of: kinds)
    case "textDocument/inlayHint": return InlayHints.hints(request, in: try range(params))
    default: break
    }
    guard let position = TextPosition(params["position"]) else {
      throw RequestError(.invalidParams, "'\(method)' needs a position.")
    }
    switch method {
    case "textDocument/completion": return Completions.items(request, at: position)
    case "textDocument/hover": return Hover.hover(request, at: position)
    case "textDocument/definition": return Definitions.definition(request, at: position)
    case "textDocument/implementation": return Definitions.implementation(request, at: position)
    case "textDocument/prepareRename": return Rename.prepare(request, at: position)
    case "textDocument/references":
      let withDefinition = params["context"]?["includeDeclaration"]?.bool ?? true
      return References.references(request, at: position, withDefinition: withDefinition)
    case "textDocument/rename":
      guard let name = params["newName"]?.string else {
        throw RequestError(.invalidParams, "'\(method)' needs a name.")
      }
      return try Rename.rename(request, at: position, to: name)
    default: throw RequestError(.methodNotFound, "The server does not have '\(method)'.")
    }
  }

  private static func range(_ params: IndexedJSON.Value) throws(RequestError) -> TextRange {
    guard let range = TextRange(params["range"]) else {
      throw RequestError(.invalidParams, "The request needs a range.")
    }
    return range
  }
}
