import ApolloTestSupport
import Catalog
import LibraryAPI
import LibraryAPITestMocks
import Testing

/// Tests with mocks, which are a target of the generated package.
@Suite struct CatalogTests {
  @Test func showsPoemsAsPoems() {
    let mock = Mock<Query>(books: [
      Mock<Book>(
        authors: [Mock<Author>(name: "Elizabeth Bishop")], genre: .case(.poetry), id: "2",
        title: "North & South")
    ])
    #expect(CatalogQuery.Data.from(mock).lines == ["North & South, Elizabeth Bishop (poems)"])
  }
}
