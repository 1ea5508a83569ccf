import ApolloAPI
import Foundation
import Testing

struct ModelJSONTests {
  typealias Data = StarWarsAPI.HeroQuery.Data

  private let bytes = Array(
    """
    {"hero":{"__typename":"Droid","name":"R2-D2","id":"2001","appearsIn":["NEWHOPE",null,"REY"],"primaryFunction":null,\
    "friends":[{"__typename":"Human","name":"Luke \\"L\\" Skywalker, of Tatooine"},null],\
    "metres":0.96}}
    """.utf8)
  private let variables: Variables = ["withFriends": true]

  @Test func survivesJSONSerialization() throws {
    let data = try Data(jsonBytes: bytes, variables: variables)
    let json = data.jsonObject
    let serialized = try JSONSerialization.data(withJSONObject: json, options: [])
    // As in the documentation: the result of JSONSerialization is cast.
    let deserialized =
      try JSONSerialization.jsonObject(with: serialized, options: []) as! JSONObject
    #expect(try Data(jsonObject: deserialized, variables: variables) == data)
    #expect(try Data(jsonObject: json, variables: variables) == data)
    #expect(data.jsonBytes == bytes)
  }

  @Test func isCodable() throws {
    let data = try Data(jsonBytes: bytes, variables: variables)
    let decoder = JSONDecoder()
    decoder.userInfo[.graphQLVariables] = variables
    #expect(try decoder.decode(Data.self, from: JSONEncoder().encode(data)) == data)
  }

  @Test func usesTheDefaultsOfVariables() throws {
    #expect(try Data(jsonBytes: bytes).hero?.friends?.count == 2)
    #expect(try Data(jsonBytes: bytes, variables: ["withFriends": false]).hero?.friends == nil)
  }

  @Test func partsOfModelsAreModels() throws {
    let hero = try #require(try Data(jsonBytes: bytes).hero)
    let again = try Data.Hero(jsonObject: hero.jsonObject)
    #expect(again == hero)
    let details = try StarWarsAPI.HeroDetails(jsonObject: hero.fragments.heroDetails.jsonObject)
    #expect(details == hero.fragments.heroDetails)
    #expect(details.hashValue == hero.fragments.heroDetails.hashValue)
    #expect(Set(details.jsonObject.keys) == ["__typename", "id", "appearsIn"])
  }

  @Test func nullableFieldsMayBeLeftOut() throws {
    let hero = try Data.Hero(
      jsonObject: ["__typename": "Human", "name": "Leia", "id": "3", "appearsIn": [String]()])
    #expect(hero.metres == nil)
    #expect(throws: ResponseError(.missingValue, path: ["id"], byteOffset: 51)) {
      try Data.Hero(jsonObject: ["__typename": "Human", "name": "Leia", "appearsIn": [String]()])
    }
  }

  @Test func nullAndMissingAreEqual() throws {
    let missing = try Data(jsonValue: [:])
    let null = try Data(jsonValue: ["hero": nil])
    #expect(missing == null && missing.hashValue == null.hashValue)
    #expect(missing.jsonObject.isEmpty && null.jsonObject["hero"] is NSNull)
  }

  @Test func describesItself() throws {
    let friend = try Data.Hero.Friend(jsonValue: ["__typename": "Human", "name": "Han"])
    #expect(
      friend.debugDescription == "Friend {\n  \"__typename\": \"Human\",\n  \"name\": \"Han\"\n}")
    #expect(Mirror(reflecting: friend).children.map(\.label) == ["__typename", "name"])
  }

  @Test func rejectsValuesOutsideJSON() {
    #expect(throws: ScalarError.self) { try Data(jsonObject: ["hero": Date()]) }
  }
}
