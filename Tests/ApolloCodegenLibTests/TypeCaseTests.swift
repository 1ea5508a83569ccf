import ApolloAPI
import Testing

/// Rules for merged fields and for type cases, one per test.
@Suite struct TypeCaseTests {
  private func decode<Operation: GraphQLOperation>(
    _ operation: Operation, _ json: String
  ) throws -> Operation.Data {
    let response = try ResponseDecoder().decode(
      Array(#"{"data":\#(json)}"#.utf8), as: operation)
    return try #require(response.data)
  }

  @Test func aTypeCaseShowsTheFieldsOfWhatIsAroundIt() throws {
    let animal = try decode(
      TypeCasesAPI.ParentsQuery(),
      #"{"animal":{"__typename":"Dog","name":"Rex","owner":{"__typename":"Person","city":"Rome","name":"Ann"},"barks":true}}"#
    ).animal
    let dog = try #require(animal.asDog)
    #expect(dog.name == "Rex" && dog.barks)
    #expect(dog.owner?.city == "Rome" && dog.owner?.name == "Ann")
    #expect(TypeCasesAPI.ParentsQuery.Data.Animal.Owner.__layout.keys == ["__typename", "city"])
  }

  @Test func aTypeCaseShowsTheFieldsOfOthersBesideItThatApply() throws {
    let animal = try decode(
      TypeCasesAPI.SiblingsQuery(),
      #"{"animal":{"__typename":"Dog","nickname":"R","barks":true}}"#
    ).animal
    #expect(animal.asDog?.nickname == "R" && animal.asPet?.nickname == "R")
    #expect(animal.asFish == nil)
    typealias Animal = TypeCasesAPI.SiblingsQuery.Data.Animal
    #expect(Animal.AsFish.__layout.keys == ["depth", "__typename"], "A fish is no pet.")
    #expect(Animal.AsPet.__layout.keys == ["nickname", "__typename"], "Not every pet is a dog.")
  }

  @Test func aTypeCaseShowsTheFieldsOfUnionsThatApply() throws {
    let being = try #require(
      try decode(
        TypeCasesAPI.UnionsQuery(),
        #"{"being":{"__typename":"Dog","kind":"Dog","barks":true}}"#
      ).being)
    #expect(being.asDog?.kind == "Dog" && being.asMammal?.kind == "Dog")
    #expect(TypeCasesAPI.UnionsQuery.Data.Being.AsFish.__layout.keys == ["depth", "__typename"])
  }

  @Test func aTypeCaseInATypeCaseShowsWhatIsBesideItsParent() throws {
    let being = try #require(
      try decode(
        TypeCasesAPI.UnclesQuery(), #"{"being":{"__typename":"Dog","barks":true,"age":3}}"#
      ).being)
    #expect(being.asPet?.asDog?.age == 3 && being.asAnimal?.age == 3)
    #expect(being.asPet?.asDog?.barks == true)
  }

  @Test func aFragmentThatAlwaysAppliesIsNotATypeCase() throws {
    let animal = try decode(
      TypeCasesAPI.FoldedQuery(),
      #"{"animal":{"__typename":"Fish","id":"1","name":"Nemo","key":"1","age":2}}"#
    ).animal
    #expect(animal.id == "1" && animal.name == "Nemo" && animal.key == "1" && animal.age == 2)
    #expect(
      Set(TypeCasesAPI.FoldedQuery.Data.Animal.__layout.keys)
        == ["__typename", "id", "name", "key", "age"])
  }

  @Test func fragmentsOfNarrowerTypesAreOptionalAndTypeCases() throws {
    let animal = try decode(
      TypeCasesAPI.FragmentsQuery(),
      #"{"animal":{"__typename":"Dog","name":"Rex","id":"1","owner":{"__typename":"Person","city":"Rome","name":"Ann"},"barks":true}}"#
    ).animal
    let (wider, same) = (animal.fragments.nodeParts, animal.fragments.animalParts)
    #expect(wider.id == "1" && same.name == "Rex" && same.owner?.city == "Rome")
    #expect(animal.id == "1" && animal.name == "Rex" && animal.owner?.city == "Rome")
    #expect(animal.fragments.dogParts?.owner?.name == "Ann")
    #expect(animal.asDog?.barks == true && animal.asDog?.fragments.dogParts.barks == true)
    #expect(animal.asDog?.owner?.city == "Rome" && animal.asDog?.owner?.name == "Ann")
    let cat = try decode(
      TypeCasesAPI.FragmentsQuery(),
      #"{"animal":{"__typename":"Cat","name":"Tom","id":"1","owner":null}}"#
    ).animal
    #expect(cat.asDog == nil && cat.fragments.dogParts == nil && cat.fragments.nodeParts.id == "1")
  }

  @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
  func conditionsDetermineWhichFieldsArePresent(_ a: Bool, _ b: Bool) throws {
    func json(_ type: String, _ own: [String]) -> String {
      let person =
        a
        ? #"{"__typename":"Person","name":"Ann","city":"Rome"}"#
        : #"{"__typename":"Person","name":"Ann"}"#
      let fields =
        [#""__typename":"\#(type)","id":"1","owner":\#(person)"#]
        + (a || b ? [#""name":"Rex""#] : [])
        + (a ? [#""friends":[{"__typename":"Cat","id":"2"}]"#] : []) + own
      return "{\"animal\":{\(fields.joined(separator: ","))}}"
    }
    let query = TypeCasesAPI.ConditionsQuery(a: a, b: b)
    let dog = try decode(query, json("Dog", b ? [#""barks":true"#] : [])).animal
    let id: ID = dog.id
    #expect(id == "1", "A condition that always holds is none.")
    #expect(dog.name == (a || b ? "Rex" : nil), "Either condition will do.")
    #expect(dog.owner?.name == "Ann")
    #expect(dog.ifA?.friends.map(\.id) == (a ? ["2"] : nil))
    #expect(dog.ifA?.owner?.city == (a ? "Rome" : nil))
    #expect(dog.ifA?.owner?.name == (a ? "Ann" : nil))
    #expect(dog.asDogIfB?.barks == (b ? true : nil))
    #expect(dog.fragments.dogParts?.barks == (b ? true : nil))
    #expect(dog.asCatIfAAndNotB == nil)
    let cat = try decode(query, json("Cat", a && !b ? [#""purrs":true"#] : [])).animal
    #expect(cat.asCatIfAAndNotB?.purrs == (a && !b ? true : nil))
    #expect(cat.asDogIfB == nil && cat.fragments.dogParts == nil)
    let keys = TypeCasesAPI.ConditionsQuery.Data.Animal.__layout.keys
    #expect(
      !keys.contains("nick") && !keys.contains("never"), "What never is there is no property.")
  }

  @Test func typeCasesInFragmentsApplyWhereverTheFragmentIs() throws {
    let animal = try decode(
      TypeCasesAPI.DeepQuery(),
      #"{"animal":{"__typename":"Dog","nickname":"R","owner":{"__typename":"Person","name":"Ann"},"age":3,"barks":true}}"#
    ).animal
    let deep = animal.fragments.deep
    #expect(deep.asPet?.nickname == "R" && deep.asPet?.asDog?.owner?.name == "Ann")
    #expect(deep.asPet?.asDog?.age == 3 && deep.asPet?.asAnimal?.age == 3)
    #expect(animal.asPet?.nickname == "R" && animal.asPet?.asDog?.owner?.name == "Ann")
    #expect(animal.asDog?.barks == true && animal.asDog?.nickname == "R")
    #expect(animal.asDog?.fragments.deep.asPet?.asDog?.age == 3)
    let fish = try decode(TypeCasesAPI.DeepQuery(), #"{"animal":{"__typename":"Fish"}}"#).animal
    #expect(fish.asDog == nil && fish.asPet == nil && fish.fragments.deep.asPet == nil)
  }

  @Test(arguments: ["Fish", "Robot"])
  func anUnmentionedTypeFulfilsNoTypeCase(_ type: String) throws {
    let being = try #require(
      try decode(TypeCasesAPI.EmptyQuery(), #"{"being":{"__typename":"\#(type)"}}"#).being)
    #expect(being.asDog == nil && being.asPerson == nil && being.__typename == type)
  }
}
