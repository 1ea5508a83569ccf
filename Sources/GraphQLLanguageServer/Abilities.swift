import GraphQLSyntax

/// The abilities of a client that the server adapts to.
struct ClientAbilities {
  private(set) var encoding = PositionEncoding.utf16
  private(set) var watchesFiles = false
  /// `true` if the client asks for the diagnostics of open files.
  private(set) var pullsDiagnostics = false
  private(set) var refreshesDiagnostics = false
  private(set) var refreshesHints = false
  private(set) var refreshesTokens = false
  /// `true` if the client can watch folders that are not those of the editor.
  private(set) var watchesOtherFolders = false
  private(set) var preparesRenaming = false
  /// `true` if edits can say of which version of a document they are.
  private(set) var versionsEdits = false
  /// The format of the texts that a client shows for the name under the cursor.
  private(set) var hoverMarkup = Markup.markdown
  /// The format of the texts that a client shows beside a completion.
  private(set) var completionMarkup = Markup.markdown

  init() {}

  init(_ capabilities: IndexedJSON.Value?) {
    let encodings = capabilities?["general"]?["positionEncodings"]?.items ?? []
    if encodings.contains(where: { $0.string == PositionEncoding.utf8.rawValue }) {
      encoding = .utf8
    }
    let workspace = capabilities?["workspace"]
    watchesFiles = workspace?["didChangeWatchedFiles"]?["dynamicRegistration"]?.bool ?? false
    let watching = workspace?["didChangeWatchedFiles"]
    watchesOtherFolders = watching?["relativePatternSupport"]?.bool ?? false
    // Some clients write absent members as null.
    pullsDiagnostics = capabilities?["textDocument"]?["diagnostic"]?.kind == .object
    refreshesHints = workspace?["inlayHint"]?["refreshSupport"]?.bool ?? false
    refreshesTokens = workspace?["semanticTokens"]?["refreshSupport"]?.bool ?? false
    let rename = capabilities?["textDocument"]?["rename"]
    preparesRenaming = rename?["prepareSupport"]?.bool ?? false
    versionsEdits = workspace?["workspaceEdit"]?["documentChanges"]?.bool ?? false
    refreshesDiagnostics = workspace?["diagnostics"]?["refreshSupport"]?.bool ?? false
    let document = capabilities?["textDocument"]
    hoverMarkup = Markup(document?["hover"]?["contentFormat"])
    completionMarkup = Markup(
      document?["completion"]?["completionItem"]?["documentationFormat"])
  }
}

extension Markup {
  /// Reads the formats that a client accepts. One that names none takes Markdown.
  fileprivate init(_ formats: IndexedJSON.Value?) {
    let names = formats?.items?.compactMap(\.string) ?? []
    self = names.isEmpty || names.contains(Markup.markdown.rawValue) ? .markdown : .plaintext
  }
}

/// The abilities of the server.
enum ServerAbilities {
  /// Returns `ServerCapabilities`.
  static func json(for client: ClientAbilities) -> JSONOutput {
    var members: [(String, JSONOutput)] = [
      ("positionEncoding", .string(client.encoding.rawValue)),
      (
        "textDocumentSync",
        .object([
          ("openClose", .boolean(true)),
          // Only the changed parts are sent.
          ("change", .number(2)),
          ("save", .boolean(!client.watchesFiles)),
        ])
      ),
      (
        "completionProvider",
        .object([("triggerCharacters", .array(["@", "$", "(", "{", ":", "."].map { .string($0) }))])
      ),
      ("hoverProvider", .boolean(true)),
      ("definitionProvider", .boolean(true)),
      ("implementationProvider", .boolean(true)),
      ("referencesProvider", .boolean(true)),
      ("documentSymbolProvider", .boolean(true)),
      ("documentFormattingProvider", .boolean(true)),
      ("inlayHintProvider", .boolean(true)),
      (
        "renameProvider",
        client.preparesRenaming
          ? .object([("prepareProvider", .boolean(true))]) : .boolean(true)
      ),
      (
        "codeActionProvider",
        .object([("codeActionKinds", .array([.string("quickfix")]))])
      ),
      (
        "semanticTokensProvider",
        .object([("legend", SemanticTokens.legend), ("full", .boolean(true))])
      ),
      (
        "workspace",
        .object([
          (
            "workspaceFolders",
            .object([("supported", .boolean(true)), ("changeNotifications", .boolean(true))])
          )
        ])
      ),
    ]
    if client.pullsDiagnostics {
      members.append(
        (
          "diagnosticProvider",
          .object([
            ("interFileDependencies", .boolean(true)), ("workspaceDiagnostics", .boolean(false)),
          ])
        ))
    }
    return .object(members)
  }
}
