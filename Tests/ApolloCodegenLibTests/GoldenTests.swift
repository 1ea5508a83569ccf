import ApolloCodegenLib
import Foundation
import Testing

/// Generated code, held to what was reviewed. The expected files are part of this target, so they compile, and other tests run them.
///
/// `RECORD_GOLDEN=1` writes what is generated now over what is expected.
@Suite struct GoldenTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  @Test(arguments: ["StarWars", "Names", "Merging", "Making", "Changing", "Policies"])
  func generatesWhatWasReviewed(_ fixture: String) throws {
    let project = try TemporaryFolder()
    for name in ["schema.graphqls", "operations.graphql", "config.json"] {
      let url = Self.folder.appendingPathComponent("Fixtures/\(fixture)/\(name)")
      try project.write(String(contentsOf: url, encoding: .utf8), to: name)
    }
    let generator = try Generator(
      ApolloCodegenConfiguration(json: project.text(of: "config.json")), rootFolder: project.path)
    let written = try generator.generate().summary.written
    let generated = try written.map { path in
      let name = Path.display(path, from: project.path + "/generated")
      return "// MARK: \(name)\n\(try project.text(of: "generated/\(name)"))"
    }.joined(separator: "\n")
    let golden = Self.folder.appendingPathComponent("Golden/\(fixture)Golden.swift")
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
      try generated.write(to: golden, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: golden, encoding: .utf8)
    #expect(Self.firstDifference(generated, expected) == nil)
    #expect(try generator.generate().summary.written == [])
  }

  /// The first line that differs, or `nil`.
  private static func firstDifference(_ found: String, _ expected: String) -> String? {
    let (left, right) = (found.split(separator: "\n"), expected.split(separator: "\n"))
    for (found, expected) in zip(left, right) where found != expected {
      return "found: \(found)\nexpected: \(expected)"
    }
    return left.count == right.count ? nil : "found \(left.count) lines, expected \(right.count)"
  }
}
