import ApolloIR
import GraphQLSyntax

/// The text of the operation manifest: every operation, with its identifier and the document that
/// it identifies.
struct OperationManifestText {
  private let renderer: Renderer

  init(_ renderer: Renderer) { self.renderer = renderer }

  /// Returns the file of the manifest, or nothing if the configuration has none.
  func file(root: String) -> [OutputFile] {
    let configuration = renderer.configuration
    guard let settings = configuration.operationManifest,
      let path = OutputFolders(configuration, root: root).manifest
    else { return [] }
    return [OutputFile(path: path, text: text(settings.version), origin: .operationManifest)]
  }

  func text(_ version: ApolloCodegenConfiguration.OperationManifest.Version) -> String {
    let operations = renderer.program.definitions
      .filter { $0.kind != .fragment && !$0.isLocalCacheMutation }
      .sorted { $0.name < $1.name }
    return version == .legacy ? legacy(operations) : persistedQueries(operations)
  }

  private func persistedQueries(_ operations: [ApolloIR.Definition]) -> String {
    let entries = operations.map { operation in
      """
          {
            "id": \(JSONLiteral.string(renderer.operationIdentifier(of: operation))),
            "body": \(JSONLiteral.string(renderer.documentText(of: operation))),
            "name": \(JSONLiteral.string(operation.name)),
            "type": "\(operation.kind)"
          }
      """
    }
    return """
      {
        "format": "apollo-persisted-query-manifest",
        "version": 1,
        "operations": [
      \(entries.joined(separator: ",\n"))
        ]
      }

      """
  }

  private func legacy(_ operations: [ApolloIR.Definition]) -> String {
    let entries = operations.map { operation in
      """
        \(JSONLiteral.string(renderer.operationIdentifier(of: operation))): {
          "name": \(JSONLiteral.string(operation.name)),
          "source": \(JSONLiteral.string(renderer.documentText(of: operation)))
        }
      """
    }
    return "{\n\(entries.joined(separator: ",\n"))\n}\n"
  }

  /// Returns `true` if a file has the form of a manifest, so that it may be replaced.
  static func isManifest(_ bytes: [UInt8]) -> Bool {
    // A file that is not JSON is no manifest, because every manifest is JSON.
    guard let root = (try? IndexedJSON(bytes, style: .written))?.root, let members = root.members
    else { return false }
    if root["format"] != nil {
      return members.contains { $0.value.string == "apollo-persisted-query-manifest" }
    }
    return members.allSatisfy { member in
      Set((member.value.members ?? []).map(\.key.string)) == ["name", "source"]
    }
  }
}
