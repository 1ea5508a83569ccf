import ApolloAPI
import ApolloCache
import Testing

/// Models that are made of models of other operations, and lists that are changed with them.
@Suite struct ConvertingTests {
  typealias Mutation = ChangingAPI.HeroLocalCacheMutation
  typealias Friend = Mutation.Data.Hero.Friend

  private func decode<Operation: GraphQLOperation>(
    _ operation: Operation, _ data: String
  ) throws -> Operation.Data {
    try #require(
      try ResponseDecoder().decode(Array(#"{"data":\#(data)}"#.utf8), as: operation).data)
  }

  private let hero =
    #"{"hero":{"__typename":"Human","id":"1","name":"Luke","home":{"__typename":"Place","name":"Tatooine","moons":[1,2]}}}"#

  private func local(friends: String) throws -> Mutation.Data {
    try Mutation.Data(
      jsonBytes: Array(
        #"{"hero":{"__typename":"Human","id":"0","name":"R2","home":null,"rank":1,"friends":\#(friends)}}"#
          .utf8), variables: ["ranked": true])
  }

  @Test func aModelOfAnotherOperationHasTheSharedFields() throws {
    let hero = try #require(try decode(ChangingAPI.HeroQuery(), hero).hero)
    let friend = try Friend(converting: hero)
    #expect(friend.id == "1" && friend.name == "Luke" && friend.__typename == "Human")
    let local = try Mutation.Data.Hero(converting: hero, variables: ["ranked": true])
    #expect(local.home?.name == "Tatooine" && local.home?.moons == [1, 2])
    #expect(local.rank == nil && local.friends == nil, "The query has not selected them.")
    #expect(local.asDroid == nil)
  }

  @Test func aFieldThatIsNeverNullHasToBeThere() throws {
    let animals = try decode(
      ChangingAPI.AnimalsQuery(), #"{"animals":[{"__typename":"Cat","name":"Tom"}]}"#)
    let error = #expect(throws: ModelConversionError.self) {
      try Friend(converting: animals.animals[0])
    }
    #expect(error?.path == ["id"])
    #expect(
      error?.description
        == "The other model has no value for 'id' of 'Character'. Select the field in its operation, with the same arguments."
    )
  }

  /// Written to the cache, the null would be taken for the value.
  @Test func aFieldThatHasFailedIsMissing() throws {
    let body = """
      {"data":{"hero":{"__typename":"Human","id":"1","name":"Luke","home":null}},
      "errors":[{"message":"Nobody knows.","path":["hero","home"]}]}
      """
    let hero = try #require(
      try ResponseDecoder().decode(Array(body.utf8), as: ChangingAPI.HeroQuery()).data?.hero)
    let local = try Mutation.Data.Hero(converting: hero, variables: ["ranked": true])
    #expect(local.home == nil)
    #expect(local.jsonObject["home"] == nil, "It is not even null.")
  }

  @Test func elementsOfListsAreInsertedMovedAndRemoved() throws {
    let added = try #require(try decode(ChangingAPI.HeroQuery(), hero).hero)
    var data = try local(
      friends:
        #"[{"__typename":"Human","id":"8","name":"Han"},{"__typename":"Human","id":"9","name":"Leia"}]"#
    )
    data.hero?.friends?.insert(try Friend(converting: added), at: 0)
    #expect(data.hero?.friends?.map { $0?.name } == ["Luke", "Han", "Leia"])
    data.hero?.friends?.swapAt(0, 2)
    #expect(data.hero?.friends?.map { $0?.name } == ["Leia", "Han", "Luke"])
    data.hero?.friends?.removeAll { $0?.id == "8" }
    #expect(data.hero?.friends?.map { $0?.name } == ["Leia", "Luke"])
  }

  @Test func aListInTheCacheGetsTheResultOfAnotherOperation() async throws {
    let store = ApolloStore()
    try await store.publish(body: Array(#"{"data":\#(hero)}"#.utf8), of: ChangingAPI.HeroQuery())
    try await store.publish([
      "Human:1": ["friends": [.reference("Human:9")], "rank": 5],
      "Human:9": ["__typename": "Human", "id": "9", "name": "Leia", "rank": 3],
    ])
    // The result of a mutation, of which the cache knows more fields.
    let other = #"{"hero":{"__typename":"Human","id":"2","name":"Han","home":null}}"#
    let added = try #require(try decode(ChangingAPI.HeroQuery(), other).hero)
    try await store.publish(["Human:2": ["__typename": "Human", "id": "2", "rank": 7]])
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(Mutation(ranked: true)) { data in
        data.hero?.friends?.append(try Friend(converting: added))
      }
    }
    let friends = try await store.withinReadTransaction {
      try $0.read(Mutation(ranked: true)).hero?.friends
    }
    #expect(friends?.map { $0?.name } == ["Leia", "Han"])
    let han = try await store.readOnlyCache.loadRecords(forKeys: ["Human:2"])
    #expect(han["Human:2"]?.fields["rank"] == 7, "What the model lacks is not removed.")
  }
}
