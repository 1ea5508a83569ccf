import Testing

@testable import ApolloCodegenLib

@Suite struct UniqueNamesTests {
  private typealias Wish = UniqueNames.Wish

  @Test func assignsTheFirstWishWithoutConflicts() {
    #expect(
      UniqueNames.assign([Wish(names: ["a"]), Wish(names: ["b"]), Wish(names: ["A"])])
        == ["a", "b", "A"])
  }

  @Test func assignsANameToTheBestClaim() {
    let wishes = [
      Wish(names: ["Node", "Nodes"], rank: 1), Wish(names: ["Node", "Node_SelectionSet"], rank: 0),
    ]
    #expect(UniqueNames.assign(wishes) == ["Nodes", "Node"])
  }

  @Test func treatsEqualClaimsAlikeWhateverTheirOrder() {
    let wishes = [
      Wish(names: ["fooBar", "FOO_BAR"], rank: 1), Wish(names: ["fooBar", "foo_bar"], rank: 1),
    ]
    #expect(UniqueNames.assign(wishes) == ["FOO_BAR", "foo_bar"])
    #expect(UniqueNames.assign(wishes.reversed()) == ["foo_bar", "FOO_BAR"])
  }

  @Test func skipsTakenNames() {
    #expect(
      UniqueNames.assign([Wish(names: ["String", "String_Enum"])], besides: ["String"])
        == ["String_Enum"])
  }

  @Test func prefersTheWishAtTheBetterLevel() {
    let wishes = [
      Wish(names: ["a", "b"], rank: 1), Wish(names: ["a", "c"], rank: 0),
      Wish(names: ["b", "d"], rank: 9),
    ]
    #expect(UniqueNames.assign(wishes) == ["b_2", "a", "b"])
  }

  @Test func numbersTheLastName() {
    let wishes = Array(repeating: Wish(names: ["a"]), count: 3) + [Wish(names: ["a_2"])]
    #expect(UniqueNames.assign(wishes) == ["a", "a_3", "a_4", "a_2"])
  }

  @Test func canIgnoreLetterCase() {
    let wishes = [Wish(names: ["URL", "URL.enum"]), Wish(names: ["Url", "Url.scalar"])]
    #expect(UniqueNames.assign(wishes, ignoringCase: true) == ["URL.enum", "Url.scalar"])
  }

  /// Assigned names are unique and not taken, whatever the wishes are.
  @Test func assignsUniqueNames() {
    let letters = ["a", "b", "a_2", "b_2", "a_3"]
    for first in letters {
      for second in letters {
        for third in letters {
          let wishes = [[first, second], [second, third], [third], [first], [second, first]]
            .enumerated().map { Wish(names: $1, rank: $0 % 2) }
          let names = UniqueNames.assign(wishes, besides: ["b"])
          #expect(Set(names).count == names.count && !names.contains("b"), "\(wishes)")
        }
      }
    }
  }
}
