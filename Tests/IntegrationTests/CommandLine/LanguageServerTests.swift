import Foundation
import GraphQLSyntax
import Testing

/// `apollo-cli lsp` over its streams.
@Suite(.timeLimit(.minutes(10)))
struct LanguageServerTests {
  @Test func servesAProjectFromInitializeToExit() async throws {
    try await withProject { project in
      let file = "GraphQL/HeroName.graphql"
      let uri = "file://\(project.folder.resolvingSymlinksInPath().path)/\(file)"
      let text = try project.text(of: file).replacingOccurrences(of: "name", with: "nmae")
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let line = try #require(lines.firstIndex { $0.contains("hero(") })
      let document = #""textDocument": {"uri": "\#(uri)"}"#
      let position = #""position": {"line": \#(line), "character": 3}"#
      let inside = #""position": {"line": \#(line + 1), "character": 4}"#
      let outcome = try await project.apollo(
        ["lsp"],
        input: [
          #"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}, "rootUri": "file://\#(project.folder.resolvingSymlinksInPath().path)"}}"#,
          #"{"method": "initialized", "params": {}}"#,
          #"{"method": "textDocument/didOpen", "params": {"textDocument": {"uri": "\#(uri)", "languageId": "graphql", "version": 1, "text": \#(JSONLiteral.string(text))}}}"#,
          #"{"id": 2, "method": "textDocument/completion", "params": {\#(document), \#(inside)}}"#,
          #"{"id": 3, "method": "textDocument/hover", "params": {\#(document), \#(position)}}"#,
          #"{"id": 4, "method": "textDocument/definition", "params": {\#(document), \#(position)}}"#,
          #"{"id": 5, "method": "shutdown"}"#, #"{"method": "exit"}"#,
        ].map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }.joined())
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      let output = outcome.output
      #expect(output.contains(#"{"jsonrpc":"2.0","id":1,"result":{"capabilities":{"#))
      #expect(output.contains(#"{"label":"appearsIn","#))
      #expect(output.contains("Query.hero(episode: Episode = null): Character"))
      #expect(output.contains(#""uri":"file://"#) && output.contains("GraphQL/schema.graphqls"))
      #expect(output.contains(#"Cannot query field \"nmae\" on type \"Character\"."#))
    }
  }

  @Test func endsWithAnErrorWhenTheEditorIsGone() async throws {
    let outcome = try await withFiles([:]) { try await $0.apollo("lsp") }
    #expect(outcome.status == 1 && outcome.output.isEmpty && outcome.errors.isEmpty)
  }
}
