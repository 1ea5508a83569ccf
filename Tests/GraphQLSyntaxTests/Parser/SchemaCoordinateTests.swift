import Testing

@testable import GraphQLSyntax

@Suite struct SchemaCoordinateTests {
  @Test(arguments: [
    "Play", "Play.title", "Play.title(language:)", "Genre.OPERA", "Filter.years", "@deprecated",
    "@deprecated(reason:)", "on.on(on:)", "_0",
  ])
  func readsEveryKindOfCoordinate(_ text: String) {
    let (coordinate, diagnostics) = SchemaCoordinate.parsing(Source(name: "test", text: text))
    #expect(diagnostics.isEmpty)
    #expect(coordinate?.description == text)
  }

  @Test(arguments: [
    "", ".", "@", "1", "Play.", ".title", "Play.title(", "Play.title()", "Play.title(language",
    "Play.title(language)", "Play.title(language:", "Play.title(language:) x", "Play.title.x",
    "Play(language:)", "@deprecated.reason", "@deprecated(reason)", "Play title", "Play,",
    "\"Play\"",
  ])
  func refusesAnythingElse(_ text: String) {
    let (coordinate, diagnostics) = SchemaCoordinate.parsing(Source(name: "test", text: text))
    #expect(coordinate == nil)
    #expect(diagnostics.count == 1)
  }
}
