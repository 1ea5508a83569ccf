import ApolloAPI
import Testing

struct ResponseObjectBuilderTests {
  private typealias Hero = StarWarsAPI.HeroQuery.Data.Hero

  private func layout(_ type: String) -> ObjectLayout {
    let plan = Hero.__layout.plan(
      schema: StarWarsAPI.SchemaMetadata.self, variables: ["withFriends": true])
    return plan.position(for: [Hero.__layout]).layout(forTypename: type)
  }

  private func hero(_ values: [String: JSONValue], friends: ObjectTree = .null) throws -> Hero {
    let layout = layout("Droid")
    var builder = ResponseObjectBuilder(layout)
    for (index, field) in layout.fields.enumerated() {
      if field.position != nil {
        try builder.set(index, objects: friends)
      } else if let value = values[field.responseKey] {
        try builder.set(index, leaf: value)
      }
    }
    return Hero(__object: try builder.finish())
  }

  private let values: [String: JSONValue] = [
    "__typename": "Droid", "name": "R2-D2, a name that is longer than fifteen bytes", "id": "2001",
    "appearsIn": ["JEDI", nil, "A_NEW_ONE"], "primaryFunction": nil, "metres": 1.09,
  ]

  @Test func makesAnObjectThatViewsRead() throws {
    let hero = try hero(values)
    #expect(hero.name == "R2-D2, a name that is longer than fifteen bytes")
    #expect(hero.appearsIn == [.case(.jedi), nil, .unknown("A_NEW_ONE")])
    #expect(hero.metres == 1.09)
    #expect(hero.friends == nil)
    #expect(hero.asDroid?.primaryFunction == nil)
    #expect(hero.asDroid?.fragments.heroDetails.id == "2001")
    #expect(hero.asDroid?.asRootEntityType == hero)
  }

  @Test(arguments: ["name", "id", "appearsIn", "primaryFunction"])
  func doesNotFinishWithoutARequiredField(key: String) {
    var values = values
    values[key] = nil as JSONValue?
    #expect(throws: ResponseError(.missingValue, path: [.field(key)])) { try hero(values) }
  }

  @Test func rejectsNullInNonNullFields() {
    var values = values
    values["name"] = .null
    #expect(throws: ResponseError(.nullValue, path: ["name"])) { try hero(values) }
  }

  @Test func comparesAndHashesOnlyTheFieldsOfTheView() throws {
    let hero = try hero(values), same = try self.hero(values)
    #expect(hero == same && hero.hashValue == same.hashValue)
    var other = values
    other["appearsIn"] = ["JEDI"]
    let different = try self.hero(other)
    #expect(hero != different)
    #expect(hero.fragments.heroDetails != different.fragments.heroDetails)
  }

  // MARK: What a builder owns

  enum End: CaseIterable {
    case finished, finishedPartially, failed, dropped
  }

  /// Sets an object with `identity` several times in a builder, and ends the builder.
  private func build(_ end: End, holding identity: ObjectIdentity) throws -> ResponseObject? {
    let layout = layout("Droid")
    var builder = ResponseObjectBuilder(layout)
    for (index, field) in layout.fields.enumerated() {
      if let position = field.position {
        let friend = ResponseObjectBuilder(position.layout(forTypename: "Droid")).finishPartially()
        friend.identity = identity
        for _ in 0..<3 {
          let isSet = builder.set(index, nullableObjects: [friend, nil, friend])
          #expect(isSet)
        }
      } else if let value = values[field.responseKey], end != .failed || field.responseKey != "id" {
        try builder.set(index, leaf: value)
      }
    }
    switch end {
    case .finished, .failed: return try builder.finish()
    case .finishedPartially: return builder.finishPartially()
    case .dropped: return nil
    }
  }

  @Test(arguments: End.allCases)
  func keepsOrReleasesItsValues(end: End) {
    weak var identity: ObjectIdentity?
    var object: ResponseObject?
    do {
      let held = ObjectIdentity.make(UnsafeRawBufferPointer(start: nil, count: 0), hash: 0)
      identity = held
      object = try? build(end, holding: held)
    }
    #expect((object != nil) == (end == .finished || end == .finishedPartially))
    #expect((identity != nil) == (object != nil))
    withExtendedLifetime(object) {}
    object = nil
    #expect(identity == nil)
  }

  @Test func setsOnlyValuesOfTheFieldsType() throws {
    let layout = layout("Droid")
    let position = try #require(layout.fields.lazy.compactMap(\.position).first)
    let friend = ResponseObjectBuilder(position.layout(forTypename: "Droid")).finishPartially()
    for (index, field) in layout.fields.enumerated() {
      var builder = ResponseObjectBuilder(layout)
      let canHold = [
        builder.set(index, object: friend), builder.set(index, objects: [friend]),
        builder.set(index, nullableObjects: [nil]),
      ]
      let isList = field.position != nil
      #expect(canHold == [false, isList, isList], "\(field.responseKey)")
    }
  }
}
