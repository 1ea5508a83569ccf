import ApolloAPI
import Foundation
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
    #expect(dog.owner?.ifA?.city == (a ? "Rome" : nil))
    #expect(dog.ifA?.owner?.ifA?.name == (a ? "Ann" : nil))
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
    #expect(deep.asPet?.asDog?.age == 3 && deep.asPet?.age == 3)
    #expect(animal.asPet?.nickname == "R" && animal.asPet?.asDog?.owner?.name == "Ann")
    #expect(animal.asDog?.barks == true && animal.asDog?.nickname == "R")
    #expect(animal.asDog?.fragments.deep.asPet?.asDog?.age == 3)
    let fish = try decode(TypeCasesAPI.DeepQuery(), #"{"animal":{"__typename":"Fish"}}"#).animal
    #expect(fish.asDog == nil && fish.asPet == nil && fish.fragments.deep.asPet == nil)
  }

  @Test(arguments: [true, false])
  func aTypeCaseHasTheTypesAroundIt(_ a: Bool) throws {
    let query = TypeCasesAPI.RememberedQuery(a: a)
    let animal = try decode(
      query,
      #"{"animal":{"__typename":"Dog","nickname":"R","name":"Rex","owner":null,"age":3,"id":"1","friends":[{"__typename":"Fish","id":"2","name":"Nemo"}]}}"#
    ).animal
    let pet: TypeCasesAPI.RememberedQuery.Data.Animal.AsPet = try #require(animal.asPet)
    // What is certain is not optional: every pet here is an animal.
    let (age, parts): (Int?, TypeCasesAPI.AnimalParts) = (pet.age, pet.fragments.animalParts)
    #expect(age == 3 && parts.name == "Rex")
    let friends: [TypeCasesAPI.RememberedQuery.Data.Animal.AsPet.Friend] = pet.friends
    #expect(friends.map(\.name) == ["Nemo"] && friends.map(\.id) == ["2"])
    let certain: TypeCasesAPI.PetParts? = pet.asMammal.map { $0.fragments.petParts }
    #expect(certain?.nickname == "R" && pet.asMammal?.fragments.animalParts.name == "Rex")
    #expect(pet.ifA?.id == (a ? "1" : nil))
  }

  /// A server with a newer schema may send an animal of a type that is none here.
  @Test(arguments: [("Rock", true), ("Robot", false), ("Person", false)])
  func typesThatAreNewAtAPositionKeepPromises(_ type: String, _ isPet: Bool) throws {
    let object =
      #"{"__typename":"\#(type)","nickname":"R","name":"Rex","owner":null,"age":3,"id":"1","friends":[]}"#
    let animal = try decode(
      TypeCasesAPI.RememberedQuery(a: true), #"{"animal":\#(object)}"#
    ).animal
    #expect((animal.asPet?.fragments.animalParts.name == "Rex") == isPet)
    #expect((animal.asPet?.fragments.petParts.nickname == "R") == isPet)
    #expect((animal.asPet?.friends.isEmpty ?? false) == isPet && animal.friends.isEmpty)
  }

  /// The fragment's own type case cannot promise the name, which a condition may leave out of it.
  @Test func aTypeCaseOfAFragmentPromisesWhatTheObjectPromises() throws {
    let project = try GeneratedProject(
      schema: """
        type Query { hero: Character }
        interface Character { name: String! }
        type Droid implements Character { name: String! function: String }
        """,
      operations: """
        query Q($a: Boolean!) { hero { name ...Parts } }
        fragment Parts on Character { name @include(if: $a) ... on Droid { function } }
        """)
    let file = try #require(project.files.first { $0.hasSuffix("QQuery.graphql.swift") })
    let text = try project.text(of: file)
    #expect(text.contains("struct AsDroid:"), "\(text)")
    // The hero has one, and the droid.
    #expect(text.components(separatedBy: "var name: String {").count == 3, "\(text)")
  }

  @Test func structsOfFragmentsHaveNamesWhereTheyAreUsed() throws {
    let data = try decode(
      TypeCasesAPI.BorrowedQuery(),
      #"{"animal":{"__typename":"Dog","friends":[{"__typename":"Fish","name":"Nemo"}],"barks":true},"being":null}"#
    )
    typealias Animal = TypeCasesAPI.BorrowedQuery.Data.Animal
    let dog: Animal.AsDog = try #require(data.animal.asDog)
    let friend: Animal.Friend = try #require(data.animal.friends.first)
    #expect(friend.name == "Nemo" && dog.barks)
    #expect(Animal.Friend.self == TypeCasesAPI.Lender.Friend.self)
    #expect(dog.fragments.lender.friends.map(\.name) == ["Nemo"])
    typealias Being = TypeCasesAPI.BorrowedQuery.Data.Being.AsAnimal
    #expect(Being.Friend.self == TypeCasesAPI.Lender.Friend.self)
    #expect(Being.Owner.self == TypeCasesAPI.AnimalParts.Owner.self)
  }

  @Test(arguments: [true, false])
  func aFieldWithAndWithoutAConditionHasACaseInItsObjects(_ a: Bool) throws {
    let more = a ? #","id":"2","barks":true"# : ""
    let animal = try decode(
      TypeCasesAPI.FriendsQuery(a: a),
      #"{"animal":{"__typename":"Cat","friends":[{"__typename":"Dog","name":"Rex"\#(more)}]}}"#
    ).animal
    let friend = try #require(animal.friends.first)
    #expect(friend.name == "Rex" && friend.ifA?.name == (a ? "Rex" : nil))
    #expect(friend.ifA?.id == (a ? "2" : nil) && friend.ifA?.asDog?.barks == (a ? true : nil))
  }

  @Test(arguments: ["Fish", "Robot"])
  func anUnmentionedTypeFulfilsNoTypeCase(_ type: String) throws {
    let being = try #require(
      try decode(TypeCasesAPI.EmptyQuery(), #"{"being":{"__typename":"\#(type)"}}"#).being)
    #expect(being.asDog == nil && being.asPerson == nil && being.__typename == type)
  }
}
