import ApolloAPI
import Testing

@testable import ApolloCache

/// The keys of the pages of a list.
struct ListPagesTests {
  /// Such as a cursor, or a number as a text.
  @Test(arguments: [ListPolicy.offset("after"), .pages("after", size: "size")])
  func aPlaceThatIsNoNumberIsAPageOfItsOwn(policy: ListPolicy) {
    let first = ListPages(policy, name: "items", ["size": 2])
    let page = ListPages(policy, name: "items", ["size": 2, "after": "b"])
    let other = ListPages(policy, name: "items", ["size": 2, "after": "c"])
    #expect(Set([first.key, page.key, other.key]).count == 3)
    #expect(first.direction == .forward)
    #expect(page.direction == nil)
  }
}
