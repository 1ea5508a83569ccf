import ApolloAPI
import Foundation
import Testing

/// Conformances of generated models: comparison, sending, coding, printing and JSON.
@Suite struct ModelTests {
  private typealias Data = MergingAPI.NarrowQuery.Data

  private static let json = """
    {"animal":{"__typename":"Dog","id":"1","name":"Rex","barks":true,
    "owner":{"__typename":"Owner","name":"Ann","city":null}}}
    """

  private func data(_ json: String = json) throws -> Data {
    try Data(jsonBytes: Array(json.utf8))
  }

  private func id<Model: Identifiable>(of model: Model) -> Model.ID { model.id }

  private func roundTrip<Model: Codable>(_ model: Model) throws -> Model {
    try JSONDecoder().decode(Model.self, from: JSONEncoder().encode(model))
  }

  @Test func modelsWithAKeyAreIdentifiable() throws {
    let heroes = try PoliciesAPI.HeroesQuery.Data(
      jsonBytes: Array(
        #"{"heroes":[{"__typename":"Human","id":"7","name":"Luke"}]}"#.utf8)
    ).heroes
    #expect(heroes.map(id) == ["7"])
    let animal = try data().animal
    #expect(id(of: animal) == "1")
    #expect(try id(of: #require(animal.asDog)) == "1")
    #expect(try id(of: #require(animal.fragments.dogDetails)) == "1")
    #expect(
      !((try data()) as Any is any Identifiable), "There is no key at the root.")
    #expect(
      !(StarWarsAPI.HeroAndFriendsQuery.Data.Hero.self is any Identifiable.Type),
      "That schema does not say what its keys are.")
  }

  @Test func modelsAreComparable() throws {
    let (one, same) = (try data(), try data())
    let other = try data(Self.json.replacingOccurrences(of: "Ann", with: "Bob"))
    #expect(one == same && one.hashValue == same.hashValue && one != other)
    #expect(one.animal == same.animal && one.animal != other.animal)
    #expect(one.animal.asDog?.owner == same.animal.asDog?.owner)
    #expect(one.animal.fragments.dogDetails != other.animal.fragments.dogDetails)
    #expect(Set([one, same, other]).count == 2)
  }

  @Test func modelsOfObjectsAndFragmentsAreCodable() throws {
    let data = try data()
    let details = try #require(data.animal.fragments.dogDetails)
    let owner = try #require(details.owner)
    #expect(try roundTrip(data) == data)
    #expect(try roundTrip(data.animal) == data.animal)
    #expect(try roundTrip([details]) == [details])
    #expect(try roundTrip(owner) == owner)
    #expect(throws: ResponseError.self) {
      try JSONDecoder().decode(Data.self, from: Foundation.Data("[]".utf8))
    }
  }

  @Test func modelsOfConditionsAreCodableWithVariables() throws {
    let query = MergingAPI.ConditionalQuery(a: true, b: true)
    let data = try MergingAPI.ConditionalQuery.Data(
      jsonBytes: Array(
        """
        {"animal":{"__typename":"Dog","id":"1","name":"Rex","owner":null,"friends":[]}}
        """.utf8), variables: query.__variables)
    let decoder = JSONDecoder()
    decoder.userInfo[.graphQLVariables] = query.__variables
    let again = try decoder.decode(type(of: data), from: JSONEncoder().encode(data))
    #expect(again == data && again.animal.ifA?.friends == [])
  }

  @Test func modelsTurnIntoJSONAndBack() throws {
    let data = try data()
    let serialized = try JSONSerialization.data(withJSONObject: data.jsonObject)
    let object = try #require(try JSONSerialization.jsonObject(with: serialized) as? JSONObject)
    #expect(try Data(jsonObject: object) == data)
    #expect(data.jsonValue == (try JSONValue(jsonBytes: Array(Self.json.utf8))))
    let details = try #require(data.animal.fragments.dogDetails)
    #expect(
      details.jsonValue == [
        "__typename": "Dog", "id": "1", "barks": true,
        "owner": ["__typename": "Owner", "name": "Ann", "city": nil],
      ])
    #expect(try MergingAPI.DogDetails(jsonObject: details.jsonObject) == details)
  }

  @Test(arguments: [
    (#"{"animal":null}"#, "animal"), (#"{"animal":{"__typename":"Dog"}}"#, "animal.id"),
    (#"{"animal":{"__typename":"Dog","id":"1","name":7}}"#, "animal.name"), ("{}", "animal"),
  ])
  func rejectsJSONThatDoesNotFitTheModel(_ json: String, _ path: String) throws {
    let object = try #require(
      try JSONSerialization.jsonObject(with: Foundation.Data(json.utf8)) as? JSONObject)
    let error = #expect(throws: ResponseError.self) { try Data(jsonObject: object) }
    #expect(error?.path.dotted == path)
  }

  @Test func conformancesAreAddedOnlyWhereTheyAreAskedFor() throws {
    let hero: Any.Type = StarWarsAPI.HeroAndFriendsQuery.Data.Hero.self
    #expect(!(hero is any Codable.Type) && !(hero is any CustomReflectable.Type))
    let animal: Any.Type = MergingAPI.NarrowQuery.Data.Animal.self
    #expect(animal is any Codable.Type && animal is any CustomReflectable.Type)
    let dog: Any.Type = MergingAPI.NarrowQuery.Data.Animal.AsDog.self
    #expect(!(dog is any Decodable.Type) && dog is any CustomReflectable.Type)
  }

  @Test func modelsWithoutAMirrorArePrintedAndDumpedAsTheirObject() throws {
    let json = """
      {"hero":{"__typename":"Droid","name":"R2-D2","appearsIn":[],"friends":[],\
      "primaryFunction":null}}
      """
    let hero = try #require(
      try StarWarsAPI.HeroAndFriendsQuery.Data(jsonBytes: Array(json.utf8)).hero)
    #expect("\(hero)".hasPrefix("Hero(__storage: "))
    #expect("\(hero)".contains(#"__typename: "Droid", name: "R2-D2""#))
    var text = ""
    dump(hero, to: &text)
    #expect(text.contains(#"name: "R2-D2""#))
  }

  @Test func modelsHaveADescription() throws {
    let animal = try data().animal
    #expect(
      animal.debugDescription == """
        Animal {
          "__typename": "Dog",
          "barks": true,
          "id": "1",
          "name": "Rex",
          "owner": {
            "__typename": "Owner",
            "city": null,
            "name": "Ann"
          }
        }
        """)
    #expect("\(animal)".hasPrefix(#"Animal(__typename: "Dog", id: "1", name: "Rex", "#))
    #expect(
      Set(Mirror(reflecting: animal).children.compactMap(\.label))
        == ["__typename", "barks", "id", "name", "owner"])
  }
}
