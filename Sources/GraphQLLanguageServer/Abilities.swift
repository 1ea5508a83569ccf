import GraphQLSyntax

/// The abilities of a client that the server adapts to.
struct ClientAbilities {
  private(set) var encoding = PositionEncoding.utf16
  private(set) var watchesFiles = false
  /// `true` if the client asks for the diagnostics of open files.
  private(set) var pullsDiagnostics = false
  private(set) var refreshesDiagnostics = false

  init() {}

  init(_ capabilities: IndexedJSON.Value?) {
    let encodings = capabilities?["general"]?["positionEncodings"]?.items ?? []
    if encodings.contains(where: { $0.string == PositionEncoding.utf8.rawValue }) {
      encoding = .utf8
    }
    let workspace = capabilities?["workspace"]
    watchesFiles = workspace?["didChangeWatchedFiles"]?["dynamicRegistration"]?.bool ?? false
    pullsDiagnostics = capabilities?["textDocument"]?["diagnostic"] != nil
    refreshesDiagnostics = workspace?["diagnostics"]?["refreshSupport"]?.bool ?? false
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
      ("renameProvider", .object([("prepareProvider", .boolean(true))])),
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
