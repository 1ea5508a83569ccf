import CorpusSupport
import Foundation
import Testing

/// The documents that the generator sends, validated by graphql-core.
///
/// `scripts/differential` compares more of them, and the variables that are sent for defaults.
@Suite(.needsGraphQLCore, .timeLimit(.minutes(10)))
struct SentDocumentTests {
  @Test func graphQLCoreAcceptsTheDocumentsOfRandomOperations() async throws {
    try await expectNoDifference("documents", ["400", "1"])
  }

  @Test(.readsCorpus) func graphQLCoreAcceptsTheDocumentsOfTheCorpora() async throws {
    try await expectNoDifference("corpus", [Corpus.folder.path])
  }

  private func expectNoDifference(_ mode: String, _ arguments: [String]) async throws {
    let python = try #require(await GraphQLCore.interpreter)
    try await withTemporaryFolder { folder in
      let script = Repository.root.appendingPathComponent("scripts/lib/sent.py").path
      let tool = try Repository.product("apollo-cli").path
      let outcome = try await run(
        python, ["-B", script, mode, tool, folder.path] + arguments, in: folder, withinSeconds: 500)
      #expect(outcome.status == 0, "\(outcome.output.suffix(4000))\(outcome.errors.suffix(1000))")
      #expect(outcome.output.contains(" 0 differ"))
    }
  }
}

/// A Python with graphql-core: the one of the test servers has it.
private enum GraphQLCore {
  static var interpreter: URL? {
    get async { await found.value }
  }

  private static let found = Task { () -> URL? in
    guard let python = Python.interpreter else { return nil }
    // Where it cannot be run, the tests are skipped.
    let outcome = try? await run(
      python, ["-c", "import graphql; assert graphql.version_info >= (3, 2)"],
      in: FileManager.default.temporaryDirectory)
    return outcome?.status == 0 ? python : nil
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the tests where graphql-core is not installed.
  fileprivate static var needsGraphQLCore: Self {
    .enabled("\(Python.advice)") { await GraphQLCore.interpreter != nil }
  }
}
