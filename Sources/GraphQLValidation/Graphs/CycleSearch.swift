/// Searches a directed graph with labeled edges for cycles, depth first.
///
/// Each vertex is visited once. The search therefore does not find every cycle, but one for each
/// edge that closes a cycle:
///
/// 1. Enter a vertex, and follow its edges in order.
/// 2. If an edge leads to a new vertex, enter that vertex.
/// 3. If an edge leads to a vertex on the current path, record the cycle from there to here.
/// 4. When all edges of a vertex are followed, leave it.
///
/// The path is a stack, not recursion. Recording stops when the cycles contain 10,000 edges in
/// total; only schemas designed to be slow have more.
struct CycleSearch<Vertex: Hashable, Label> {
  /// The cycles found so far, each as the labels of its edges in order.
  private(set) var cycles: [[Label]] = []
  /// The number of edges that can still be recorded.
  private var remainingEdges = 10_000

  private let edges: (Vertex) -> [(label: Label, target: Vertex)]
  private var visited: Set<Vertex> = []
  /// The vertices on the current path, each with its remaining edges.
  private var path: [(vertex: Vertex, rest: ArraySlice<(label: Label, target: Vertex)>)] = []
  /// The labels of the edges between the vertices of `path`.
  private var labels: [Label] = []
  /// The index of each vertex of `path`.
  private var positions: [Vertex: Int] = [:]

  /// Creates a search.
  ///
  /// - Parameter edges: Returns the edges that leave a vertex. It is called once for each vertex.
  init(edges: @escaping (Vertex) -> [(label: Label, target: Vertex)]) {
    self.edges = edges
  }

  /// Visits all vertices that can be reached from `vertex` and have not been visited.
  mutating func start(at vertex: Vertex) {
    guard !visited.contains(vertex) else { return }
    enter(vertex)
    while !path.isEmpty {
      if let edge = path[path.count - 1].rest.popFirst() {
        follow(edge.label, to: edge.target)
      } else if let left = path.popLast() {
        positions[left.vertex] = nil
        if !labels.isEmpty { labels.removeLast() }
      }
    }
  }

  private mutating func enter(_ vertex: Vertex) {
    visited.insert(vertex)
    positions[vertex] = path.count
    path.append((vertex, edges(vertex)[...]))
  }

  private mutating func follow(_ label: Label, to target: Vertex) {
    if let position = positions[target] {
      guard remainingEdges > 0 || cycles.isEmpty else { return }
      cycles.append(labels[position...] + [label])
      remainingEdges -= labels.count - position + 1
    } else if !visited.contains(target) {
      labels.append(label)
      enter(target)
    }
  }
}
