import ApolloAPI
import ApolloCache
import ApolloCodegenLib
import Foundation
import Testing

/// Generates code for fragments with variables. No server needs to know them.
@Suite struct FragmentArgumentTests {
  private static let schema = """
    type Query { user(id: ID!): User }
    type User { id: ID! name: String! friends(first: Int!): [User!]! picture(size: Int!): String! }
    """

  private static let operations = """
    query Page($size: Int!) {
      user(id: "1") {
        ...Picture(size: $size)
        friends(first: 2) { ...Picture name }
      }
    }
    fragment Picture($size: Int! = 32) on User { id picture(size: $size) }
    """

  private func project(_ operations: String, isOn: Bool = true) throws -> GeneratedProject {
    try GeneratedProject(
      schema: Self.schema, operations: operations,
      configuration: """
        "experimentalFeatures": { "fragmentArguments": \(isOn) },
        "operationManifest": { "path": "manifest", "generateManifestOnCodeGeneration": true }
        """)
  }

  @Test func sendsADocumentWithoutArgumentsOfFragments() throws {
    let project = try project(Self.operations)
    let manifest = try JSONValue(jsonBytes: Array(project.text(of: "manifest.json").utf8))
    #expect(
      manifest["operations"]?.arrayValue?.compactMap { $0["body"]?.stringValue } == [
        "query Page($size: Int!) { user(id: \"1\") { __typename ... on User { id picture(size: $size) } "
          + "friends(first: 2) { __typename ... on User { id picture(size: 32) } name } } }"
      ])
  }

  @Test func modelsHaveTheFieldsInPlaceOfTheSpread() throws {
    let project = try project(Self.operations)
    #expect(!project.files.contains { $0.contains("Picture") })
    let code = try project.text(of: "out/Operations/Queries/PageQuery.graphql.swift")
    #expect(code.components(separatedBy: "var picture: String").count == 3)
    #expect(code.contains("picture(size: $size) String!"), "\(code)")
    #expect(code.contains("picture(size: 32) String!"), "\(code)")
  }

  @Test func isASyntaxErrorWithoutTheOption() {
    let error = #expect(throws: GenerationError.self) {
      try project(Self.operations, isOn: false)
    }
    #expect(error?.messages.contains("Syntax Error") ?? false)
  }

  @Test func anErrorNamesThePlaceAndTheRemedy() {
    let error = #expect(throws: GenerationError.self) {
      try project(
        """
        query Page($size: Int) { user(id: "1") { ...Picture(size: $size) } }
        fragment Picture($size: Int = 32) on User { id }
        """)
    }
    let messages = error?.messages ?? ""
    #expect(
      messages.contains(
        "operations.graphql:2:18: error: Variable \"$size\" is never used in fragment"),
      "\(messages)")
  }

  /// An inline fragment in place of a spread is named after the label, and its fields are those of
  /// the struct around it.
  @Test(arguments: [
    (
      #"...Picture @defer(label: "my picture") ...Bio(words: 5)"#,
      "error: The label 'my picture' cannot become a name."
    ),
    (
      "...Picture @defer ...Bio(words: 5) @defer",
      "error: Another deferred fragment of this object is called 'deferred' too."
    ),
    (
      "name @catch ...Picture ...Bio(words: 5)",
      "error: 'name' is selected twice with different treatments of errors."
    ),
  ])
  func theRulesOfModelsHoldForWhatIsInPlaceOfASpread(_ selections: String, _ message: String) {
    let error = #expect(throws: GenerationError.self) {
      try GeneratedProject(
        schema: """
          type Query { user: User }
          type User { name: String, picture(size: Int!): String, bio(words: Int!): String }
          """,
        operations: """
          query Page { user { \(selections) } }
          fragment Picture($size: Int! = 32) on User { picture(size: $size) name }
          fragment Bio($words: Int!) on User { bio(words: $words) }
          """, configuration: #""experimentalFeatures": { "fragmentArguments": true }"#)
    }
    let messages = error?.messages ?? ""
    #expect(messages.contains(message), "\(messages)")
    #expect(messages.ranges(of: " error: ").count == 1, "\(messages)")
  }

  /// `$lists` of the mutation is not sent. That of the fragment is replaced by a number.
  @Test func aVariableOfAFragmentIsNoUseOfOneWithLists() throws {
    let project = try GeneratedProject(
      schema: """
        type Query { hero: Hero }
        type Mutation { forget(id: ID!): Hero }
        type Hero { id: ID!, name(length: Int!): String }
        """,
      operations: """
        mutation Forget($lists: [ID!]!) {
          forget(id: "1") @deleteRecord(connections: $lists) { id ...Name(lists: 3) }
        }
        fragment Name($lists: Int!) on Hero { name(length: $lists) }
        """, configuration: #""experimentalFeatures": { "fragmentArguments": true }"#)
    let code = try project.text(of: "out/Operations/Mutations/ForgetMutation.graphql.swift")
    #expect(code.contains("name(length: 3)"), "\(code)")
  }

  // MARK: - The golden code

  private static let page = """
    {"data":{"user":{"__typename":"User","id":"1","picture":"1-64","friends":[{"__typename":"User",
    "id":"2","picture":"2-32","name":"Leia"}],"close":[{"__typename":"User","id":"2","friends":[
    {"__typename":"User","id":"1","picture":"1-16"}]}]}}}
    """

  /// The values are those of the fields' keys: other operations that give them find the data.
  @Test func theCacheKnowsFieldsByTheValuesOfTheirArguments() async throws {
    let store = ApolloStore()
    let query = ArgumentsAPI.PageQuery(size: 64, detailed: true)
    try await store.publish(body: Array(Self.page.utf8), of: query)
    let again = try await store.load(query)
    #expect(again.misses == [] && again.data?.user?.picture == "1-64")
    #expect(again.data?.user?.friends.first?.picture == "2-32")
    #expect(again.data?.user?.close.first?.friends.first?.ifDetailed?.picture == "1-16")
    // The mutation reads the same field of the same object, with a value of its own.
    let records = try await store.withinReadTransaction { transaction in
      [32, 64, 16, 8].map { size in
        try? transaction.readObject(
          ofType: ArgumentsAPI.PageQuery.Data.User.self, withKey: "User:1",
          variables: ["size": size, "first": 2, "friend": "3", "detailed": true]
        ).picture
      }
    }
    #expect(records == [nil, "1-64", "1-16", nil])
  }

  @Test func theModelsShowTheFieldsOfEachCase() throws {
    let body = #"{"data":{"node":{"__typename":"Group","id":"1","title":"T","picture":"8"}}}"#
    let response = try ResponseDecoder().decode(
      Array(body.utf8), as: ArgumentsAPI.NodesQuery(id: "1"))
    #expect(response.data?.node?.asGroup?.picture == "8")
    #expect(response.data?.node?.asUser == nil)
  }

  @Test func deferringASpreadDefersItsSelections() throws {
    let text = ArgumentsAPI.LaterQuery.operationDocument.definition?.queryDocument
    #expect(
      text?.contains(#"... on User @defer(label: "bio") { bio(words: $words) }"#) == true,
      "\(text ?? "")")
    #expect(ArgumentsAPI.LaterQuery.hasDeferredFragments)
    let body = #"{"data":{"user":{"__typename":"User","id":"1"}},"hasNext":true}"#
    let response = try ResponseDecoder().decode(
      Array(body.utf8), as: ArgumentsAPI.LaterQuery(words: 3))
    #expect(response.data?.user?.id == "1")
  }
}
