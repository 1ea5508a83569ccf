import ApolloTestSupport
import MockingAPI
import MockingAPITestMocks

// The examples in the documentation of `ApolloTestSupport`, word for word, so that the compiler
// checks them. `DocumentationExamplesTests` compares the two.

private typealias HeroQuery = MockingAPI.HeroQuery

private func createAModelFromMocks() {
  let mock = Mock<Human>(friends: [Mock<Droid>(name: "R2-D2")], name: "Luke")
  mock.height = 1.72
  let hero = HeroQuery.Data.Hero.from(mock)
  print(hero)
}

private func createAModelFromAMock() {
  let luke = Mock<Human>(name: "Luke")
  let hero = HeroQuery.Data.Hero.from(luke)
  print(hero)
}

private func createAModelFromATemporaryMock() {
  let hero = HeroQuery.Data.Hero.from(Mock<Human>(name: "Luke"))
  print(hero)
}
