import Apollo
import ApolloAPI
import Foundation
import StarWarsAPI
import TestOperations

// The examples in the documentation of `ApolloAPI`, word for word, so that the compiler
// checks them. `DocumentationExamplesTests` compares the two.

private typealias HeroQuery = HeroAndFriendsQuery

// MARK: - Responses

private func decode(_ bytes: Data, _ client: ApolloClient) async throws {
  do {
    let response = try ResponseDecoder().decode(bytes, as: HeroQuery(episode: .case(.jedi)))
    _ = response
  }
  do {
    let response = try ResponseDecoder().decode(bytes, as: HeroQuery(episode: .jedi))
    _ = response
  }
  do {
    let response = try ResponseDecoder().decode(bytes, as: HeroQuery())
    print(response.data?.hero?.name ?? "no hero")
  } catch {
    print(error.path.dotted, error.problem)  // hero.height missingValue
  }
  do {
    let query = HeroQuery(episode: .empire)
    let response = try ResponseDecoder().decode(bytes, as: query)
    _ = response
  }
  let decoder = ResponseDecoder(limits: ResponseLimits(depth: 64, byteCount: 1 << 20))
  _ = decoder
  do {
    let response = try await client.fetch(query: HeroQuery())
    if let hero = response.data?.hero { print(hero.name) }
    for error in response.errors ?? [] { print(error.message) }
  }
}

private func logIn() {}
private func show(_ text: String) {}

private func read(
  _ response: GraphQLResponse<HeroQuery>, _ hero: HeroQuery.Data.Hero.AsHuman
) {
  for error in response.errors ?? [] where error["code"] == "UNAUTHENTICATED" { logIn() }
  if let hero = response.data?.hero {
    print(hero.name)
    if let droid = hero.asDroid { print(droid.primaryFunction ?? "none") }
  }
  if hero.height == nil, let error = hero.errors(for: \.height).first { show(error.message) }
}

private func readJSON() throws {
  let value = try JSONValue(jsonBytes: Data(#"{"stars": 5}"#.utf8))
  _ = value
  let review: JSONValue = ["stars": 5, "tags": ["space", "opera"], "reply": nil]
  print(review["tags"]?[0]?.stringValue ?? "none")  // space
}

private func payload(in bytes: Data) throws -> Data? {
  var payload: Data?
  try JSONMember.forEach(in: bytes) { member in
    if member.key == "payload", case .object(let range) = member.value { payload = bytes[range] }
  }
  return payload
}

// MARK: - Models

private struct User {
  var name: FieldResult<String>
}

private func show(_ user: User) {
  struct Label {
    var text = ""
  }
  var label = Label()
  switch user.name {
  case .success(let name): label.text = name
  case .failure(let error): label.text = error.message
  }
  print(label)
}

private struct Details: StarWarsAPI.SelectionSet {
  private let __storage: ResponseObject
  static var __layout: SelectionLayout { HeroQuery.__selections[1] }
}

private struct DeferringHero {
  var fragments: Fragments

  struct Fragments {
    @Deferred var deferredDetails: Details?
  }
}

private func showPlaceholder() {}
private func show(_ details: Details) {}

private func show(_ hero: DeferringHero) {
  if let details = hero.fragments.deferredDetails { show(details) }
  switch hero.fragments.$deferredDetails {
  case .pending: showPlaceholder()
  case .notExecuted: break  // another type, or an excluded part
  case .fulfilled(let details): show(details)
  }
}

private struct ClassifiedHero {
  enum Species: String, EnumType {
    case human, droid
  }

  var species: GraphQLEnum<Species>
}

private func show(_ hero: ClassifiedHero) {
  switch hero.species {
  case .case(.human): show("human")
  case .case(.droid): show("droid")
  case .unknown(let name): show(name)  // the server knows a species that this program does not
  }
}

private struct EditableHero: StarWarsAPI.MutableSelectionSet {
  static let __selections = Selections(
    #"Character {__typename String! ...Droid {+__typename primaryFunction String}}"#)

  var __object: ResponseObject
  init(__object: ResponseObject) { self.__object = __object }
  static let __layout = __selections[0]

  var asDroid: AsDroid? {
    get { _asInlineFragment() }
    set { _set(newValue) }
  }

  struct AsDroid: StarWarsAPI.MutableInlineFragment {
    typealias RootEntityType = EditableHero
    var __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }
    static let __layout = EditableHero.__selections[1]

    var primaryFunction: String? {
      get { __object[0, Self.__layout] }
      set { __object[0, Self.__layout] = newValue }
    }
  }
}

private func change(
  _ hero: inout EditableHero, _ data: inout HeroAPI.HeroLocalCacheMutation.Data,
  adding added: HeroAPI.HeroName
) throws {
  hero.mutateIfFulfilled(\.asDroid) { $0.primaryFunction = "Astromech" }
  data.hero?.friends?.insert(try .init(converting: added), at: 0)
}

private typealias HeroLocalCacheMutation = HeroAPI.HeroLocalCacheMutation

private func change(_ store: ApolloStore) async throws {
  try await store.withinReadWriteTransaction { transaction in
    try transaction.update(HeroLocalCacheMutation()) { $0.hero?.name = "Luke" }
  }
}

// MARK: - Inputs

private func makeInputs() {
  let query = HeroNameQuery(episode: .empire)
  _ = query
  var review = ReviewInput(stars: 5, commentary: nil)  // absent
  review.commentary = .null  // "commentary": null
  review.commentary = "Superb"  // "commentary": "Superb"
  _ = review
  let fields: InputFields = ["stars": 5, "commentary": GraphQLNullable<String>.null]
  _ = fields
}

private struct LargeInput {
  var __values: InputValues

  var stars: GraphQLNullable<Int> {
    get { __values[0] }
    set { __values[0] = newValue }
  }
}

private func count() {
  let count = Lock(0)
  count.withLock { $0 += 1 }
}

// MARK: - Schemas

private enum ExampleAPI {
  struct Money: CustomScalarType {
    var cents: Int

    init(_jsonValue value: JSONValue) throws {
      guard let cents = value.intValue else { throw ScalarError(expected: "cents", found: value) }
      self.cents = cents
    }

    var _jsonValue: JSONValue { .int(Int64(cents)) }
  }

  typealias Date = Foundation.Date

  struct DateTime: CustomScalarType {
    var date: Date

    init(_jsonValue value: JSONValue) throws {
      date = try Date(lenientJSONValue: value)
    }

    var _jsonValue: JSONValue { date._jsonValue }
  }

  enum SchemaMetadata: ApolloAPI.SchemaMetadata {
    static let configuration: any ApolloAPI.SchemaConfiguration.Type =
      SchemaConfiguration.self
    static let types = GeneratedCode.SchemaTypes(
      """
      type Droid: Character
      type Human: Character
      interface Character: Droid, Human
      union SearchResult: Droid, Human
      """)
  }

  enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
    static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? {
      try? CacheKeyInfo(jsonValue: object["id"])
    }
  }
}

private typealias SchemaConfiguration = ExampleAPI.SchemaConfiguration

extension SchemaConfiguration: FieldPolicy.Provider {
  static func cacheKey(
    for field: FieldPolicy.Field, inputData: FieldPolicy.InputData
  ) -> CacheKeyInfo? {
    guard field.name == "hero" else { return nil }
    return try? CacheKeyInfo(jsonValue: inputData["id"], uniqueKeyGroup: "Character")
  }
}

extension SchemaConfiguration: ListPolicy.Provider {
  static func listPolicy(forField field: String, of type: String) -> ListPolicy? {
    switch field {
    case "orders": .connection()
    case "products": .offset("offset", limit: "limit", keyArguments: ["category"])
    default: nil
    }
  }
}

private func makeKeys() {
  let key = CacheKeyInfo(id: "1000", uniqueKeyGroup: "Character")  // Character:1000
  _ = key
  let maxAges: MaxAges = [
    "Product": .seconds(300), "Product.price": .seconds(10), "Product.maker": .inherited,
  ]
  _ = maxAges
}
