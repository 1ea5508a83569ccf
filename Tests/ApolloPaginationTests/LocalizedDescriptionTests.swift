import ApolloAPI
import Foundation
import Testing

@testable import ApolloPagination

/// Foundation names the type and a number for an error that has no text of its own.
struct LocalizedDescriptionTests {
  @Test(
    arguments: [
      PaginationError.missingInitialPage, PaginationError.cancellation,
      PageWithoutDataError(errors: [GraphQLError(message: "Too busy.")]),
    ] as [any Error & CustomStringConvertible])
  func isTheDescription(error: any Error & CustomStringConvertible) {
    #expect(error.localizedDescription == error.description)
  }

  @Test func ofAnUnknownErrorIsThatOfTheError() {
    struct Unplugged: LocalizedError { var errorDescription: String? { "No cable." } }
    #expect(PaginationError.unknown(Unplugged()).localizedDescription == "No cable.")
  }
}
