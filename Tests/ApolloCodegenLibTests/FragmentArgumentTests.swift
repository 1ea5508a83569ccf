import ApolloAPI
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
}
