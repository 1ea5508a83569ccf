import Testing

@testable import GraphQLSyntax

/// Tests the sentences that the reference implementation does not have.
struct SyntaxProblemTests {
  @Test(arguments: [
    (
      SyntaxProblem.tooDeep(limit: 500),
      "Nested more than 500 levels deep; make the document flatter."
    ),
    (.tooManyLists(limit: 255), "A type cannot be nested in more than 255 lists."),
    (.invalidUTF8, "Invalid UTF-8; save the file with the encoding UTF-8."),
    (.tooLarge, "The sources are larger than 4 GB together; split them."),
    (.tooManyErrors(limit: 5), "More than 5 syntax errors; the rest is not checked."),
  ])
  func statesTheLimitAndTheRemedy(_ problem: SyntaxProblem, sentence: String) {
    #expect(problem.message == "Syntax Error: " + sentence)
  }
}
