import CorpusSupport
import Foundation
import GraphQLSyntax
import GraphQLValidation
import Testing

@testable import GraphQLSchema

/// Compares the reading and writing of introspection JSON with the reference implementation.
@Suite(.readsCorpus) struct IntrospectionCorpusTests {
  @Test func readsIntrospectionOfTheReference() throws {
    try forEachCase(of: "introspection.json") { item, json, tally in
      let printed = Self.read(json).schema.printed()
      let expected = item["printed_from_introspection"] as? String
      tally.add(
        item.id, [expected, item["printed_v17"] as? String].contains(printed),
        "expected\n\(expected ?? "")\nfound\n\(printed)")
    }
  }

  @Test func writesIntrospectionAsTheReferenceDoes() throws {
    try forEachCase(of: "introspection.json") { item, json, tally in
      guard (item["options"] as? String)?.hasPrefix("all") == true, let sdl = item["sdl"] as? String
      else { return }
      let text = Schema.build([.sdl("sdl", sdl)]).schema.introspection()
      let found = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
      let expected = try JSONSerialization.jsonObject(with: json) as? NSDictionary
      let pair = (Self.comparable(found), Self.comparable(expected))
      tally.add(item.id, pair.0 == pair.1, "expected\n\(pair.1)\nfound\n\(pair.0)")
    }
  }

  @Test func readsIntrospectionOfServers() throws {
    try forEachCase(of: "introspection_servers.json") { item, json, tally in
      let result = Self.read(json)
      if let expected = item["printed"] as? String {
        let printed = result.schema.printed()
        tally.add(
          item.id, [expected, item["printed_v17"] as? String].contains(printed),
          "expected\n\(expected)\nfound\n\(printed)")
      } else {
        tally.add(item.id, !result.isUsable, "expected an error")
      }
    }
  }

  @Test func rejectsInvalidIntrospection() throws {
    try forEachCase(of: "introspection_invalid.json") { item, json, tally in
      let result = Self.read(json)
      tally.add(item.id, !result.isUsable, "expected \(item["expected_error"] ?? "")")
    }
  }

  // MARK: - Parts

  /// A case whose members differ between the files.
  private struct Item {
    var members: [String: Any]
    var id: String { members["id"] as? String ?? "" }
    subscript(key: String) -> Any? { members[key] }
  }

  /// Calls `body` with each case and the bytes of its introspection result.
  private func forEachCase(
    of name: String, _ body: (Item, Data, inout CorpusTally) throws -> Void
  ) throws {
    let contents = try JSONSerialization.jsonObject(with: Corpus.data(name))
    let file = try #require(contents as? [String: Any])
    var tally = CorpusTally(name, knownDifferences: KnownDifferences.reasons)
    for members in try #require(file["cases"] as? [[String: Any]]) {
      let json = try JSONSerialization.data(withJSONObject: #require(members["introspection"]))
      try body(Item(members: members), json, &tally)
    }
    tally.finish()
  }

  private static func read(_ json: Data) -> SchemaResult {
    Schema.build([.introspection(Source(name: "schema.json", bytes: json))])
  }

  /// Returns the introspection result without the descriptions of built-in elements, which differ.
  private static func comparable(_ introspection: NSDictionary?) -> String {
    let builtIns: Set<String> = [
      "Int", "Float", "String", "Boolean", "ID", "include", "skip", "deprecated", "specifiedBy",
      "oneOf",
    ]
    func strip(_ value: Any, isBuiltIn: Bool) -> Any {
      if let items = value as? [Any] { return items.map { strip($0, isBuiltIn: isBuiltIn) } }
      guard let members = value as? [String: Any] else { return value }
      let name = members["name"] as? String ?? ""
      let isNamedBuiltIn = isBuiltIn || name.hasPrefix("__") || builtIns.contains(name)
      return members.reduce(into: [String: Any]()) { result, member in
        guard !isNamedBuiltIn || member.key != "description" else { return }
        result[member.key] = strip(member.value, isBuiltIn: isNamedBuiltIn && !name.isEmpty)
      }
    }
    guard let introspection,
      // Because: parsed JSON can always be serialized.
      let data = try? JSONSerialization.data(
        withJSONObject: strip(introspection, isBuiltIn: false), options: .sortedKeys)
    else { return "" }
    return String(decoding: data, as: UTF8.self)
  }
}
