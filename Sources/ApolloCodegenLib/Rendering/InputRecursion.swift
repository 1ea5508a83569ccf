import ApolloIR

/// The fields through which an input object contains itself. They need indirect storage.
///
/// Lists do not count, because their elements are stored indirectly anyway.
struct InputRecursion {
  private var recursiveFields: Set<Key> = []

  private struct Key: Hashable {
    var type: String
    var field: String
  }

  /// Finds the recursive fields of all types.
  ///
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

  /// Returns the number of each node's strongly connected component.
  ///
  /// 1. Depth-first search lists the nodes in the order in which they are finished.
  /// 2. In the reverse of that order, each node without a component starts one. It consists of the
  ///    nodes from which the start can be reached and that have no component yet.
  ///
  /// This is Kosaraju's algorithm, without recursion.
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
