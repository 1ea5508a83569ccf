import GraphQLSchema
import GraphQLSyntax

/// The object types that have a key or are a page of a list, found by the names of their fields.
struct TypeShapes: Sendable {
  /// A type whose objects are pages of a list.
  struct Connection: Sendable {
    /// The type of the objects in the list.
    let item: Schema.NamedType.ID
    /// The fields with edges, whose objects are in their `node`.
    let edges: Set<String>
    /// The fields with the objects themselves.
    let nodes: Set<String>
    /// The fields with a `PageInfo`.
    let pageInfos: Set<String>
    /// The fields with the length of the whole list.
    let totals: Set<String>
  }

  /// The name of the field with the key of a type's objects.
  private(set) var keys: [Schema.NamedType.ID: Schema.Field] = [:]
  private(set) var connections: [Schema.NamedType.ID: Connection] = [:]

  private static let keyNames = ["id", "_id", "uuid", "ID", "Id", "nodeId"]
  private static let totalNames: Set<String> = [
    "totalCount", "total", "count", "totalResults", "totalItems",
  ]
  private static let nodeNames: Set<String> = [
    "nodes", "items", "results", "data", "list", "entries", "records",
  ]

  init(_ schema: Schema) {
    for index in schema.types.indices where schema.types[index].kind == .object {
      let type = Schema.NamedType.ID(rawValue: UInt32(index))
      guard !schema[type].isBuiltIn else { continue }
      keys[type] = Self.key(of: type, in: schema)
      connections[type] = Self.connection(type, hasKey: keys[type] != nil, in: schema)
    }
  }

  private static func key(
    of type: Schema.NamedType.ID, in schema: Schema
  ) -> Schema.Field? {
    let fields = schema[schema[type].fields]
    return keyNames.lazy.compactMap { name in
      fields.first {
        schema.spelling($0.name) == name && !$0.type.isList
          && schema[$0.type.namedType].kind == .scalar
      }
    }.first
  }

  /// Returns the page that a type is, or `nil`. A type with a key and a list, such as an order with
  /// its items and their count, is an object of its own.
  private static func connection(
    _ type: Schema.NamedType.ID, hasKey: Bool, in schema: Schema
  ) -> Connection? {
    var (edges, nodes, pageInfos, totals): (Set<String>, Set<String>, Set<String>, Set<String>) =
      ([], [], [], [])
    var item: Schema.NamedType.ID?
    for field in schema[schema[type].fields] {
      let name = schema.spelling(field.name)
      let named = field.type.namedType
      if schema[named].kind.isComposite {
        if field.type.isList {
          // All lists of a page have the same objects.
          if let node = node(of: named, in: schema), item == nil || item == node {
            edges.insert(name)
            item = node
          } else if nodeNames.contains(name), item == nil || item == named {
            nodes.insert(name)
            item = named
          }
        } else if isPageInfo(named, in: schema) {
          pageInfos.insert(name)
        }
      } else if totalNames.contains(name), schema.name(of: named) == "Int" {
        totals.insert(name)
      }
    }
    guard let item, !edges.isEmpty || !pageInfos.isEmpty || !totals.isEmpty && !hasKey else {
      return nil
    }
    return Connection(
      item: item, edges: edges, nodes: nodes, pageInfos: pageInfos, totals: totals)
  }

  /// Returns the type of an edge's `node`, or `nil` if the type is no edge.
  private static func node(
    of type: Schema.NamedType.ID, in schema: Schema
  ) -> Schema.NamedType.ID? {
    guard schema[type].kind == .object else { return nil }
    let fields = schema[schema[type].fields]
    guard let node = fields.first(where: { schema.spelling($0.name) == "node" }),
      !node.type.isList, schema[node.type.namedType].kind.isComposite,
      schema.name(of: type).hasSuffix("Edge")
        || fields.contains(where: { schema.spelling($0.name) == "cursor" })
    else { return nil }
    return node.type.namedType
  }

  private static func isPageInfo(_ type: Schema.NamedType.ID, in schema: Schema) -> Bool {
    schema[schema[type].fields].contains { schema.spelling($0.name) == "hasNextPage" }
  }
}
