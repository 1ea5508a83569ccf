import Foundation
import Testing

@testable import ApolloAPI

/// Foundation names the type and a number for an error that has no text of its own.
struct LocalizedDescriptionTests {
  @Test(
    arguments: [
      GraphQLError(message: "Too busy.", path: ["hero", "name"]),
      ResponseError(.missingValue, path: ["hero", "name"]),
      ScalarError(expected: "an ISO 8601 date", found: "x"),
      ModelConversionError(path: ["id"], parentType: "Character"),
    ] as [any Error & CustomStringConvertible])
  func isTheDescription(error: any Error & CustomStringConvertible) {
    #expect(error.localizedDescription == error.description)
  }
}
