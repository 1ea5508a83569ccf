import ApolloAPI
import ApolloCache
import ApolloCodegenLib
import Foundation
import GraphQLSyntax
import Testing

/// Models whose properties report errors of fields: golden code that uses the nullability
/// directives.
@Suite struct NullabilityTests {
  typealias API = NullabilityAPI

  private func decode<Operation: GraphQLOperation>(
    _ operation: Operation, _ data: String, _ errors: [(message: String, path: [PathEntry])] = []
  ) throws(ResponseError) -> GraphQLResponse<Operation> {
    try ResponseDecoder().decode(Self.body(data, errors), as: operation)
  }

  /// The bytes of a response.
  private static func body(
    _ data: String, _ errors: [(message: String, path: [PathEntry])]
  ) -> [UInt8] {
    let list = errors.map { error in
      let path = error.path.map { if case .index(let i) = $0 { "\(i)" } else { "\"\($0)\"" } }
      return #"{"message":"\#(error.message)","path":[\#(path.joined(separator: ","))]}"#
    }
    let member = errors.isEmpty ? "" : #","errors":[\#(list.joined(separator: ","))]"#
    return Array(#"{"data":\#(data)\#(member)}"#.utf8)
  }

  /// The message of the error that reading a property throws; `nil` if it throws none.
  private func message<Value>(_ read: () throws(GraphQLError) -> Value) -> String? {
    do throws(GraphQLError) {
      _ = try read()
      return nil
    } catch {
      return error.message
    }
  }

  private static let user = #""__typename":"User","id":"1""#

  private static func unexplained(_ key: String, _ type: String = "User") -> String {
    "'\(key)' of '\(type)' is null, which it must not be, and no error explains it."
  }

  // MARK: - RESULT

  private static let results = """
    {"user":{\(user),"name":null,"age":null,"kind":"ADMIN","joined":null,"tags":["a",null,null]},
    "maybe":null,"users":[{"__typename":"User","id":"2","name":"Leia"},null,null],"matrix":[[1,null,null],null,null],
    "version":null}
    """
  private static let errorsOfResults: [(message: String, path: [PathEntry])] = [
    ("no name", ["user", "name"]), ("no date", ["user", "joined"]),
    ("no tag", ["user", "tags", 1]),
    ("gone", ["users", 1]), ("no number", ["matrix", 0, 1]), ("no row", ["matrix", 1]),
    ("no version", ["version"]),
  ]

  @Test func aResultHasTheValueOrTheErrorOfItsPlace() throws {
    let data = try #require(
      try decode(API.ResultsQuery(), Self.results, Self.errorsOfResults).data)
    let user = try data.user.get()
    #expect(message { () throws(GraphQLError) in try user.name.get() } == "no name")
    #expect(try user.age.get() == nil)
    #expect(try user.kind.get() == .case(.admin))
    #expect(message { () throws(GraphQLError) in try user.joined.get() } == "no date")
    let tags = try #require(try user.tags.get())
    #expect(try tags[0].get() == "a")
    #expect(message { () throws(GraphQLError) in try tags[1].get() } == "no tag")
    #expect(
      message { () throws(GraphQLError) in try tags[2].get() } == Self.unexplained("tags"))
    #expect(try data.maybe.get() == nil)
    let users = try #require(data.users)
    #expect(try users[0].get().name == "Leia")
    #expect(message { () throws(GraphQLError) in try users[1].get() } == "gone")
    #expect(
      message { () throws(GraphQLError) in try users[2].get() }
        == Self.unexplained("users", "Query"))
    let matrix = try data.matrix.get()
    let row = try #require(try matrix[0].get())
    #expect(try row[0].get() == 1)
    #expect(message { () throws(GraphQLError) in try row[1].get() } == "no number")
    #expect(
      message { () throws(GraphQLError) in try row[2].get() }
        == Self.unexplained("matrix", "Query"))
    #expect(message { () throws(GraphQLError) in try matrix[1].get() } == "no row")
    #expect(try matrix[2].get() == nil)
    #expect(message { () throws(GraphQLError) in try data.version.get() } == "no version")
  }

  @Test func aFailedObjectIsAFailure() throws {
    let data = try #require(
      try decode(
        API.ResultsQuery(),
        #"{"user":null,"maybe":null,"users":null,"matrix":null,"version":3}"#,
        [("no user", ["user"]), ("no friend", ["maybe", "id"])]
      ).data)
    #expect(message { () throws(GraphQLError) in try data.user.get() } == "no user")
    // The error of a field that is never null has spread to the object.
    #expect(message { () throws(GraphQLError) in try data.maybe.get() } == "no friend")
    #expect(data.users == nil)
    #expect(
      message { () throws(GraphQLError) in try data.matrix.get() }
        == Self.unexplained("matrix", "Query"))
    #expect(try data.version.get() == 3)
  }

  // MARK: - THROW

  @Test func readingAPropertyThrowsItsError() throws {
    let data = try #require(
      try decode(
        API.ThrowsQuery(),
        """
        {"user":{\(Self.user),"name":null,"age":null,"best":null,
        "friends":[{"__typename":"User","id":"2","name":"Leia"},null],"tags":["a","b"]},
        "matrix":[[1,2],[3]]}
        """, [("no name", ["user", "name"]), ("no friend", ["user", "friends", 1])]
      ).data)
    let user = try data.user
    #expect(message { () throws(GraphQLError) in try user.name } == "no name")
    #expect(try user.age == nil)
    #expect(try user.best == nil)
    #expect(message { () throws(GraphQLError) in try user.friends } == "no friend")
    #expect(try user.tags == ["a", "b"])
    #expect(try data.matrix == [[1, 2], [3]])
    #expect(user.errors(forKey: "name").map(\.message) == ["no name"])
  }

  /// The elements of an object in a list have the errors of their own indices, however similar the
  /// paths are.
  @Test func errorsBelongToTheObjectsOnTheirPaths() throws {
    let data = try #require(
      try decode(
        API.ThrowsQuery(),
        """
        {"user":{\(Self.user),"name":"Luke","age":1,"best":null,
        "friends":[{"__typename":"User","id":"2","name":null},{"__typename":"User","id":"3",
        "name":"Han"}],"tags":null},"matrix":[[1],[null]]}
        """,
        [("no name", ["user", "friends", 0, "name"]), ("no number", ["matrix", 1, 0])]
      ).data)
    let friends = try #require(try data.user.friends)
    #expect(friends.map { $0?.name } == [nil, "Han"])
    #expect(message { () throws(GraphQLError) in try data.matrix } == "no number")
    #expect(try data.user.tags == nil)
  }

  @Test func anOuterResultHasTheErrorThatAnElementThrows() throws {
    let errors: [(message: String, path: [PathEntry])] = [("gone", ["users", 1])]
    let data = try #require(
      try decode(
        API.MixedQuery(),
        #"{"users":[{\#(Self.user),"name":"Leia","email":null,"tags":["a"]},null]}"#, errors
      ).data)
    #expect(message { () throws(GraphQLError) in try data.users.get() } == "gone")
    let whole = try #require(
      try decode(
        API.MixedQuery(),
        #"{"users":[{\#(Self.user),"name":null,"email":null,"tags":["a",null]}]}"#,
        [("no name", ["users", 0, "name"]), ("no tag", ["users", 0, "tags", 1])]
      ).data)
    let user = try #require(try whole.users.get().first)
    #expect(message { () throws(GraphQLError) in try user.name } == "no name")
    #expect(user.email == nil)
    #expect(user.tags == nil)  // '@catch(to: NULL)' handles what its elements throw
  }

  // MARK: - Conditions, fragments and type cases

  @Test(arguments: [true, false])
  func aFieldThatIsLeftOutIsNoError(isClose: Bool) throws {
    let fields = isClose ? #","name":null,"email":null,"age":7,"best":null"# : ""
    let data = try #require(
      try decode(
        API.ConditionalQuery(close: isClose), "{\"user\":{\(Self.user)\(fields)}}",
        isClose ? [("no name", ["user", "name"]), ("no mail", ["user", "email"])] : []
      ).data)
    let user = try data.user
    #expect(message { () throws(GraphQLError) in try user.name } == (isClose ? "no name" : nil))
    guard isClose else {
      #expect(try user.name == nil)
      #expect(user.email == nil)
      return
    }
    let email = try #require(user.email)
    #expect(message { () throws(GraphQLError) in try email.get() } == "no mail")
    #expect(
      message { () throws(GraphQLError) in try user.fragments.contact?.email } == "no mail")
    #expect(try user.fragments.contact?.age == 7)
  }

  @Test func fragmentsAndTypeCasesHaveTheirOwnTreatments() throws {
    let robot = try #require(
      try decode(
        API.CasesQuery(),
        #"{"node":{"__typename":"Robot","id":"1","name":null,"model":null}}"#,
        [("no model", ["node", "model"])]
      ).data?.node)
    #expect(try robot.name.get() == nil)
    #expect(message { () throws(GraphQLError) in try robot.asRobot?.model } == "no model")
    let user = try #require(
      try decode(
        API.CasesQuery(),
        #"{"node":{\#(Self.user),"name":"Luke","email":null,"age":1,"best":null}}"#,
        [("no mail", ["node", "email"]), ("no friend", ["node", "best", "name"])]
      ).data?.node)
    #expect(message { () throws(GraphQLError) in try user.asUser?.email } == "no mail")
    let contact = try #require(user.asUser?.fragments.contact)
    #expect(message { () throws(GraphQLError) in try contact.email } == "no mail")
    #expect(message { () throws(GraphQLError) in try contact.best.get() } == "no friend")
  }

  // MARK: - @throwOnFieldError

  /// Data for `CertainQuery`, with some parts replaced.
  private static func certain(
    name: String = #""Luke""#, age: String = "1", friends: String = "null", best: String = "null",
    node: String = "null", users: String = "[]"
  ) -> String {
    """
    {"user":{\(user),"name":\(name),"age":\(age),"friends":\(friends),"best":\(best)},
    "node":\(node),"users":\(users)}
    """
  }

  private static func friend(name: String, email: String) -> String {
    #"{"__typename":"User","id":"2","name":\#(name),"email":\#(email)}"#
  }

  @Test func propertiesOfAnOperationThatThrowsAreCertain() throws {
    let data = try #require(
      try decode(
        API.CertainQuery(),
        Self.certain(
          node: #"{"__typename":"Robot","id":"9","model":"R2"}"#,
          users: #"[{\#(Self.user),"tags":["a"]}]"#)
      ).data)
    let name: String = data.user.name
    let tags: [String]? = data.users.first?.tags
    #expect(name == "Luke" && data.user.age == 1 && tags == ["a"])
    #expect(data.node?.asRobot?.model == "R2")
  }

  @Test(
    arguments: [
      // A null that the schema rules out, with an error and without.
      (Self.certain(name: "null"), [("no name", ["user", "name"])], "no name"),
      (Self.certain(name: "null"), [], Self.unexplained("name")),
      // An error of a field that may be null.
      (Self.certain(age: "null"), [("no age", ["user", "age"])], "no age"),
      // Type cases and elements of lists.
      (
        Self.certain(node: #"{"__typename":"Robot","id":"9","model":null}"#), [],
        Self.unexplained("model", "Robot")
      ),
      (
        Self.certain(users: #"[{\#(Self.user),"tags":["a",null]}]"#),
        [("no tag", ["users", 0, "tags", 1])], "no tag"
      ),
      (Self.certain(users: "[null]"), [("gone", ["users", 0])], "gone"),
    ] as [(String, [(String, [PathEntry])], String)])
  func anErrorThatNothingCatchesLeavesNoData(
    data: String, errors: [(String, [PathEntry])], message: String
  ) throws {
    let response = try decode(API.CertainQuery(), data, errors.map { ($0.0, $0.1) })
    #expect(response.data == nil)
    #expect(response.errors?.map(\.message) == [message])
  }

  /// `@catch` handles what fails inside of its field, too, because the properties there are
  /// certain.
  @Test func anOuterCatchHandlesAnErrorInside() throws {
    let friends =
      "[\(Self.friend(name: "null", email: #""a""#)),"
      + "\(Self.friend(name: #""Leia""#, email: #""b""#)),"
      + "\(Self.friend(name: #""Han""#, email: "null"))]"
    let response = try decode(
      API.CertainQuery(),
      Self.certain(friends: friends, best: Self.friend(name: "null", email: "null")),
      [("no name", ["user", "friends", 0, "name"]), ("nobody", ["user", "best", "name"])])
    let user = try #require(response.data?.user)
    let list = try #require(user.friends)
    #expect(message { () throws(GraphQLError) in try list[0].get() } == "no name")
    #expect(try list[1].get()?.name == "Leia")
    #expect(
      message { () throws(GraphQLError) in try list[2].get() } == Self.unexplained("email"))
    #expect(user.best == nil)
    #expect(user.errors(forKey: "best").map(\.message) == ["nobody"])
    #expect(response.errors?.map(\.message) == ["no name", "nobody"])
  }

  /// A server can send as many errors as it likes.
  @Test func manyFailuresTakeLinearTime() throws {
    let count = 20_000
    let friends = Array(repeating: Self.friend(name: "null", email: #""a""#), count: count)
    let response = try decode(
      API.CertainQuery(), Self.certain(friends: "[\(friends.joined(separator: ","))]"),
      (0..<count).map { ("\($0)", ["user", "friends", .index($0), "name"]) })
    let list = try #require(response.data?.user.friends)
    #expect(list.count == count)
    let last = try #require(list.last)
    #expect(message { () throws(GraphQLError) in try last.get() } == "\(count - 1)")
  }

  /// The object that both fragments select has a struct of its own in the operation.
  @Test(arguments: [
    (#"null"#, ["user", "best"] as [PathEntry], "gone"),
    (#"{"__typename":"User","id":"2","name":null,"age":7}"#, ["user", "best", "name"], nil),
  ])
  func errorsOfFieldsOfFragmentsDoNotEndTheOperation(
    best: String, path: [PathEntry], message expected: String?
  ) throws {
    let response = try decode(
      API.BorrowedQuery(), "{\"user\":{\(Self.user),\"name\":\"Luke\",\"best\":\(best)}}",
      [("gone", path)])
    let user = try #require(response.data?.user)
    #expect(message { () throws(GraphQLError) in try user.best.get() } == expected)
    #expect(
      message { () throws(GraphQLError) in try user.fragments.bestName.best.get() } == expected)
    #expect(
      message { () throws(GraphQLError) in try user.fragments.bestAge.best.get() } == expected)
    #expect(
      try decode(
        API.BorrowedQuery(), "{\"user\":{\(Self.user),\"name\":null,\"best\":null}}"
      ).data == nil, "The operation's own field ends it.")
  }

  @Test func aFailureInARowLeavesTheOtherRows() throws {
    let response = try decode(
      API.RowsQuery(), #"{"matrix":[[1,null],[2],null]}"#, [("no number", ["matrix", 0, 1])])
    #expect(response.data?.matrix == [nil, [2], nil])
    #expect(response.data?.errors(forKey: "matrix").map(\.message) == ["no number"])
    #expect(try decode(API.RowsQuery(), #"{"matrix":null}"#).data == nil)
  }

  // MARK: - Data that is not from a server

  @Test(arguments: [
    (#"{"user":null,"node":null,"users":[]}"#, ["user"] as [PathEntry]),
    (#"{"node":null,"users":[]}"#, ["user"]),
    (Self.certain(name: "null"), ["user", "name"]),
    (Self.certain(users: "[null]"), ["users", 0]),
    (#"{"user":{\#(Self.user),"age":1},"node":null,"users":[]}"#, ["user", "name"]),
    (Self.certain(node: #"{"__typename":"Robot","id":"9"}"#), ["node", "model"]),
  ])
  func jsonWithoutAPromisedValueIsNoModel(json: String, path: [PathEntry]) throws {
    let error = #expect(throws: ResponseError.self) {
      try API.CertainQuery.Data(jsonBytes: Array(json.utf8))
    }
    #expect(error?.problem == .nullValue && error?.path == path)
  }

  @Test func aModelOfAPartKeepsItsPromisesToo() throws {
    let whole = try API.CertainQuery.Data(
      jsonBytes: Array(Self.certain(best: Self.friend(name: "null", email: "null")).utf8))
    #expect(whole.user.best == nil, "Its '@catch' handles the null.")
    let again = try API.CertainQuery.Data.User(jsonBytes: whole.user.jsonBytes)
    #expect(again == whole.user)
    #expect(throws: ResponseError.self) {
      try API.CertainQuery.Data.User(jsonBytes: Array("{\(Self.user),\"name\":null}".utf8))
    }
  }

  /// Reading the properties would be impossible.
  @Test func aModelThatLacksAPromisedValueIsNotConverted() throws {
    let user = try #require(
      try decode(API.PlainQuery(), #"{"user":{\#(Self.user),"name":null,"age":1}}"#).data?.user)
    let certain = #expect(throws: ModelConversionError.self) {
      try API.CertainQuery.Data.User(converting: user)
    }
    #expect(certain?.path == ["name"] && certain?.parentType == "User")
    let required = #expect(throws: ModelConversionError.self) {
      try API.WholeQuery.Data.Maybe(converting: user)
    }
    #expect(required?.path == ["best"])
  }

  @Test func aModelWithThePromisedValuesIsConverted() throws {
    let user = try #require(
      try decode(API.PlainQuery(), #"{"user":{\#(Self.user),"name":"Luke","age":1}}"#).data?.user)
    let certain = try API.CertainQuery.Data.User(converting: user)
    #expect(certain.name == "Luke" && certain.age == 1 && certain.friends == nil)
  }

  // MARK: - Servers that do not propagate errors

  @Test func aCaughtFieldMayBeNullWhereTheSchemaHasNone() throws {
    let strict = try #require(
      try decode(
        API.UnpropagatedQuery(),
        #"{"strict":{"__typename":"Strict","f":null,"g":"a","h":["b",null]}}"#,
        [("no f", ["strict", "f"]), ("no h", ["strict", "h", 1])]
      ).data?.strict)
    #expect(message { () throws(GraphQLError) in try strict.f.get() } == "no f")
    #expect(strict.g == "a")
    #expect(strict.h == ["b", nil])
  }

  // MARK: - @required

  @Test func aRequiredFieldThrowsForEachNull() throws {
    let data = try #require(
      try decode(API.RequiredQuery(), #"{"maybe":{\#(Self.user),"age":null}}"#).data)
    let maybe = try data.maybe
    #expect(message { () throws(GraphQLError) in try maybe.age } == Self.unexplained("age"))
    let nothing = try #require(try decode(API.RequiredQuery(), #"{"maybe":null}"#).data)
    #expect(
      message { () throws(GraphQLError) in try nothing.maybe }
        == Self.unexplained("maybe", "Query"))
  }

  private static let whole = """
    "maybe":{\(user),"age":1,"best":{\(user(2)),"email":"a@b"},"friends":[
    {\(user(3)),"name":"n","age":2,"best":{\(user(4)),"kind":"ADMIN"}},null]}
    """

  private static func user(_ id: Int) -> String { #""__typename":"User","id":"\#(id)""# }

  private func whole(
    _ change: (String) -> String = { $0 }
  ) throws -> API.WholeQuery.Data.Maybe? {
    try #require(try decode(API.WholeQuery(), "{\(change(Self.whole))}").data).maybe
  }

  /// The properties are not optional.
  @Test func aRequiredNullMakesTheObjectAroundItNull() throws {
    let all = try #require(try whole())
    let age: Int = all.age
    let email: String = all.best.email
    #expect(age == 1 && email == "a@b")
    #expect(all.friends?.count == 2 && all.friends?[1] == nil)
    #expect(all.friends?[0]?.best?.kind == .case(.admin))
    #expect(try whole { $0.replacing(#""age":1"#, with: #""age":null"#) } == nil)
    // The object around is required, too.
    #expect(try whole { $0.replacing(#""a@b""#, with: "null") } == nil)
    // An element of a list, and an object of a narrower type.
    let shorter = try #require(try whole { $0.replacing(#""age":2"#, with: #""age":null"#) })
    #expect(shorter.friends?.count == 2 && shorter.friends?[0] == nil)
    let lonely = try #require(try whole { $0.replacing(#""ADMIN""#, with: "null") })
    #expect(lonely.friends?[0]?.name == "n" && lonely.friends?[0]?.best == nil)
  }

  /// The action decides whether the errors of the response have the null.
  @Test func aRequiredNullIsLogged() throws {
    let response = try decode(
      API.WholeQuery(), "{\(Self.whole.replacing(#""age":2"#, with: #""age":null"#))}")
    let maybe = try #require(response.data?.maybe)
    let message = "'age' of 'User' is null, and '@required' asks for a value."
    #expect(maybe.errors(for: \.friends).map(\.message) == [message])
    #expect(
      maybe.errors(for: \.friends).map(\.path?.dotted) == ["maybe.friends.0.age"])
    #expect(response.errors?.map(\.message) == [message])
    let silent = try decode(
      API.WholeQuery(), "{\(Self.whole.replacing(#""ADMIN""#, with: "null"))}")
    #expect(silent.data?.maybe?.friends?[0]?.errors(for: \.best).count == 1)
    #expect(silent.errors == nil)
  }

  @Test func aRequiredNullOfTheRootLeavesNoData() throws {
    let response = try decode(
      API.WholeDataQuery(), #"{"version":1,"maybe":{\#(Self.user),"tags":null}}"#)
    #expect(response.data == nil)
    #expect(
      response.errors?.map(\.message) == [
        "'maybe' of 'Query' is null, and '@required' asks for a value."
      ])
  }

  /// Data of other operations in the cache, and partial data, is treated in the same way.
  @Test func aRequiredNullOfTheCacheMakesTheObjectAroundItNull() async throws {
    let store = ApolloStore()
    let body = "{\(Self.whole.replacing(#""age":1"#, with: #""age":null"#))}"
    try await store.publish(body: Self.body(body, []), of: API.WholeQuery())
    for _ in 0..<2 {
      let reading = try await store.load(API.WholeQuery())
      #expect(reading.data != nil && reading.data?.maybe == nil)
      #expect(reading.errors.isEmpty)
    }
    // Written back, the data does not replace what it lacks.
    try await store.withinReadWriteTransaction { transaction in
      try transaction.write(data: transaction.read(query: API.WholeQuery()), for: API.WholeQuery())
    }
    try await store.publish(body: Self.body("{\(Self.whole)}", []), of: API.WholeQuery())
    try await store.publish(
      body: Self.body(
        "{\(Self.whole.replacing(#""age":2"#, with: #""age":null"#))}", []), of: API.WholeQuery())
    let logged = try await store.load(API.WholeQuery())
    #expect(logged.data?.maybe?.friends?.count == 2)
    #expect(logged.errors.map(\.path?.dotted) == ["maybe.friends.0.age"])
  }

  @Test func modelsWithoutARequiredValueAreNull() throws {
    let data = try API.WholeQuery.Data(
      jsonBytes: Array("{\(Self.whole.replacing(#""age":1,"#, with: ""))}".utf8))
    #expect(data.maybe == nil)
  }

  // MARK: - The cache

  @Test func errorsComeFromTheCacheAsTheyCame() async throws {
    let store = ApolloStore()
    let query = API.ResultsQuery()
    try await store.publish(body: Self.body(Self.results, Self.errorsOfResults), of: query)
    #expect(try await store.load(query).data == nil)
    let reading = try await store.load(query, servesFailures: true)
    let data = try #require(reading.data)
    let user = try data.user.get()
    #expect(message { () throws(GraphQLError) in try user.name.get() } == "no name")
    #expect(message { () throws(GraphQLError) in try user.joined.get() } == "no date")
    let tags = try #require(try user.tags.get())
    #expect(message { () throws(GraphQLError) in try tags[1].get() } == "no tag")
    let users = try #require(data.users)
    #expect(message { () throws(GraphQLError) in try users[1].get() } == "gone")
    #expect(message { () throws(GraphQLError) in try data.version.get() } == "no version")
    #expect(
      Set(reading.errors.map(\.message)) == Set(Self.errorsOfResults.map(\.message)))
  }

  /// Another operation reads the same object of the cache, without the error.
  @Test func theErrorOfAnObjectIsThatOfEachQueryThatReadsIt() async throws {
    let store = ApolloStore()
    try await store.publish(
      body: Self.body(Self.certain(name: "null"), [("no name", ["user", "name"])]),
      of: API.CertainQuery())
    let certain = try await store.load(API.CertainQuery(), servesFailures: true)
    #expect(certain.data == nil)
    #expect(certain.errors.map(\.message) == ["no name"])
    #expect(certain.misses.map(\.code) == [.failed])
    let plain = try await store.load(API.PlainQuery(), servesFailures: true)
    #expect(plain.data?.user?.name == nil)
    #expect(plain.data?.user?.age == 1)
    #expect(plain.data?.user?.errors(for: \.name).map(\.message) == ["no name"])
  }

  /// Errors that fields catch come with it.
  @Test func theErrorThatEndsAnOperationIsTheReasonOfItsMiss() async throws {
    let store = ApolloStore()
    try await store.publish(
      body: Self.body(
        Self.certain(
          friends: "[\(Self.friend(name: "null", email: #""leia@example.com""#))]",
          node: #"{"__typename":"Robot","id":"9","model":null}"#),
        [("no friend", ["user", "friends", 0, "name"]), ("no model", ["node", "model"])]),
      of: API.CertainQuery())
    let reading = try await store.load(API.CertainQuery(), servesFailures: true)
    #expect(reading.data == nil)
    #expect(reading.errors.map(\.message) == ["no friend", "no model"])
    #expect(reading.misses.map(\.path) == [["node", "model"]])
    #expect(reading.misses.map(\.serverMessage) == ["no model"])
  }

  /// The data of another operation can lack a value that the properties of this one promise.
  @Test func aNullThatTheSchemaRulesOutIsAMiss() async throws {
    let store = ApolloStore()
    try await store.publish(
      body: Self.body(Self.certain(), []), of: API.CertainQuery())
    #expect(try await store.load(API.CertainQuery()).data != nil)
    try await store.publish(
      body: Self.body(#"{"user":{\#(Self.user),"name":null,"age":1}}"#, []), of: API.PlainQuery())
    let reading = try await store.load(API.CertainQuery())
    #expect(reading.data == nil)
    #expect(reading.misses.map(\.code) == [.unexpectedNull])
    #expect(reading.misses.map(\.path) == [["user", "name"]])
  }

  /// An error that the client adds is about one operation. The server has sent a null.
  @Test func anErrorOfTheClientIsNotKeptForOthers() async throws {
    let store = ApolloStore()
    let response = try await store.publish(
      body: Self.body(Self.certain(name: "null"), []), of: API.CertainQuery())
    #expect(response.data == nil)
    #expect(response.errors?.map(\.message) == [Self.unexplained("name")])
    let plain = try await store.load(API.PlainQuery())
    #expect(plain.data?.user != nil && plain.data?.user?.name == nil)
    #expect(plain.data?.user?.errors(for: \.name).isEmpty == true)
    let certain = try await store.load(API.CertainQuery(), servesFailures: true)
    #expect(certain.misses.map(\.code) == [.unexpectedNull] && certain.errors.isEmpty)
  }

  @Test func propertiesOfALocalCacheMutationAreSettable() async throws {
    let store = ApolloStore()
    try await store.publish(
      body: Self.body(
        #"{"user":null,"maybe":{"__typename":"User","id":"1"},"users":null,"matrix":null,"version":1}"#,
        []), of: API.ResultsQuery())
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(API.EditUserLocalCacheMutation()) { data in
        data.maybe?.name = "Luke"
        data.maybe?.email = "luke@example.com"
      }
    }
    let user = try await store.withinReadTransaction {
      try $0.read(API.EditUserLocalCacheMutation()).maybe
    }
    #expect(user?.name == "Luke" && user?.email == "luke@example.com")
  }

  // MARK: - What is sent

  @Test func theDirectivesAreNotSent() {
    #expect(
      API.CertainQuery.operationDocument.definition?.queryDocument.contains("@") == false)
    #expect(
      API.CasesQuery.operationDocument.definition?.queryDocument.contains("@") == false)
    #expect(
      API.RequiredQuery.operationDocument.definition?.queryDocument
        == "query Required { maybe { __typename id age } }")
    #expect(
      API.ConditionalQuery.operationDocument.definition?.queryDocument.contains(
        "name @include(if: $close)") == true)
  }
}
