import Foundation
import Testing

/// Whatever things are called in GraphQL, what is generated for them compiles, without a warning.
@Suite(.timeLimit(.minutes(15)))
struct HostileNamesTests {
  /// In an enum of its own that everything is nested in, and in a module whose top level everything shares.
  private static let modules = [
    "embeddedInTarget": #"{ "embeddedInTarget": { "name": "App", "accessModifier": "public" } }"#,
    "other": #"{ "other": {} }"#,
  ]

  private func expectValid(
    schema: String, operations: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await withTemporaryFolder { folder in
      for (name, module) in Self.modules.sorted(by: { $0.key < $1.key }) {
        let code = try await generate(
          name, schema: schema, operations: operations,
          configuration: """
            { "schemaNamespace": "NamesAPI", "output": { "schemaTypes": { "path": "out", "moduleType": \(module) } } }
            """, in: folder, sourceLocation: sourceLocation)
        try await SwiftCompiler().expectValid(
          name == "other" ? "NamesAPI" : "App", in: code, sourceLocation: sourceLocation)
      }
    }
  }

  @Test func enumsTheirCasesFieldsAndVariables() async throws {
    let types = HostileNames.types
    try await expectValid(
      schema: """
        type Query { \(types.map { "\($0)(e: \($0), list: [\($0)!]): \($0)" }.joined(separator: " ")) all(e: All): All }
        \(types.map { "enum \($0) { \($0) OTHER }" }.joined(separator: "\n"))
        enum All { \(HostileNames.all.joined(separator: " ")) }
        """,
      operations: types.map {
        "query \($0)($e: \($0) = \($0), $\($0): [\($0)!]) { x: \($0)(e: $e, list: $\($0)) }"
      }.joined(separator: "\n") + """

        query Everything($a: All = class) { all(e: $a) \(types.joined(separator: " ")) }
        """)
  }

  @Test func inputObjectsAndTheirFields() async throws {
    let (types, all) = (HostileNames.types, HostileNames.all)
    func fields(_ type: String) -> String {
      all.map { "\($0): \(type)" }.joined(separator: " ")
    }
    try await expectValid(
      schema: """
        type Query { top(a: Top, b: Nested, c: One): Int \(types.map { "\($0)(i: \($0)): Int" }.joined(separator: " ")) }
        input Top { \(fields("Int")) }
        input Nested { \(fields("Nested")) }
        input One @oneOf { \(fields("One")) end: Int }
        \(types.map { "input \($0) { \($0): \($0) number: Int top: Top }" }.joined(separator: "\n"))
        """,
      operations: """
        query Top($a: Top, $b: Nested = {class: {self: {}}}, $c: One) { top(a: $a, b: $b, c: $c) }
        query Every(\(types.map { "$\($0): \($0) = {number: 1}" }.joined(separator: " "))) {
          \(types.map { "x\($0): \($0)(i: $\($0))" }.joined(separator: " "))
        }
        """)
  }

  @Test func structsOfObjectsFragmentsAndTypeCases() async throws {
    let types = HostileNames.types.filter { !["id", "value"].contains($0) }
    try await expectValid(
      schema: """
        type Query { \(types.map { "\($0): \($0)" }.joined(separator: " ")) lists: Lists u: Any_ }
        type Lists { \(types.map { "\($0): [\($0)]" }.joined(separator: " ")) }
        \(types.map { "type \($0) { \($0): \($0) id: ID! value: Int! }" }.joined(separator: "\n"))
        union Any_ = \(types.joined(separator: " | "))
        """,
      operations: """
        query All { \(types.map { "\($0) { id \($0) { id value } }" }.joined(separator: " ")) }
        query Lists { lists { \(types.map { "\($0) { id }" }.joined(separator: " ")) } }
        query Cases($class: Boolean!, $Self: Boolean!, $self: Boolean!) {
          u {
            \(types.map { "... on \($0) { x: id ...\($0) }" }.joined(separator: "\n"))
            ... @include(if: $class) { __typename } ... @skip(if: $Self) { __typename } ... @include(if: $self) { __typename }
          }
        }
        \(types.map { "fragment \($0) on \($0) { \($0) { value ...\($0)_rest } } fragment \($0)_rest on \($0) { f_\($0): value }" }
          .joined(separator: "\n"))
        """)
  }

  @Test func customScalars() async throws {
    let types = HostileNames.types
    try await expectValid(
      schema: """
        type Query { \(types.map { "\($0)(a: \($0) = 1): \($0)" }.joined(separator: " ")) }
        \(types.map { "scalar \($0)" }.joined(separator: "\n"))
        """,
      operations: types.map { "query \($0)($e: \($0) = 1) { x: \($0)(a: $e) }" }
        .joined(separator: "\n"))
  }
}
