import ApolloAPI
import Testing

@Suite struct UnknownDirectiveTests {
  /// The words of graphql-js, graphql-core, graphql-java, graphql-ruby, Hot Chocolate and others.
  @Test(arguments: [
    ("Unknown directive \"@defer\".", "defer"), ("Unknown directive '@stream'.", "stream"),
    ("Validation error (UnknownDirective@[hero]) : Unknown directive 'defer'", "defer"),
    ("Directive @defer is not defined", "defer"),
    ("The specified directive `stream` is not supported by the current schema.", "stream"),
    ("Validation error (UnknownDirective@[defer])", "defer"),
  ])
  func namesTheDirectiveThatTheServerDoesNotKnow(_ message: String, _ name: String) {
    #expect(
      GraphQLError(message: message).description
        == "\(message) (The server has no incremental delivery, or it is turned off there: turn it "
        + "on, or remove '@\(name)' from the operation; see the article “Deferred fragments”.)")
  }

  @Test(arguments: [
    GraphQLError(message: "Unknown directive '@live'."),
    GraphQLError(message: "Cannot stream this video."),
    GraphQLError(message: "No directive was given to defer", path: ["hero"]),
  ])
  func leavesOtherErrorsAsTheyAre(_ error: GraphQLError) {
    #expect(error.unknownDirectiveAdvice == nil)
  }
}
