import ApolloCodegenLib
import Foundation
import Testing

/// Foundation names the type and a number for an error that has no text of its own.
struct LocalizedDescriptionTests {
  @Test(
    arguments: [
      GenerationError(.onlySchemas),
      ConfigurationError(problems: [.init(.missing(.output), at: "output")]),
      DiskError(action: "read", path: "/p/a.graphql", code: 13),
    ] as [any Error & CustomStringConvertible])
  func isTheDescription(error: any Error & CustomStringConvertible) {
    #expect(error.localizedDescription == error.description)
  }
}
