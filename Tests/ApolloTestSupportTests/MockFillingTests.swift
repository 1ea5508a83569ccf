import ApolloAPI
import ApolloTestSupport
import MockingAPI
import MockingAPITestMocks
import Testing

@Suite struct MockFillingTests {
  typealias Hero = MockingAPI.HeroQuery.Data.Hero

  @Test func requiredFieldsThatAMockLacksAreFilled() {
    let hero = Hero.from(Mock<Human>(name: "Luke"), filling: .required)
    #expect(hero.name == "Luke")
    #expect(hero.id == "Human-1")
    #expect(hero.episodes == [])
    #expect(hero.ship.name == "name" && hero.ship.__typename == "Ship")
    #expect(hero.friends == nil && hero.born == nil, "The schema allows null.")
  }

  @Test func objectsWithinMocksAreFilled() {
    let mock = Mock<Human>(friends: [Mock<Droid>(), nil])
    let hero = Hero.from(mock, filling: .required)
    #expect(hero.friends?.map { $0?.name } == ["name", nil])
    #expect(hero.friends?.first??.ship.pilots == nil)
  }

  @Test func fieldsThatHaveFailedReportTheirErrors() {
    let mock = Mock<Human>(friends: [Mock<Droid>(), nil])
    let error = GraphQLError(message: "no ship", path: ["friends", 0, "ship", "pilots"])
    let hero = Hero.from(
      mock, filling: .required,
      errors: [GraphQLError(message: "gone", path: ["friends", 1]), error])
    #expect(hero.errors(for: \.friends).map(\.message) == ["gone"])
    #expect(hero.friends?.first??.ship.errors(forKey: "pilots") == [error])
  }

  @Test func fillingIsTheSameInEveryRun() {
    let mock = Mock<Human>(friends: [Mock<Droid>()])
    #expect(Hero.from(mock, filling: .required) == Hero.from(mock, filling: .required))
  }

  /// A property of an operation with `@throwOnFieldError` promises what the schema does not.
  @Test func promisedFieldsAreFilledToo() {
    let hero = CertainHero.from(Mock<Human>(), filling: .required)
    #expect(hero.name == "name")
    #expect(CertainHero.from(Mock<Human>(name: "Luke")).name == "Luke")
  }
}

private struct CertainHero: MockingAPI.SelectionSet {
  static let __selections = GeneratedCode.Selections(
    "@throwOnFieldError Human {__typename String! name String @semanticNonNull(levels: [0])}")

  private let __storage: GeneratedCode.ResponseObject
  static var __layout: GeneratedCode.SelectionLayout { __selections[0] }

  var name: String { __place(1).certain(__value(1) as String?) }
}
