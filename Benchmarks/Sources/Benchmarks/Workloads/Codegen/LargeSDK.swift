import Foundation

/// A project of the size of Linear's SDK: a schema of more than a megabyte, and for each of its
/// entities a fragment with all fields, and five operations.
///
/// Linear's own schema is not a part of the data of the benchmarks.
struct LargeSDK: Experiment {
  let title = "Generate an SDK of the size of Linear's in a process of its own"

  private static let entityCount = 133
  private static let rounds = 7

  func table() async throws -> String {
    let schema = Self.schema
    let operations = Self.operations
    var runs: [ProcessMeter.Run] = []
    // Each run has a folder of its own, which stays to the end.
    var projects: [GenerationProject] = []
    for _ in 0..<Self.rounds {
      let project = try GenerationProject(schema: "schema.graphqls", operations: "*.graphql")
      for (name, text) in [("schema.graphqls", schema), ("sdk.graphql", operations)] {
        try text.write(
          to: project.folder.appendingPathComponent(name), atomically: false, encoding: .utf8)
      }
      projects.append(project)
      runs.append(try project.generate())
    }
    return markdown([
      ["schema", "operations", "lines", "processor", "user's mode", "elapsed", "peak memory"],
      [
        String(format: "%.2f MB", Double(schema.utf8.count) / 1e6),
        String(Self.entityCount * 5), String(try projects[0].lineCount()),
        text(median(runs.map(\.processorTime))), text(median(runs.map(\.userTime))),
        text(median(runs.map(\.elapsed))),
        String(format: "%.0f MB", Double(runs.map(\.peakBytes).max() ?? 0) / 1e6),
      ],
    ])
  }

  // MARK: - Schema

  private static let scalars: [(name: String, type: String)] = [
    ("createdAt", "DateTime!"), ("updatedAt", "DateTime!"), ("archivedAt", "DateTime"),
    ("name", "String!"), ("description", "String"), ("url", "String!"), ("color", "String"),
    ("sortOrder", "Float!"), ("number", "Float!"), ("isDefault", "Boolean!"),
    ("settings", "JSONObject"), ("email", "String"), ("icon", "String"), ("startsAt", "DateTime"),
    ("endsAt", "DateTime"), ("progress", "Float!"), ("slugId", "String!"), ("active", "Boolean!"),
    ("branch", "String"),
  ]

  private static let arguments: [(name: String, type: String)] = [
    ("after", "String"), ("before", "String"), ("first", "Int"), ("includeArchived", "Boolean"),
    ("last", "Int"), ("orderBy", "PaginationOrderBy"),
  ]

  private static func described(_ name: String, _ rest: String) -> String {
    "\"\"\"The \(name) of an entity, as the interface of the service shows it to users.\"\"\"\n"
      + "\(name)\(rest)"
  }

  private static func connection(_ name: String, of entity: Int) -> String {
    let list = (arguments + [("filter", "Entity\(entity)Filter")])
      .map { described($0.name, ": \($0.type)") }.joined(separator: "\n")
    return described(name, "(\n\(list)\n): Entity\(entity)Connection!")
  }

  private static func owner(_ index: Int, of entity: Int) -> Int {
    (entity * 7 + index * 13 + 1) % entityCount
  }

  private static var schema: String {
    var types = [
      "scalar DateTime", "scalar JSONObject", "enum PaginationOrderBy { createdAt updatedAt }",
      "type PageInfo { hasPreviousPage: Boolean! hasNextPage: Boolean! endCursor: String }",
    ]
    for type in ["String", "Float", "Boolean", "DateTime"] {
      let operators = ["eq", "neq", "lt", "gt", "contains", "startsWith"]
        .map { described($0, ": \(type)") }
      types.append("input \(type)Comparator {\n\(operators.joined(separator: "\n"))\n}")
    }
    types += (0..<entityCount).map(entityTypes)
    let queries = (0..<entityCount).map { entity in
      described("entity\(entity)", "(id: String!): Entity\(entity)!") + "\n"
        + connection("entities\(entity)", of: entity)
    }
    let mutations = (0..<entityCount).map { entity in
      let name = "Entity\(entity)"
      return "create\(name)(input: \(name)CreateInput!): \(name)Payload!\n"
        + "update\(name)(id: String!, input: \(name)UpdateInput!): \(name)Payload!"
    }
    types.append("type Query {\n\(queries.joined(separator: "\n"))\n}")
    types.append("type Mutation {\n\(mutations.joined(separator: "\n"))\n}")
    return types.joined(separator: "\n") + "\n"
  }

  private static func entityTypes(_ entity: Int) -> String {
    let name = "Entity\(entity)"
    let values = (0..<6).map { "value\($0)" }.joined(separator: " ")
    let fields =
      ["id: ID!", "kind: Kind\(entity)!"] + scalars.map { described($0.name, ": \($0.type)") }
      + (0..<4).map { described("owner\($0)", ": Entity\(owner($0, of: entity))") }
      + (0..<3).map { connection("items\($0)", of: owner($0, of: entity)) }
    let filters =
      scalars.filter { $0.name != "settings" }.map { field in
        described(field.name, ": \(field.type.replacingOccurrences(of: "!", with: ""))Comparator")
      } + ["and: [\(name)Filter!]", "or: [\(name)Filter!]"]
      + (0..<4).map { "owner\($0): Entity\(owner($0, of: entity))Filter" }
    func input(_ isUpdate: Bool) -> String {
      scalars.map { field in
        let type = isUpdate ? field.type.replacingOccurrences(of: "!", with: "") : field.type
        return described(field.name, ": \(type)")
      }.joined(separator: "\n")
    }
    return """
      enum Kind\(entity) { \(values) }
      type \(name) {\n\(fields.joined(separator: "\n"))\n}
      type \(name)Edge { node: \(name)! cursor: String! }
      type \(name)Connection { edges: [\(name)Edge!]! nodes: [\(name)!]! pageInfo: PageInfo! }
      type \(name)Payload { lastSyncId: Float! success: Boolean! entity: \(name)! }
      input \(name)Filter {\n\(filters.joined(separator: "\n"))\n}
      input \(name)CreateInput {\n\(input(false))\n}
      input \(name)UpdateInput {\n\(input(true))\n}
      """
  }

  // MARK: - Operations

  private static var operations: String {
    (["fragment PageInfo on PageInfo { __typename endCursor hasPreviousPage hasNextPage }"]
      + (0..<entityCount).map(entityOperations)).joined(separator: "\n") + "\n"
  }

  private static func entityOperations(_ entity: Int) -> String {
    let name = "Entity\(entity)"
    let fields = scalars.map(\.name).joined(separator: " ")
    let owners = (0..<4).map { "owner\($0) { id }" }.joined(separator: " ")
    let values = (arguments + [("filter", "")]).map { "\($0.name): $\($0.name)" }
      .joined(separator: " ")
    func variables(_ entity: Int) -> String {
      (arguments + [("filter", "Entity\(entity)Filter")]).map { "$\($0.name): \($0.type)" }
        .joined(separator: ", ")
    }
    let items = owner(0, of: entity)
    return """
      fragment \(name) on \(name) { __typename id kind \(fields) \(owners) }
      fragment \(name)Connection on \(name)Connection {
        __typename nodes { ...\(name) } pageInfo { ...PageInfo }
      }
      fragment \(name)Payload on \(name)Payload { __typename entity { id } lastSyncId success }
      query entity\(entity)($id: String!) { entity\(entity)(id: $id) { ...\(name) } }
      query entity\(entity)_items0($id: String!, \(variables(items))) {
        entity\(entity)(id: $id) { items0(\(values)) { ...Entity\(items)Connection } }
      }
      query entities\(entity)(\(variables(entity))) {
        entities\(entity)(\(values)) { ...\(name)Connection }
      }
      mutation create\(name)($input: \(name)CreateInput!) {
        create\(name)(input: $input) { ...\(name)Payload }
      }
      mutation update\(name)($id: String!, $input: \(name)UpdateInput!) {
        update\(name)(id: $id, input: $input) { ...\(name)Payload }
      }
      """
  }
}
