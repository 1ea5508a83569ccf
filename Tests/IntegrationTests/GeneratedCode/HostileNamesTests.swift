import Foundation
import Testing

/// Generated code compiles without a warning, for any names in GraphQL.
@Suite(.timeLimit(.minutes(10)))
struct HostileNamesTests {
  /// Every name as every kind of thing, in namespaces beside each other.
  @Test func inNamespaces() async throws {
    let types = HostileNames.types
    try await expectValid(
      [
        .enums(named: types), .inputObjects(named: types), .scalars(named: types),
        .structures(named: types.filter { !["id", "value"].contains($0) }),
      ],
      module: #"{ "embeddedInTarget": { "name": "App", "accessModifier": "public" } }"#)
  }

  /// The names of types are dealt out among their kinds, because all of them are at the top level
  /// of one module.
  @Test func atTheTopLevelOfAModule() async throws {
    func share(_ index: Int, of names: [String]) -> [String] {
      names.indices.filter { $0 % 4 == index }.map { names[$0] }
    }
    let names = HostileNames.types.filter { !["id", "value"].contains($0) }
    let parts: [HostileProject] = [
      .enums(named: share(0, of: names)), .inputObjects(named: share(1, of: names)),
      .scalars(named: share(2, of: names)), .structures(named: share(3, of: names)),
    ]
    try await expectValid([.all(parts)], module: #"{ "other": {} }"#)
  }

  /// Generates each project in a namespace of its own, and compiles all of them as one module.
  private func expectValid(
    _ projects: [HostileProject], module: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await withTemporaryFolder { folder in
      for project in projects {
        let code = try await generate(
          project.name, schema: project.schema, operations: project.operations,
          configuration: """
            { "schemaNamespace": "\(project.name)API", "output": { "schemaTypes": { "path": "out", "moduleType": \(module) } } }
            """, in: folder, sourceLocation: sourceLocation)
        try distinguishFiles(in: code, by: project.name)
      }
      let name = projects.count == 1 ? "\(projects[0].name)API" : "App"
      try await SwiftCompiler().expectValid(name, in: folder, sourceLocation: sourceLocation)
    }
  }
}

/// A schema whose types have the given names, and whose other names are all the hostile ones; and
/// operations on it.
private struct HostileProject {
  var name: String
  var rootFields: String
  var types: String
  var operations: String

  var schema: String { "type Query { \(rootFields) }\n\(types)" }

  /// Enums, their cases, fields and variables.
  static func enums(named names: [String]) -> HostileProject {
    HostileProject(
      name: "Enums",
      rootFields: names.map { "\($0)(e: \($0), list: [\($0)!]): \($0)" }.joined(separator: " ")
        + " all(e: All): All",
      types: """
        \(names.map { "enum \($0) { \($0) OTHER }" }.joined(separator: "\n"))
        enum All { \(HostileNames.all.joined(separator: " ")) }
        """,
      operations: """
        \(names.map { "query \($0)($e: \($0) = \($0), $\($0): [\($0)!]) { x: \($0)(e: $e, list: $\($0)) }" }
          .joined(separator: "\n"))
        query Everything($a: All = class) { all(e: $a) \(names.joined(separator: " ")) }
        """)
  }

  /// Input objects and their fields.
  static func inputObjects(named names: [String]) -> HostileProject {
    func fields(_ type: String) -> String {
      HostileNames.all.map { "\($0): \(type)" }.joined(separator: " ")
    }
    return HostileProject(
      name: "Inputs",
      rootFields: "top(a: Top, b: Nested, c: One): Int "
        + names.map { "\($0)(i: \($0)): Int" }.joined(separator: " "),
      types: """
        input Top { \(fields("Int")) }
        input Nested { \(fields("Nested")) }
        input One @oneOf { \(fields("One")) end: Int }
        \(names.map { "input \($0) { \($0): \($0) number: Int top: Top }" }.joined(separator: "\n"))
        """,
      operations: """
        query Top($a: Top, $b: Nested = {class: {self: {}}}, $c: One) { top(a: $a, b: $b, c: $c) }
        query Every(\(names.map { "$\($0): \($0) = {number: 1}" }.joined(separator: " "))) {
          \(names.map { "x\($0): \($0)(i: $\($0))" }.joined(separator: " "))
        }
        """)
  }

  /// Structs of objects, fragments and type cases.
  static func structures(named names: [String]) -> HostileProject {
    HostileProject(
      name: "Structures",
      rootFields: names.map { "\($0): \($0)" }.joined(separator: " ") + " lists: Lists u: Any_",
      types: """
        type Lists { \(names.map { "\($0): [\($0)]" }.joined(separator: " ")) }
        \(names.map { "type \($0) { \($0): \($0) id: ID! value: Int! }" }.joined(separator: "\n"))
        union Any_ = \(names.joined(separator: " | "))
        """,
      operations: """
        query All { \(names.map { "\($0) { id \($0) { id value } }" }.joined(separator: " ")) }
        query Aliases { \(HostileNames.aliases.map { "\($0): \(names[0]) { \($0): id }" }.joined(separator: " ")) }
        query Lists { lists { \(names.map { "\($0) { id }" }.joined(separator: " ")) } }
        query Cases($class: Boolean!, $Self: Boolean!, $self: Boolean!) {
          u {
            \(names.map { "... on \($0) { x: id ...\($0) }" }.joined(separator: "\n"))
            ... @include(if: $class) { __typename } ... @skip(if: $Self) { __typename } ... @include(if: $self) { __typename }
          }
        }
        \(names.map { "fragment \($0) on \($0) { \($0) { value ...\($0)_rest } } fragment \($0)_rest on \($0) { f_\($0): value }" }
          .joined(separator: "\n"))
        """)
  }

  /// Custom scalars.
  static func scalars(named names: [String]) -> HostileProject {
    HostileProject(
      name: "Scalars",
      rootFields: names.map { "\($0)(a: \($0) = 1): \($0)" }.joined(separator: " "),
      types: names.map { "scalar \($0)" }.joined(separator: "\n"),
      operations: names.map { "query \($0)($e: \($0) = 1) { x: \($0)(a: $e) }" }
        .joined(separator: "\n"))
  }

  /// Several projects as one.
  static func all(_ parts: [HostileProject]) -> HostileProject {
    HostileProject(
      name: "Names", rootFields: parts.map(\.rootFields).joined(separator: " "),
      types: parts.map(\.types).joined(separator: "\n"),
      operations: parts.map(\.operations).joined(separator: "\n"))
  }
}
