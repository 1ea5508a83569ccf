import GraphQLSchema
import Testing

@testable import GraphQLValidation

@Suite struct SuggestionsTests {
  @Test(arguments: [
    ("", ["a"], ["a"]),
    ("input", ["abc", "ab"], []),
    ("GREEN", ["green", "GREENISH"], ["green", "GREENISH"]),
    ("abc", ["a", "ab", "abc"], ["abc", "ab", "a"]),
    ("ab", ["ba"], ["ba"]),
    ("a", ["az", "ax", "ay"], ["ax", "ay", "az"]),
    ("f", ["f10", "f2"], ["f2"]),
    ("f1", ["f10", "f2"], ["f2", "f10"]),
  ])
  func sortsCandidatesByDistance(input: String, options: [String], expected: [String]) {
    var suggestions = Suggestions()
    #expect(suggestions.candidates(for: input, among: options) == expected)
  }

  @Test func theBudgetEndsTheSearch() {
    var suggestions = Suggestions(budget: 2)
    #expect(suggestions.candidates(for: "a", among: ["b", "c"]) == ["b", "c"])
    #expect(suggestions.candidates(for: "a", among: ["b"]) == [])
  }

  @Test(arguments: [
    (0, ""), (1, " Did you mean \"a\"?"), (2, " Did you mean \"a\" or \"b\"?"),
    (3, " Did you mean \"a\", \"b\", or \"c\"?"),
    (6, " Did you mean \"a\", \"b\", \"c\", \"d\", or \"e\"?"),
  ])
  func suggestsAtMostFiveNames(count: Int, expected: String) {
    #expect(didYouMean(Array(["a", "b", "c", "d", "e", "f"].prefix(count))) == expected)
  }

  @Test func numbersInNamesCompareAsNumbers() {
    let names = ["f10", "f2", "f02", "f", "g", "F", "f2a"]
    #expect(names.sorted(by: precedesNaturally) == ["F", "f", "f02", "f2", "f2a", "f10", "g"])
  }
}
