import Foundation
import SwiftSource
import Testing

@testable import ApolloCodegenLib

/// Unqualified names of types in generated code. Each of them is reserved, so that no type of a
/// schema can hide it.
@Suite struct VocabularyTests {
  private static let schema = """
    schema { query: Zquery, mutation: Zmutation, subscription: Zsubscription }
    type Zquery { zobject(zin: Zinput, zone: Zone): Zinterface, zlist: [Zobject!]!, zunion: Zunion, zfloat: Float, zenum: Zenum }
    type Zmutation { zint: Int, zid: ID }
    type Zsubscription { zstring: String, zbool: Boolean }
    interface Zinterface @typePolicy(keyFields: "id") { id: ID!, zscalar: Zscalar }
    type Zobject implements Zinterface { id: ID!, zscalar: Zscalar, json: JSON, zdeep: Zobject }
    scalar JSON
    union Zunion = Zobject
    enum Zenum { ZA, ZB @deprecated(reason: "z") }
    input Zinput { zself: Zinput, zenum: Zenum!, zint: Int = 1, zfloat: [Float] }
    input Zone @oneOf { zenum: Zenum, zone: Zone }
    scalar Zscalar
    """

  private static let operations = """
    query Zread($zin: Zinput, $zone: Zone, $zif: Boolean!) {
      zobject(zin: $zin, zone: $zone) { id zscalar ...Zfragment ... on Zobject { json } ... @include(if: $zif) { zalias: id } }
      zlist { ...Zfirst } zunion { __typename } zfloat zenum
    }
    query Zenums($zenum: Zenum! = ZA) { zlist { id } again: zobject(zin: {zenum: $zenum}) { id } }
    mutation Zwrite { zint zid }
    subscription Zwatch { zstring }
    subscription Zlisten { zbool }
    query Zlocal @apollo_client_ios_localCacheMutation { zlist { id ...Zfragment ... on Zinterface { zscalar } } }
    fragment Zfragment on Zinterface { id }
    fragment Zfirst on Zobject { zdeep { ...Zsecond } ...Zsecond }
    fragment Zsecond on Zobject { zdeep { ...Zthird } ...Zthird }
    fragment Zthird on Zobject { zdeep { ...Zfourth } ...Zfourth }
    fragment Zfourth on Zobject { zdeep { ...Zfifth } ...Zfifth }
    fragment Zfifth on Zobject { zscalar }
    """

  @Test(arguments: [
    #"{ "embeddedInTarget": { "name": "Ztarget", "accessModifier": "public" } }"#,
    #"{ "other": {} }"#,
  ])
  func isReserved(_ module: String) throws {
    let project = try GeneratedProject(
      schema: Self.schema, operations: Self.operations,
      configuration: """
        "output": { "schemaTypes": { "path": "out", "moduleType": \(module) } },
        "options": { "selectionSetInitializers": { "definitionsNamed": ["Zenums"] },
          "additionalConformances": ["Codable", "CustomReflectable"] }
        """)
    var nested: Set<String> = []
    var top: Set<String> = []
    for file in project.files {
      let words = Self.unqualifiedTypes(in: try project.text(of: file))
      if file.contains("/Schema/") { top.formUnion(words) } else { nested.formUnion(words) }
    }
    // Names that only occur at the top of a file with operations cannot be hidden by nested types.
    let outermost: Set<String> = [
      "Fragment", "GraphQLMutation", "GraphQLNullable", "GraphQLQuery", "GraphQLSubscription",
      "LocalCacheMutation",
    ]
    #expect(nested.isSuperset(of: outermost.union(["Identifiable", "KeyPath"])))
    #expect(nested.subtracting(outermost).subtracting(ReservedSwiftNames.nestedTypes) == [])
    #expect(nested.union(top).subtracting(ReservedSwiftNames.types) == [])
  }

  /// The public types of the runtime, from the declarations at the beginning of lines.
  @Test func typesOfTheRuntimeAreNoNamespaces() throws {
    let sources = GoldenTests.folder.appendingPathComponent("../../Sources").standardized
    var names: Set<String> = []
    for module in ["ApolloAPI", "ApolloTestSupport"] {
      let folder = sources.appendingPathComponent(module)
      for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      where file.hasSuffix(".swift") {
        let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        for match in text.matches(
          of: #/(?:^|\n)public (?:final )?(?:struct|enum|class|protocol|typealias|actor) (\w+)/#)
        {
          names.insert(String(match.1))
        }
      }
    }
    #expect(names.count > 30)
    #expect(names.filter { !$0.hasPrefix("_") }.subtracting(TakenNames.runtime) == [])
  }

  /// Each name that a type of a schema's enum would find in the runtime in place of the case.
  @Test func membersOfNullableEnumsAreKnown() throws {
    let folder = GoldenTests.folder.appendingPathComponent("../../Sources/ApolloAPI").standardized
    var names: Set<String> = []
    for file in ["Inputs/GraphQLNullable.swift", "Scalars/GraphQLEnum.swift"] {
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      for match in text.matches(of: #/\n +(?:indirect )?case `?(\w+)`?(?:\(|\n)/#) {
        names.insert(String(match.1))
      }
      for match in text.matches(of: #/static (?:func|var|let) `?([A-Za-z]\w*)/#) {
        names.insert(String(match.1))
      }
    }
    #expect(
      names.isSuperset(of: ["none", "null", "some", "someOrNull", "case", "unknown", "allCases"]))
    #expect(names.subtracting(ReservedSwiftNames.enumMembers) == [])
  }

  @Test(arguments: [
    ("Data", true, true), ("Variables", true, true), ("Foundation", true, true),
    ("Mock", true, true), ("Result", true, false), ("Task", true, false), ("Set", true, false),
    ("XCTest", true, false), ("Shop", false, false),
  ])
  func aNamespaceThatIsATypeIsRefused(_ name: String, _ asModule: Bool, _ asNamespace: Bool) throws
  {
    for (module, isRefused) in [
      (#"{ "other": {} }"#, asModule),
      (#"{ "embeddedInTarget": { "name": "App" } }"#, asNamespace),
    ] {
      let configuration = try ApolloCodegenConfiguration(
        json: """
          { "schemaNamespace": "\(name)",
            "output": { "schemaTypes": { "path": "out", "moduleType": \(module) } } }
          """)
      #expect(configuration.problems.isEmpty != isRefused, "\(name) in \(module)")
    }
  }

  /// Returns capitalized words of the code. Excluded are declarations of the file's schema, which
  /// all begin with `Z`, and words after a dot, in comments, in literals and in argument labels.
  private static func unqualifiedTypes(in text: String) -> Set<String> {
    let code = text.split(separator: "\n").filter { line in
      let start = line.drop { $0 == " " }
      return !start.hasPrefix("//") && !start.hasPrefix("import")
        && !start.hasPrefix("public import")
    }.joined(separator: "\n").replacing(#/#*"(?:[^"\\]|\\.)*"#*/#, with: "")
    var words = code.matches(of: #/(?:^|[^.\w`])([A-Z]\w*)(?!\w|\.graphql)/#).map { String($0.1) }
    // Declarations of the file. `Value` is the enum in the protocol `EnumLiteral`, and cannot have
    // another meaning there.
    let declared = Set(
      code.matches(of: #/(?:struct|enum|protocol|typealias) (\w+)/#).map { String($0.1) })
    words.removeAll {
      $0.hasPrefix("Z") || declared.contains($0) || ["API", "JSON", "Data", "Value"].contains($0)
    }
    return Set(words)
  }
}
