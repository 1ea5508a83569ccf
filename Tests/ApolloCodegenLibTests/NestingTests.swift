import ApolloCodegenLib
import Foundation
import SeededRandom
import Testing

/// The nesting of types in generated code. The compiler's time doubles with each level, so it has a
/// limit, whatever the shape of the operations.
@Suite struct NestingTests {
  private static let schema = """
    type Query { node: Node }
    interface Node { id: ID! node: Node nodes: [Node!] }
    interface Leaf { leaf: ID }
    type A implements Node & Leaf { id: ID! node: Node nodes: [Node!] leaf: ID a: Int }
    type B implements Node & Leaf { id: ID! node: Node nodes: [Node!] leaf: ID b: Int }
    """

  private static let openings = [
    "node { id", "nodes { id", "... on Node {", "... on A { a", "... on B { b",
    "... @include(if: $c) { id", "... on Leaf { leaf",
  ]

  /// The shapes of operations: models that are read, made or changed.
  enum Shape: String, CaseIterable { case immutable, initializers, mutable, fragments }

  /// Returns selections that are nested at random.
  private static func selections(_ depth: Int, _ random: inout SeededGenerator) -> String {
    var (opened, onNode, types): ([String], Bool, Set<Character>) = ([], true, [])
    while opened.count < depth {
      let opening = openings.randomElement(using: &random)!
      let type = opening.hasPrefix("... on ") ? opening.dropFirst(7).first! : " "
      // An object is never both an A and a B. A leaf has no other objects.
      guard onNode || "NAB".contains(type), !(type == "A" && types.contains("B")),
        !(type == "B" && types.contains("A"))
      else { continue }
      if opening.hasPrefix("node") { types = [] }
      if type != " " { types.insert(type) }
      onNode = type == "L" ? false : type == " " ? onNode : true
      opened.append(opening)
    }
    return (opened + [onNode ? "id" : "leaf"]).joined(separator: " ")
      + String(repeating: " }", count: depth)
  }

  private static func operations(_ shape: Shape, _ depth: Int, _ seed: UInt64) -> String {
    var random = SeededGenerator(seed: seed)
    let inner = selections(depth, &random)
    let directive = shape == .mutable ? "@apollo_client_ios_localCacheMutation" : ""
    let spread = shape == .fragments ? "...Deep" : inner
    let fragment = shape == .fragments ? "fragment Deep on Node { id \(inner) }" : ""
    return """
      query Mixed($c: Boolean!) \(directive) { node { id ... @include(if: $c) { id } \(spread) } }
      \(fragment)
      """
  }

  /// Returns the number of types that the innermost type of a text is nested in, at most.
  private static func nesting(of text: String) -> Int {
    var (deepest, scopes): (Int, [Bool]) = (0, [])
    for line in text.split(separator: "\n") where !line.contains("#\"") {
      let words = line.split(separator: " ")
      let declares = words.contains("struct") || words.contains("extension")
      for character in line where character == "{" || character == "}" {
        if character == "{" { scopes.append(declares) } else { _ = scopes.popLast() }
        deepest = max(deepest, scopes.count { $0 })
      }
    }
    return deepest
  }

  @Test(arguments: Shape.allCases, [1, 6, 7, 13, 25, 40])
  func typesAreNestedSixDeepAtMost(_ shape: Shape, _ depth: Int) throws {
    for seed in 1...UInt64(5) {
      let project = try TemporaryFolder()
      try project.write(Self.schema, to: "schema.graphqls")
      try project.write(Self.operations(shape, depth, seed), to: "operations.graphql")
      let configuration = """
        {
          "schemaNamespace": "API",
          "input": { "schemaSearchPaths": ["schema.graphqls"], "operationSearchPaths": ["*.graphql"] },
          "output": {
            "schemaTypes": { "path": "out", "moduleType": { "other": {} } },
            "operations": { "inSchemaModule": {} }
          },
          "options": { "selectionSetInitializers": { "operations": \(shape == .initializers) } }
        }
        """
      let generator = Generator(
        try ApolloCodegenConfiguration(json: configuration), rootFolder: project.path)
      let written = try generator.generate().summary.written.filter { !$0.contains("/Schema/") }
      #expect(!written.isEmpty)
      for path in written {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        // The struct of fragments is one level more.
        #expect(Self.nesting(of: text) <= 8, "\(shape), \(depth) deep, seed \(seed): \(path)")
      }
    }
  }
}
