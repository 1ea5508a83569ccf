import Testing

@testable import ApolloCodegenLib

@Suite struct NamingTests {
  @Test(arguments: [
    ("hero", "hero"), ("Hero", "hero"), ("URL", "url"), ("NEW_HOPE", "newHope"),
    ("snake_case", "snakeCase"), ("_private_name", "_privateName"), ("trailing_", "trailing_"),
    ("Mixed_CASE_name", "mixedCaseName"), ("_", "_"), ("__", "__"), ("a1_b2", "a1B2"),
    ("iPhone_SE", "iphoneSe"), ("createdAt_gt", "createdatGt"), ("iPhone", "iPhone"),
    ("CODEC_H264MAIN", "codecH264Main"), ("a__b", "a_B"), ("_one_two_", "_oneTwo_"),
  ])
  func makesCamelCase(_ name: String, _ expected: String) {
    #expect(Casing.camelCase(name) == expected)
  }

  @Test(arguments: [
    ("Hero", "hero"), ("URL", "url"), ("FOO_BAR", "foo_bar"), ("URLPath", "uRLPath"),
    ("snake_case", "snake_case"), ("_Name", "_name"),
  ])
  func makesIdiomaticProperties(_ name: String, _ expected: String) {
    #expect(Casing.idiomatic(name) == expected)
  }

  @Test(arguments: [
    ("friends", "friend"), ("cities", "city"), ("boxes", "box"), ("buses", "bus"),
    ("heroes", "hero"), ("series", "series"), ("people", "person"),
    ("relatedPeople", "relatedPerson"),
    ("children", "child"), ("address", "address"), ("addresses", "address"), ("status", "status"),
    ("statuses", "status"), ("movies", "movie"), ("data", "datum"), ("analyses", "analysis"),
    ("branches", "branch"), ("keys", "key"), ("leaves", "leaf"), ("indices", "index"),
    ("news", "news"),
    ("women", "woman"), ("edges", "edge"), ("nodes", "node"), ("node", "node"),
    ("allSheep", "allSheep"),
    ("taxes", "tax"), ("orderTaxes", "orderTax"), ("syntaxes", "syntax"), ("taxis", "taxi"),
    ("axes", "axis"), ("xAxes", "xAxis"), ("axis", "axis"), ("basis", "basis"),
    ("menus", "menu"), ("variantSkus", "variantSku"), ("cpus", "cpu"), ("bureaus", "bureau"),
    ("campus", "campus"), ("timeseries", "timeseries"), ("Miniseries", "Miniseries"),
    ("subspecies", "subspecies"), ("lives", "life"), ("olives", "olive"),
    ("nurseries", "nursery"), ("plantNurseries", "plantNursery"), ("brasseries", "brasserie"),
    // Without their endings, no name is left.
    ("s", "s"), ("S", "S"), ("_s", "_s"),
  ])
  func makesNamesSingular(_ plural: String, _ singular: String) throws {
    #expect(try Inflector().singular(of: plural) == singular)
  }

  @Test func followsAdditionalRules() throws {
    let inflector = try Inflector([
      .irregular(singular: "goose", plural: "geese"), .uncountable(word: "gas"),
      .singularization(pluralRegex: "(.+)za$", replacementRegex: "$1zum"),
    ])
    #expect(inflector.singular(of: "geese") == "goose")
    #expect(inflector.singular(of: "gas") == "gas")
    #expect(inflector.singular(of: "plaza") == "plazum")
  }

  /// As in Apollo iOS, whose inflector puts each rule before those that it has.
  @Test func theLastAdditionalRuleIsTriedFirst() throws {
    let inflector = try Inflector([
      .singularization(pluralRegex: "s$", replacementRegex: ""),
      .singularization(pluralRegex: "(atlas)(es)?$", replacementRegex: "$1"),
      .singularization(pluralRegex: "^canvas$", replacementRegex: "$0"),
    ])
    #expect(inflector.singular(of: "atlases") == "atlas")
    #expect(inflector.singular(of: "canvas") == "canvas")
    #expect(inflector.singular(of: "boxes") == "boxe")
  }

  /// As in Apollo iOS, whose irregular and uncountable words are whole names.
  @Test func wholeWordsComeBeforeAdditionalRulesAndEndsOfNamesAfterThem() throws {
    let inflector = try Inflector([
      .irregular(singular: "gas", plural: "gases"),
      .singularization(pluralRegex: "Gases$", replacementRegex: "Fumes"),
      .singularization(pluralRegex: "people$", replacementRegex: "human"),
    ])
    #expect(inflector.singular(of: "gases") == "gas")
    #expect(inflector.singular(of: "people") == "person")
    #expect(inflector.singular(of: "exhaustGases") == "exhaustFumes")
    #expect(inflector.singular(of: "relatedPeople") == "relatedhuman")
    #expect(inflector.singular(of: "relatedChildren") == "relatedChild")
  }

  @Test func rulesForAnEmptyWordHaveNoEffect() throws {
    let inflector = try Inflector([
      .uncountable(word: ""), .irregular(singular: "", plural: ""),
    ])
    #expect(inflector.singular(of: "friends") == "friend")
  }

  @Test(arguments: [
    ("userId", ["user", "Id"]), ("baseURLPath", ["base", "URL", "Path"]), ("URL", ["URL"]),
    ("x2Id", ["x2", "Id"]), ("_a_bC", ["_", "a", "_", "b", "C"]), ("", []),
  ])
  func findsTheWordsOfAName(_ name: String, _ words: [String]) {
    #expect(Capitalizer.words(of: name) == words)
  }

  @Test(arguments: [
    ("id", "id", "ID"), ("userId", "userID", "UserID"), ("idUser", "idUser", "IDUser"),
    ("userIds", "userIds", "UserIds"), ("_id", "_id", "_ID"),
    ("graphqlApi", "graphQLapi", "GraphQLapi"),
  ])
  func capitalizesWords(_ name: String, _ member: String, _ type: String) throws {
    let capitalizer = try Capitalizer([
      .init(term: .string("id"), strategy: .upper),
      .init(term: .regex("graphql"), strategy: .replace("GraphQL")),
      .init(term: .string("API"), strategy: .lower),
    ])
    #expect(capitalizer.member(name) == member)
    #expect(capitalizer.type(Casing.capitalizingFirstLetter(name)) == type)
  }

  @Test(arguments: [
    ("pruneGeneratedFile", "pruneGeneratedFiles"), ("Input", "input"),
    ("prune", "pruneGeneratedFiles"),
  ])
  func findsTheNearestSpelling(_ word: String, _ nearest: String) {
    #expect(Spelling.nearest(to: word, in: ["input", "output", "pruneGeneratedFiles"]) == nearest)
  }
}
