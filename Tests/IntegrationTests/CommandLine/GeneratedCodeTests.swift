import Foundation
import Testing

/// The generator writes the committed code of the example.
@Suite(.timeLimit(.minutes(10)))
struct GeneratedCodeTests {
  private let generated = "Sources/StarWarsAPI"

  @Test func theGeneratorWritesTheCommittedCode() async throws {
    let committed = try Project.contents(of: Repository.example.appendingPathComponent(generated))
    #expect(!committed.isEmpty)
    try await withProject { project in
      for path in committed.keys where path.hasSuffix(".graphql.swift") {
        try project.remove("\(generated)/\(path)")
      }
      let outcome = try await project.apollo("generate")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let written = try project.contents(of: generated)
      #expect(written.keys.sorted() == committed.keys.sorted())
      for (path, state) in committed {
        #expect(
          written[path]?.bytes == state.bytes,
          "\(path) is not what the generator writes: run scripts/generate and read its diff.")
      }
    }
  }

  @Test func generatingAgainTouchesNoFile() async throws {
    try await withProject { project in
      let first = try await project.apollo("generate")
      #expect(first.status == 0, "\(first.errors)")
      let before = try project.contents(of: generated)
      let second = try await project.apollo("generate")
      #expect(second.status == 0, "\(second.errors)")
      #expect(try project.contents(of: generated) == before)
    }
  }
}
