/// Finds the vertices of a directed graph from which a way leads back to them.
///
/// Tarjan's algorithm without recursion: a vertex is on a cycle when its strongly connected component
/// has another vertex, or when it has an edge to itself.
struct CyclicComponents {
  /// By vertex; false for those that were not reached.
  private(set) var isOnCycle: [Bool]

  private struct Step {
    var vertex: Int
    var edges: [Int]
    var next = 0
  }

  private let edges: (Int) -> [Int]
  /// By vertex: when it was first visited, from 1; zero when it was not.
  private var order: [Int]
  /// By vertex: the earliest visit of a vertex on the stack that can be reached from it.
  private var low: [Int]
  /// The vertices whose component is not known yet.
  private var stack: [Int] = []
  private var isOnStack: [Bool]
  private var visitCount = 0

  /// - Parameters:
  ///   - vertexCount: Vertices are the numbers below this.
  ///   - starts: Where to begin; what cannot be reached from there is not looked at.
  ///   - edges: The targets of the edges that leave a vertex; called once for each vertex.
  /// - Complexity: O(vertices + edges).
  init(vertexCount: Int, starts: [Int], edges: @escaping (Int) -> [Int]) {
    self.edges = edges
    isOnCycle = Array(repeating: false, count: vertexCount)
    order = Array(repeating: 0, count: vertexCount)
    low = order
    isOnStack = isOnCycle
    for start in starts where order[start] == 0 { visitAll(from: start) }
  }

  private mutating func visitAll(from start: Int) {
    var path = [enter(start)]
    while let step = path.last {
      guard step.next < step.edges.count else {
        path.removeLast()
        close(step.vertex)
        if let user = path.last?.vertex { low[user] = min(low[user], low[step.vertex]) }
        continue
      }
      path[path.count - 1].next += 1
      let target = step.edges[step.next]
      if target == step.vertex { isOnCycle[target] = true }
      if order[target] == 0 {
        path.append(enter(target))
      } else if isOnStack[target] {
        low[step.vertex] = min(low[step.vertex], order[target])
      }
    }
  }

  private mutating func enter(_ vertex: Int) -> Step {
    visitCount += 1
    order[vertex] = visitCount
    low[vertex] = visitCount
    stack.append(vertex)
    isOnStack[vertex] = true
    return Step(vertex: vertex, edges: edges(vertex))
  }

  /// Takes the component off the stack of which `vertex` was visited first, if it was.
  private mutating func close(_ vertex: Int) {
    guard low[vertex] == order[vertex] else { return }
    let isAlone = stack.last == vertex
    while let member = stack.popLast() {
      isOnStack[member] = false
      if !isAlone { isOnCycle[member] = true }
      if member == vertex { break }
    }
  }
}
