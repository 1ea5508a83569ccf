import ApolloIR

/// Finds the fields through which an input object contains itself, so that they can be stored
/// indirectly.
///
/// Lists do not count: their elements are on the heap anyway.
struct InputRecursion {
  private var recursiveFields: Set<Key> = []

  private struct Key: Hashable {
    var type: String
    var field: String
  }

  /// - Complexity: O(*t* + *f*) for *t* types with *f* fields.
  init(of types: [InputObjectType]) {
    var edges: [String: [(field: String, target: String)]] = [:]
    for type in types {
      for field in type.fields {
        guard case .named(let named) = field.type.nullable, named.kind == .inputObject else {
          continue
        }
        edges[type.name, default: []].append((field.name, named.name))
      }
    }
    let component = Self.components(of: types.map(\.name)) { edges[$0]?.map(\.target) ?? [] }
    for (type, fields) in edges {
      for (field, target) in fields where component[type] == component[target] {
        recursiveFields.insert(Key(type: type, field: field))
      }
    }
  }

  func isRecursive(field: String, of type: String) -> Bool {
    recursiveFields.contains(Key(type: type, field: field))
  }

  /// The number of each node's strongly connected component. Kosaraju's algorithm without
  /// recursion.
  private static func components(
    of nodes: [String], _ successors: (String) -> [String]
  ) -> [String: Int] {
    var order: [String] = []
    var visited: Set<String> = []
    var predecessors: [String: [String]] = [:]
    for node in nodes {
      for target in successors(node) { predecessors[target, default: []].append(node) }
    }
    for root in nodes where visited.insert(root).inserted {
      var stack = [(root, successors(root)[...])]
      while let (node, rest) = stack.popLast() {
        guard let next = rest.first else {
          order.append(node)
          continue
        }
        stack.append((node, rest.dropFirst()))
        if visited.insert(next).inserted { stack.append((next, successors(next)[...])) }
      }
    }
    var component: [String: Int] = [:]
    for (number, root) in order.reversed().enumerated() where component[root] == nil {
      var pending = [root]
      while let node = pending.popLast() {
        guard component[node] == nil else { continue }
        component[node] = number
        pending += predecessors[node] ?? []
      }
    }
    return component
  }
}
