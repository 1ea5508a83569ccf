import ApolloAPI
import Testing

/// The values of types with many fields or variables, which are stored together.
struct InputValuesTests {
  private let values = GeneratedCode.InputValues(
    GeneratedCode.NameList("stars comment"), [5, GraphQLNullable<String>.null])

  @Test func theyAreMirroredWithTheirNames() {
    let children = Mirror(reflecting: values).children
    #expect(children.map(\.label) == ["stars", "comment"])
    #expect(children.first?.value as? Int == 5)
  }

  @Test func theyAreEqualIfRequestsWithThemAre() {
    var other = values
    #expect(other == values)
    other[0] = 4
    #expect(other != values)
    #expect(other.fields == ["stars": 4, "comment": GraphQLNullable<String>.null])
  }
}
