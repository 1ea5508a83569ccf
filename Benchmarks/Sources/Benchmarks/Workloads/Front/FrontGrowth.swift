import Foundation
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// The time of each unit in inputs of growing size.
let growth: [ExperimentMaker] = [
  { data in
    let project = try Project(data)
    return Growth(
      title: "Growth: parse and validate operations", unit: "operation",
      points: try [10, 100, 1000].map { try project.operations($0) })
  },
  { data in
    let project = try Project(data)
    return Growth(
      title: "Growth: parse and validate copies of a document", unit: "copy",
      points: try [1, 10, 100].map { try project.copies($0) })
  },
  { data in
    let text = try data.bytes(of: "github.graphqls")
    return Growth(
      title: "Growth: parse copies of GitHub's schema", unit: "copy",
      points: [1, 10, 100].map { count in
        let sources = (0..<count).map { Source(name: "\($0)", bytes: text) }
        return Growth.Point(count: count) {
          var document = Document()
          keep(document.parse(sources))
          keep(document)
        }
      })
  },
]

/// GitHub's schema and operations for it.
private struct Project {
  private let schema: Schema
  private let directory: URL
  private let files: [String]

  init(_ data: BenchmarkData) throws {
    let sdl = Source(name: "github.graphqls", bytes: try data.bytes(of: "github.graphqls"))
    schema = Schema.build([.sdl(sdl)]).schema
    directory = try data.file("github-1000")
    files = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }

  /// The first operations of many, with the fragments of all of them.
  func operations(_ count: Int) throws -> Growth.Point {
    let names = files.filter { $0 != "_fragments.graphql" }.prefix(count)
    let sources = try names.map { try source($0) }
    // Only the fragments that these operations use, so that their number grows too.
    let fragments = try usedFragments(by: sources)
    return Growth.Point(count: count) { try check(sources + [fragments]) }
  }

  /// The same operation with the same fragments, repeated under new names.
  func copies(_ count: Int) throws -> Growth.Point {
    let operation = try source(files.first { $0 != "_fragments.graphql" } ?? "")
    let original = [operation, try usedFragments(by: [operation])]
    let sources = (0..<count).flatMap { number in
      original.map { $0.renamingDefinitions(with: "_\(number)") }
    }
    return Growth.Point(count: count) { try check(sources) }
  }

  private func source(_ name: String) throws -> Source {
    Source(name: name, bytes: try Data(contentsOf: directory.appendingPathComponent(name)))
  }

  private func usedFragments(by sources: [Source]) throws -> Source {
    var document = Document(names: schema.names)
    for source in sources + [try source("_fragments.graphql")] { keep(document.parse(source)) }
    let options = ValidationConfiguration(severities: [.noUnusedFragments: .off])
    guard let valid = validate(document, against: schema, configuration: options).document else {
      throw InvalidInput()
    }
    let used = Set(
      document.operations.indices.flatMap { index in
        valid.fragments(usedBy: OperationDefinition.ID(rawValue: UInt32(index)))
      }.map(\.index))
    let texts = used.sorted().map { document.text(of: document.fragments[$0].span) }
    return Source(name: "_fragments.graphql", text: texts.joined(separator: "\n"))
  }

  private func check(_ sources: [Source]) throws {
    var document = Document(names: schema.names)
    let problems = document.parse(sources)
    let result = validate(document, against: schema)
    guard problems.isEmpty, result.diagnostics.isEmpty else { throw InvalidInput() }
    keep(result)
  }

  /// The error for a valid document that the validator rejects.
  private struct InvalidInput: Error {}
}

extension Source {
  /// The text with `suffix` after the names of its operations and fragments.
  fileprivate func renamingDefinitions(with suffix: String) -> Source {
    var document = Document()
    keep(document.parse(self))
    let names =
      document.operations.compactMap(\.name) + document.fragments.map(\.name)
      + document.fragmentSpreads.map(\.name)
    var bytes = Array(self.bytes)
    for end in names.map({ Int($0.span.end) }).sorted(by: >) {
      bytes.insert(contentsOf: suffix.utf8, at: end)
    }
    return Source(name: name + suffix, bytes: bytes)
  }
}
