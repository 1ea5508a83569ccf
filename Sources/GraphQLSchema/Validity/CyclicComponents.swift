/// Finds the vertices of a directed graph from which a way leads back to them, and an order in which
/// all others come after what their edges lead to.
///
/// Tarjan's algorithm without recursion: a vertex is on a cycle when its strongly connected component
/// has another vertex, or when it has an edge to itself.
package struct CyclicComponents {
  /// By vertex; false for those that were not reached.
  package private(set) var isOnCycle: [Bool]
  /// The vertices that were reached, component by component; a component comes after all those that
  /// can be reached from it.
  package private(set) var targetsFirst: [Int] = []
  /// By vertex: the number of its component, counted in that order; -1 for those not reached.
  package private(set) var component: [Int]
  package private(set) var componentCount = 0

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
  package init(
    vertexCount: Int, starts: some Sequence<Int>, edges: @escaping (Int) -> [Int]
  ) {
    self.edges = edges
    component = Array(repeating: -1, count: vertexCount)
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
      component[member] = componentCount
      targetsFirst.append(member)
      if !isAlone { isOnCycle[member] = true }
      if member == vertex { break }
    }
    componentCount += 1
  }
}
