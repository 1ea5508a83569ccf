/// A depth-first search for cycles in a directed graph whose edges have labels.
///
/// Each vertex is visited once, so not every cycle is found, but one through each edge that closes
/// one. Does not recurse, and stops to record when the cycles are 10,000 edges long together: more
/// of them only occur in schemas that were made to be slow.
struct CycleSearch<Vertex: Hashable, Label> {
  /// The cycles found so far, each as the labels of its edges, in the order of the way through.
  private(set) var cycles: [[Label]] = []
  /// How many edges may still be recorded.
  private var room = 10_000

  private let edges: (Vertex) -> [(label: Label, target: Vertex)]
  private var visited: Set<Vertex> = []
  /// The vertices on the way, each with the edges still to follow.
  private var path: [(vertex: Vertex, rest: ArraySlice<(label: Label, target: Vertex)>)] = []
  /// The labels of the edges between the vertices of `path`.
  private var labels: [Label] = []
  /// Where each vertex of `path` is in it.
  private var positions: [Vertex: Int] = [:]

  /// - Parameter edges: The edges that leave a vertex; called once for each vertex.
  init(edges: @escaping (Vertex) -> [(label: Label, target: Vertex)]) {
    self.edges = edges
  }

  /// Visits all that can be reached from `vertex` and was not visited before.
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
      guard room > 0 || cycles.isEmpty else { return }
      cycles.append(labels[position...] + [label])
      room -= labels.count - position + 1
    } else if !visited.contains(target) {
      labels.append(label)
      enter(target)
    }
  }
}
