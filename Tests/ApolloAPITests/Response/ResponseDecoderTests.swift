import ApolloAPI
import Testing

struct ResponseDecoderTests {
  typealias HeroQuery = StarWarsAPI.HeroQuery

  private func decode(
    _ text: String, withFriends: Bool = true
  ) throws(ResponseError) -> GraphQLResponse<HeroQuery> {
    try ResponseDecoder().decode(
      Array(text.utf8), as: HeroQuery(episode: nil, withFriends: withFriends))
  }

  private let droid = """
    {"data":{"hero":{"__typename":"Droid","name":"R2-D2","id":"2001","appearsIn":["NEWHOPE",null,"REY"],\
    "primaryFunction":"Astromech","friends":[{"__typename":"Human","name":"Luke Skywalker"},null],"metres":0.96}}}
    """

  @Test(arguments: [
    #"{"data":{"hero":t"#, #"{"data":{"hero":tru}}"#, #"{"data":{"hero":fals}}"#,
    #"{"data":{"hero":n"#, #"{"data":{"hero":nul}}"#, #"{"data":t"#,
  ])
  func aWordThatIsCutOffIsNoJSON(_ text: String) {
    let error = #expect(throws: ResponseError.self) { try decode(text) }
    guard case .malformedJSON? = error?.problem else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func readsEveryFieldInResponseOrder() throws {
    let hero = try #require(try decode(droid).data?.hero)
    #expect(hero.__typename == "Droid")
    #expect(hero.name == "R2-D2")
    #expect(hero.id == "2001")
    #expect(hero.appearsIn == [.case(.newhope), nil, .unknown("REY")])
    #expect(hero.friends?.map { $0?.name } == ["Luke Skywalker", nil])
    #expect(hero.metres == 0.96)
    #expect(hero.asDroid?.primaryFunction == "Astromech")
    #expect(hero.asDroid?.friends?.first??.name == "Luke Skywalker")
    #expect(hero.fragments.heroDetails.id == "2001")
  }

  @Test func readsTheSameInAnyOrderWithAnySpaceAndWithUnknownKeys() throws {
    let other = """
       { "extensions" : { "a" : [ 1 , { } ] } , "data" : { "more" : [ [ ] , { "x" : [ { } , "\\"" ] } ] , "hero" : {
      "metres" : 9.6e-1 , "friends" : [ { "name" : "Luke \\u0053kywalker" , "__typename" : "Human" } , null ] ,
      "\\u006eame" : "R2\\u002DD2", "primaryFunction" : "Astromech", "hash" : null, "appearsIn" : [ "NEWHOPE" , null , "REY" ] ,
      "id" : 2001 , "__typename" : "Droid"\t}\r\n} }
      """
    let response = try decode(other)
    #expect(response.data == (try decode(droid).data))
    #expect(response.data?.hashValue == (try decode(droid).data?.hashValue))
    #expect(response.extensions == ["a": [1, [:]]])
  }

  @Test func omitsExcludedFields() throws {
    let text =
      #"{"data":{"hero":{"__typename":"Human","name":"Luke","id":1,"appearsIn":[],"metres":1}}}"#
    let hero = try #require(try decode(text, withFriends: false).data?.hero)
    #expect(hero.friends == nil)
    #expect(hero.metres == 1)
    #expect(hero.asDroid == nil)
    #expect(throws: ResponseError.self) { try decode(text, withFriends: true) }
  }

  @Test func readsObjectsOfUnknownTypes() throws {
    let text =
      #"{"data":{"hero":{"__typename":"Ewok","name":"Wicket","id":"7","appearsIn":[],"friends":null,"metres":null}}}"#
    let hero = try #require(try decode(text).data?.hero)
    #expect(hero.__typename == "Ewok")
    #expect(hero.asDroid == nil)
    #expect(hero.fragments.heroDetails.id == "7")
  }

  @Test(arguments: [
    (
      #"{"data":{"hero":7}}"#, "hero",
      ResponseError.Problem.wrongType(expected: "an object", found: "a number")
    ),
    (#"{"data":{"hero":[]}}"#, "hero", .wrongType(expected: "an object", found: "a list")),
    (#"{"data":{}}"#, "hero", .missingValue),
    (#"{"data":{"HERO":null}}"#, "hero", .missingValue),
    (#"{"data":{"hero":{}}}"#, "hero.__typename", .missingValue),
    (#"{"data":{"hero":{"__typename":"Human","name":null}}}"#, "hero.id", .missingValue),
    (
      #"{"data":{"hero":{"__typename":"Human","name":null,"id":"1","appearsIn":[],"friends":null,"metres":null}}}"#,
      "hero.name", .nullValue
    ),
    (
      #"{"data":{"hero":{"__typename":null,"name":"a","id":"1","appearsIn":[],"friends":null,"metres":null}}}"#,
      "hero.__typename", .nullValue
    ),
    (
      #"{"data":{"hero":{"__typename":1}}}"#, "hero.__typename",
      .wrongType(expected: "a string", found: "a number")
    ),
    (
      #"{"data":{"hero":{"__typename":"Human","name":1}}}"#, "hero.name",
      .wrongType(expected: "a string", found: "a number")
    ),
    (
      #"{"data":{"hero":{"__typename":"Human","id":true}}}"#, "hero.id",
      .wrongType(expected: "an ID", found: "a Boolean")
    ),
    (
      #"{"data":{"hero":{"__typename":"Human","id":1.5}}}"#, "hero.id",
      .wrongType(expected: "an ID", found: "a number")
    ),
    (
      #"{"data":{"hero":{"__typename":"Human","metres":"1"}}}"#, "hero.metres",
      .wrongType(expected: "a number", found: "a string")
    ),
    (
      #"{"data":{"hero":{"__typename":"Human","metres":1e400}}}"#, "hero.metres",
      .numberOutOfRange("1e400")
    ),
    (
      #"{"data":{"hero":{"__typename":"Human","friends":{}}}}"#, "hero.friends",
      .wrongType(expected: "a list", found: "an object")
    ),
    (
      #"{"data":{"hero":{"__typename":"Human","friends":[null,{"__typename":"Human","name":false}]}}}"#,
      "hero.friends.1.name", .wrongType(expected: "a string", found: "a Boolean")
    ),
    (
      #"{"data":{"hero":{"__typename":"Human","friends":[null,[]]}}}"#,
      "hero.friends.1", .wrongType(expected: "an object", found: "a list")
    ),
    (
      #"{"data":{"hero":{"__typename":"Human","name":"a","name":"b"}}}"#, "hero",
      .malformedJSON("the key 'name' comes twice in one object")
    ),
    (
      #"{"data":{"hero":{"__typename":"Human","appearsIn":["JEDI",7]}}}"#, "hero.appearsIn.1",
      .invalidScalar("found 7 where the name of an enum value is expected")
    ),
  ])
  func namesTheProblemAndItsPath(text: String, path: String, problem: ResponseError.Problem) throws
  {
    let error = #expect(throws: ResponseError.self) { try decode(text) }
    #expect(error?.problem == problem)
    #expect(error?.path.dotted == path)
  }

  @Test func notifiesAnObserverOfEachObjectChildrenFirst() throws {
    final class Recorder: ResponseObserver {
      var objects: [(typename: String?, children: [Int?])] = []
      func didComplete(_ object: ResponseObject) -> ResponseObject {
        var children: [Int?] = []
        for field in object.layout.fields {
          object.forEachObject(of: field) { child in
            if let child { children.append(child.identity.map { Int($0.hash) }) }
          }
        }
        objects.append((object.typename, children))
        object.identity = .make(
          UnsafeRawBufferPointer(start: nil, count: 0), hash: UInt64(objects.count))
        return object
      }
    }
    let recorder = Recorder()
    _ = try ResponseDecoder().decode(
      Array(droid.utf8), as: HeroQuery(episode: nil), observer: recorder)
    #expect(recorder.objects.map(\.typename) == ["Human", "Droid", "Query"])
    #expect(recorder.objects.map(\.children) == [[], [1], [2]])
  }

  @Test func usesTheObjectsThatAnObserverReturns() throws {
    /// Replaces every human with the first one.
    final class Unifier: ResponseObserver {
      private var first: ResponseObject?
      func didComplete(_ object: ResponseObject) -> ResponseObject {
        guard object.typename == "Human" else { return object }
        if first == nil { first = object }
        return first ?? object
      }
    }
    let luke = #"{"__typename":"Human","name":"Luke"}"#
    let text =
      #"{"data":{"hero":{"__typename":"Ewok","name":"Wicket","id":"7","appearsIn":[],"friends":[\#(luke),\#(luke)],"metres":null}}}"#
    let response = try ResponseDecoder().decode(
      Array(text.utf8), as: HeroQuery(episode: nil), observer: Unifier())
    let friends = try #require(response.data?.hero?.friends).compactMap { $0 }
    #expect(friends.map(\.name) == ["Luke", "Luke"])
    #expect(friends[0].__object === friends[1].__object)
  }

  /// An observer may share its objects with other responses, which do not have these errors.
  @Test func copiesTheObjectsOnThePathsOfErrorsAndNoOthers() throws {
    final class Recorder: ResponseObserver {
      var objects: [ResponseObject] = []
      func didComplete(_ object: ResponseObject) -> ResponseObject {
        objects.append(object)
        return object
      }
    }
    let (luke, leia) = (friend("Luke"), friend("Leia"))
    let text =
      #"{"data":{"hero":{"__typename":"Ewok","name":"Wicket","id":"7","appearsIn":[],"friends":[\#(luke),null,\#(leia)],"metres":null}},"errors":[{"message":"no","path":["hero","friends",1]},{"message":"unknown","path":["hero","friends",2,"name"]}]}"#
    let recorder = Recorder()
    let response = try ResponseDecoder().decode(
      Array(text.utf8), as: HeroQuery(episode: nil), observer: recorder)
    let hero = try #require(response.data?.hero)
    #expect(recorder.objects.map(\.typename) == ["Human", "Human", "Ewok", "Query"])
    let friends = try #require(hero.friends)
    #expect(try #require(friends[0]).__object === recorder.objects[0])
    #expect(try #require(friends[2]).__object !== recorder.objects[1])
    #expect(hero.__object !== recorder.objects[2])
    #expect(friends.map { $0?.name } == ["Luke", nil, "Leia"])
    #expect(hero.errors(for: \.friends).map(\.message) == ["no"])
    #expect(friends[2]?.errors(for: \.name).map(\.message) == ["unknown"])
    let observed = try #require(HeroQuery.Data(__object: recorder.objects[3]).hero)
    #expect(observed.errors(for: \.friends).isEmpty)
    #expect(observed.friends?[2]?.errors(for: \.name).isEmpty == true)
  }

  private func friend(_ name: String) -> String { #"{"__typename":"Human","name":"\#(name)"}"# }
}
