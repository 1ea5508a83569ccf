import ApolloCodegenLib
import Foundation
import Testing

/// Generated code, compared with golden files. These belong to this target, or to one that other
/// tests use: they compile, and tests run them.
///
/// `RECORD_GOLDEN=1` replaces the golden files by the present code.
@Suite struct GoldenTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  /// A folder with a project, and the golden files of its code.
  struct Fixture: CustomTestStringConvertible {
    var name: String
    /// The golden files, by the folders that code is generated into.
    var goldens: [String: String]

    var testDescription: String { name }

    init(_ name: String, _ goldens: [String: String]? = nil) {
      self.name = name
      self.goldens = goldens ?? ["generated": "Golden/\(name)Golden.swift"]
    }
  }

  static let fixtures = [
    Fixture("StarWars"), Fixture("Names"), Fixture("Collisions"), Fixture("Merging"),
    Fixture("Making"), Fixture("Changing"), Fixture("Policies"), Fixture("Deferring"),
    Fixture("Inputs"), Fixture("Awkward"), Fixture("AwkwardPlain"), Fixture("TypeCases"),
    Fixture("Documentation"), Fixture("Extremes"), Fixture("Nullability"),
    Fixture("Arguments"),
    Fixture(
      "Mocking",
      [
        "generated": "../MockingAPI/MockingAPI.swift",
        "mocks": "../MockingAPITestMocks/MockingAPITestMocks.swift",
      ]),
  ]

  @Test(arguments: fixtures)
  func generatesTheReviewedCode(_ fixture: Fixture) throws {
    let project = try TemporaryFolder()
    for name in ["schema.graphqls", "operations.graphql", "config.json"] {
      let url = Self.folder.appendingPathComponent("Fixtures/\(fixture.name)/\(name)")
      try project.write(String(contentsOf: url, encoding: .utf8), to: name)
    }
    let generator = try Generator(
      ApolloCodegenConfiguration(json: project.text(of: "config.json")), rootFolder: project.path)
    let written = try generator.generate().summary.written
    #expect(
      written.allSatisfy { path in
        fixture.goldens.keys.contains { path.hasPrefix("\(project.path)/\($0)/") }
      })
    for (folder, golden) in fixture.goldens {
      let prefix = "\(project.path)/\(folder)/"
      let generated = try written.filter { $0.hasPrefix(prefix) }.map { path in
        let name = path.dropFirst(prefix.count)
        return "// MARK: \(name)\n\(try project.text(of: "\(folder)/\(name)"))"
      }.joined(separator: "\n")
      let url = Self.folder.appendingPathComponent(golden)
      if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
        try generated.write(to: url, atomically: true, encoding: .utf8)
      }
      let expected = try String(contentsOf: url, encoding: .utf8)
      #expect(Self.firstDifference(generated, expected) == nil)
    }
    #expect(try generator.generate().summary.written == [])
  }

  /// Returns the first line that differs, or `nil`.
  private static func firstDifference(_ found: String, _ expected: String) -> String? {
    let (left, right) = (found.split(separator: "\n"), expected.split(separator: "\n"))
    for (found, expected) in zip(left, right) where found != expected {
      return "found: \(found)\nexpected: \(expected)"
    }
    return left.count == right.count ? nil : "found \(left.count) lines, expected \(right.count)"
  }
}
