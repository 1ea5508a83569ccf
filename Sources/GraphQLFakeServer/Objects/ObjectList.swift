/// The objects of a list or a connection, whatever part of it is requested.
struct ObjectList: Sendable {
  private enum Content: Sendable {
    /// So many objects, made up when they are needed.
    case computed(count: Int, @Sendable (Int) -> FakeObject)
    case stored([FakeObject])
  }

  private let content: Content

  init(_ objects: [FakeObject]) { content = .stored(objects) }

  init(count: Int, _ object: @escaping @Sendable (Int) -> FakeObject) {
    content = .computed(count: count, object)
  }

  var count: Int {
    switch content {
    case .computed(let count, _): count
    case .stored(let objects): objects.count
    }
  }

  subscript(index: Int) -> FakeObject {
    switch content {
    case .computed(_, let object): object(index)
    case .stored(let objects): objects[index]
    }
  }

  var all: [FakeObject] { (0..<count).map { self[$0] } }
}
