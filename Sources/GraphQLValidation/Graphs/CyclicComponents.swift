/// The strongly connected components of a directed graph, and the vertices that are on cycles.
///
/// The algorithm is Tarjan's, without recursion:
///
/// 1. Visit the vertices depth first. Number each on its first visit, and push it on a stack.
/// 2. For each vertex, compute the lowest number on the stack that can be reached from it.
/// 3. When all edges of a vertex are followed and its lowest number is its own, pop its component
///    off the stack.
///
/// A vertex is on a cycle if its component has another vertex, or if it has an edge to itself.
struct CyclicComponents {
  /// One element for each vertex: `true` if it was reached and is on a cycle.
  private(set) var isOnCycle: [Bool]
  /// The vertices that were reached, grouped by component. Each component follows all components
  /// that can be reached from it.
  private(set) var targetsFirst: [Int] = []
  /// The component of each vertex, numbered in the order of `targetsFirst`, or -1 if it was not
  /// reached.
  private(set) var component: [Int]
  private(set) var componentCount = 0

  private struct Step {
    var vertex: Int
    var edges: [Int]
    var next = 0
  }

  private let edges: (Int) -> [Int]
  /// The number of each vertex in the order of first visits, counted from 1, or zero before the
  /// visit.
  private var order: [Int]
  /// The lowest number on the stack that can be reached from each vertex.
  private var low: [Int]
  /// The visited vertices whose component is not complete.
  private var stack: [Int] = []
  private var isOnStack: [Bool]
  private var visitCount = 0

  /// Finds the components of a graph.
  ///
  /// - Parameters:
  ///   - vertexCount: The number of vertices, which are numbered from zero.
  ///   - starts: The vertices from which to search.
  ///   - edges: Returns the targets of the edges that leave a vertex. It is called once for each
  ///     vertex.
  /// - Complexity: O(*v* + *e*) for *v* vertices and *e* edges.
  init(
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

  /// Pops the component of `vertex` off the stack, if `vertex` was visited first in its component.
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
