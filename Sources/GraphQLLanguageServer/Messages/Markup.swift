import GraphQLSyntax

/// The format of a text for a client, `MarkupKind`.
enum Markup: String {
  case plaintext, markdown

  /// Returns GraphQL as a block.
  func block(_ code: String) -> String {
    self == .markdown ? "```graphql\n\(code)\n```" : code
  }

  /// Returns GraphQL in a line of text.
  func code(_ code: String) -> String { self == .markdown ? "`\(code)`" : code }

  func strong(_ text: String) -> String { self == .markdown ? "**\(text)**" : text }

  func link(_ url: String) -> String { self == .markdown ? "<\(url)>" : url }

  /// Returns a text of this format as `MarkupContent`.
  func content(_ text: String) -> JSONOutput {
    .object([("kind", .string(rawValue)), ("value", .string(text))])
  }
}
