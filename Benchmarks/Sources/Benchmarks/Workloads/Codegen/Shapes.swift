import Foundation

/// Deep, wide and random projects, whose compile time must be linear in their lines.
struct Shapes: Experiment {
  let title = "Shapes that are hard to compile"

  /// A schema and operations that are extreme in one way.
  struct Shape {
    var name: String
    var schema: String
    var operations: String
    var hasInitializers = false
  }

  func table() async throws -> String {
    var rows = [["", "lines", "swiftc -Onone", "swiftc -O"]]
    for shape in Self.all {
      let project = try GenerationProject(
        schema: "schema.graphqls", operations: "*.graphql", hasInitializers: shape.hasInitializers)
      for (name, text) in [
        ("schema.graphqls", shape.schema), ("operations.graphql", shape.operations),
      ] {
        try text.write(
          to: project.folder.appendingPathComponent(name), atomically: false, encoding: .utf8)
      }
      _ = try project.generate()
      let row =
        try [shape.name, String(project.lineCount())]
        + [false, true].map {
          text(try Compilation(of: project, isOptimized: $0).elapsed)
        }
      rows.append(row)
    }
    return markdown(rows)
  }

  private static let nodes = """
    type Query { node: Node }
    interface Node { id: ID! node: Node nodes: [Node!] }
    type A implements Node { id: ID! node: Node nodes: [Node!] a: Int }
    type B implements Node { id: ID! node: Node nodes: [Node!] b: Int }
    """

  private static var all: [Shape] {
    let depths = [1, 10, 20, 40]
    let shapes: [[Shape]] = [
      depths.map(fields), depths.map(cases), depths.map(fragments),
      depths.map { mutable(fields($0)) }, depths.map { mutable(cases($0)) },
      depths.map { initialized(fields($0)) }, depths.map { initialized(cases($0)) },
      [10, 500, 5_000].map(values), [10, 100, 500].map(inputFields), [10, 100, 300].map(variables),
      [10, 500, 5_000].map(selections), [10, 500].map { mutable(selections($0)) },
      [10, 500].map { initialized(selections($0)) },
      (1...4).map { random(seed: $0) }, [mutable(random(seed: 5)), initialized(random(seed: 6))],
    ]
    return shapes.flatMap(\.self)
  }

  /// Returns a shape whose models can be changed.
  private static func mutable(_ shape: Shape) -> Shape {
    var shape = shape
    shape.name = "mutable: \(shape.name)"
    // Each operation is the first word of its line.
    shape.operations = shape.operations.split(separator: "\n").map { line in
      line.replacing(" {", with: " @apollo_client_ios_localCacheMutation {", maxReplacements: 1)
    }
    .joined(separator: "\n")
    return shape
  }

  /// Returns a shape whose models have initializers.
  private static func initialized(_ shape: Shape) -> Shape {
    var shape = shape
    shape.name = "initializers: \(shape.name)"
    shape.hasInitializers = true
    return shape
  }

  private static func nested(_ depth: Int, _ open: (Int) -> String) -> String {
    (1...depth).map(open).joined(separator: " ") + " id" + String(repeating: " }", count: depth)
  }

  private static func fields(_ depth: Int) -> Shape {
    Shape(
      name: "fields, \(depth) deep", schema: nodes,
      operations: "query Deep { \(nested(depth) { _ in "node { id" }) }")
  }

  /// Each case is of another interface, because a case that adds no condition has no type.
  private static func cases(_ depth: Int) -> Shape {
    let names = (0...depth).map { "I\($0)" }
    return Shape(
      name: "type cases, \(depth) deep",
      schema:
        "type Query { node: I0 } type A implements \(names.joined(separator: " & ")) { id: ID! }\n"
        + names.map { "interface \($0) { id: ID! }" }.joined(separator: "\n"),
      operations: "query Deep { node { \(nested(depth) { "... on I\($0) {" }) } }")
  }

  /// A chain of fragments, each with a field and a type case.
  private static func fragments(_ depth: Int) -> Shape {
    let fragments = (1...depth).map { number in
      "fragment F\(number) on Node { id ... on A { a } node { id ...F\(number + 1) } }"
    }
    return Shape(
      name: "fragments, \(depth) deep", schema: nodes,
      operations: (["query Deep { node { ...F1 } }"] + fragments).joined(separator: "\n")
        + "\nfragment F\(depth + 1) on Node { id ... on B { b } }")
  }

  private static func selections(_ count: Int) -> Shape {
    let names = (1...count).map { "field\($0)" }
    return Shape(
      name: "a model of \(count) fields",
      schema:
        "type Query { wide: Wide } type Wide { \(names.map { "\($0): Int" }.joined(separator: " ")) }",
      operations: "query Wide { wide { \(names.joined(separator: " ")) } }")
  }

  private static func values(_ count: Int) -> Shape {
    let names = (1...count).map { "VALUE_\($0)" }.joined(separator: " ")
    return Shape(
      name: "an enum of \(count) values",
      schema: "type Query { wide(value: Wide): Wide } enum Wide { \(names) }",
      operations: "query Wide($value: Wide) { wide(value: $value) }")
  }

  private static func inputFields(_ count: Int) -> Shape {
    let fields = (1...count).map { "field\($0): Int" }.joined(separator: " ")
    return Shape(
      name: "an input of \(count) fields",
      schema: "type Query { wide(input: Wide): Int } input Wide { \(fields) }",
      operations: "query Wide($input: Wide) { wide(input: $input) }")
  }

  private static func variables(_ count: Int) -> Shape {
    let arguments = (1...count).map { "value\($0): Int" }.joined(separator: " ")
    let definitions = (1...count).map { "$value\($0): Int" }.joined(separator: " ")
    let uses = (1...count).map { "value\($0): $value\($0)" }.joined(separator: " ")
    return Shape(
      name: "\(count) variables", schema: "type Query { wide(\(arguments)): Int }",
      operations: "query Wide(\(definitions)) { wide(\(uses)) }")
  }

  /// Fields, lists and type cases that are mixed at random, in operations of random depth and
  /// width.
  private static func random(seed: UInt64) -> Shape {
    var random = RepeatableNumbers(seed: seed)
    let openings = ["node { id", "nodes { id", "... on Node {", "... on A { a", "... on B { b"]
    func selections(_ depth: Int) -> String {
      var (opened, isNarrow): ([String], Bool) = ([], false)
      for _ in 0..<depth {
        // An object is never of both types, so one case cannot be inside of the other.
        let opening = openings.prefix(isNarrow ? 3 : 5).randomElement(using: &random)!
        opened.append(opening)
        isNarrow = opening.hasPrefix("...") && (isNarrow || !opening.contains("Node"))
      }
      // As many small widths as large ones.
      let width = Int(exp(Double.random(in: 0...log(5_000), using: &random)))
      let innermost = (1...width).map { "id\($0): id" }
      return (opened + innermost).joined(separator: " ") + String(repeating: " }", count: depth)
    }
    let operations = (1...10).map { number in
      let depth = Int.random(in: 1...40, using: &random)
      return "query Mixed\(number) { node { id \(selections(depth)) } }"
    }
    return Shape(
      name: "ten mixed operations, seed \(seed)", schema: nodes,
      operations: operations.joined(separator: "\n"))
  }
}

/// Random numbers that are the same in each run (SplitMix64).
private struct RepeatableNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    let mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    return mixed ^ (mixed >> 27)
  }
}
