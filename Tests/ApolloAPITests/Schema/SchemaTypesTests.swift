import ApolloAPI
import Testing

@Suite struct SchemaTypesTests {
  /// A schema in the form of generated code.
  enum Zoo: SchemaMetadata {
    static let configuration: any SchemaConfiguration.Type = Configuration.self
    static let types = SchemaTypes(
      """
      type Cat: Animal, Pet; key id
      type Dog: Animal; key name, owner; field toy(id)
      type Query; field pet(id, kind); field nothing()
      interface Animal: Cat, Dog, Wolf; key id; field toy(id, color)
      union ClassroomPet: Cat, Hamster
      """)

    enum Configuration: SchemaConfiguration {
      static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { nil }
    }
  }

  @Test func parsesObjectTypes() throws {
    let dog = try #require(Zoo.types.object(named: "Dog"))
    #expect(dog.typename == "Dog")
    #expect(dog.implementedInterfaces.map(\.name) == ["Animal"])
    #expect(dog.keyFields == ["name", "owner"])
    #expect(dog.fieldPolicies == ["toy": ["id"]])

    let query = try #require(Zoo.types.object(named: "Query"))
    #expect(query.implementedInterfaces == [] && query.keyFields == nil)
    #expect(query.fieldPolicies == ["pet": ["id", "kind"], "nothing": []])
    #expect(Zoo.types.object(named: "Animal") == nil)
  }

  @Test func parsesLookups() {
    let types = SchemaTypes(
      """
      type Query; field pet(tag); lookup pet(tag Int!) Pet number; lookup node(id ID!) Node id
      type Cat: Node, Pet
      type Stone: Node
      interface Node: Cat, Stone
      interface Pet: Cat
      """)
    // The first one that finds the type, as the compiler orders them.
    let pet = ObjectLookup(
      field: "pet", argument: "tag", argumentType: "Int!", type: "Pet", keyField: "number")
    let node = ObjectLookup(
      field: "node", argument: "id", argumentType: "ID!", type: "Node", keyField: "id")
    #expect(types.lookup(ofObjectsOfType: "Cat", from: "Query") == pet)
    #expect(types.lookup(ofObjectsOfType: "Stone", from: "Query") == node)
    #expect(types.lookup(ofObjectsOfType: "Wolf", from: "Query") == nil)
    #expect(types.lookup(ofObjectsOfType: "Cat", from: "Cat") == nil)
    #expect(types.findsObjects(from: "Query") && !types.findsObjects(from: "Cat"))
  }

  @Test func parsesInterfacesAndUnions() throws {
    let animal = try #require(Zoo.types.interface(named: "Animal"))
    #expect(animal.implementingObjects == ["Cat", "Dog", "Wolf"])
    #expect(animal.keyFields == ["id"] && animal.fieldPolicies == ["toy": ["id", "color"]])

    // The interfaces of a type are those of the text, or known by name alone.
    let interfaces = try #require(Zoo.types.object(named: "Cat")).implementedInterfaces
    #expect(interfaces.map(\.keyFields) == [["id"], nil])

    let pet = try #require(Zoo.types.union(named: "ClassroomPet"))
    #expect(pet.possibleTypes.map(\.typename) == ["Cat", "Hamster"])
    #expect(pet.possibleTypes.map(\.keyFields) == [["id"], nil])
  }

  @Test func constantsReadTheirSchema() {
    let dog = Object("Dog", of: Zoo.self)
    #expect(dog == Zoo.types.object(named: "Dog") && dog != Object("Cat", of: Zoo.self))
    #expect(dog.implementedInterfaces == [Interface("Animal", of: Zoo.self)])
    #expect(dog.keyFields == ["name", "owner"] && dog.fieldPolicies == ["toy": ["id"]])
    #expect(Interface("Animal", of: Zoo.self).implementingObjects == ["Cat", "Dog", "Wolf"])
    #expect(Interface("Animal", of: Zoo.self).keyFields == ["id"])
    let pet = Union("ClassroomPet", of: Zoo.self)
    #expect(pet.possibleTypes.map(\.typename) == ["Cat", "Hamster"])
    #expect(Set([dog, Object(typename: "Dog")]).count == 1)
  }

  @Test func unknownTypesHaveOnlyAName() {
    let wolf = Object("Wolf", of: Zoo.self)
    #expect(wolf.typename == "Wolf" && wolf.implementedInterfaces == [] && wolf.keyFields == nil)
    #expect(Interface("Plant", of: Zoo.self).implementingObjects == [])
    #expect(Union("Plant", of: Zoo.self).possibleTypes == [])
  }
}
