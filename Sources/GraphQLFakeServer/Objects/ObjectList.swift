/// The objects of a list or a connection, whatever part of it is requested.
///
/// An object has an index among those that are left, and a position that stays the same when others
/// are deleted. Cursors are positions, so that a deletion between two pages skips no object:
///
/// | | A | B | C | D |
/// | :-- | :-- | :-- | :-- | :-- |
/// | positions | 0 | 1 | 2 | 3 |
/// | indices after B was deleted | 0 | | 1 | 2 |
struct ObjectList: Sendable {
  /// An object and its position.
  struct Entry: Sendable {
    let position: Int
    let object: FakeObject
  }

  private enum Content: Sendable {
    /// So many objects, made up when they are needed. Their positions are their indices.
    case computed(count: Int, @Sendable (Int) -> FakeObject)
    /// Objects in the order of their positions.
    case stored([Entry])
  }

  private let content: Content

  /// Creates a list of entries, which are in the order of their positions.
  init(_ entries: [Entry]) { content = .stored(entries) }

  init(count: Int, _ object: @escaping @Sendable (Int) -> FakeObject) {
    content = .computed(count: count, object)
  }

  var count: Int {
    switch content {
    case .computed(let count, _): count
    case .stored(let entries): entries.count
    }
  }

  subscript(index: Int) -> FakeObject {
    switch content {
    case .computed(_, let object): object(index)
    case .stored(let entries): entries[index].object
    }
  }

  /// Returns the position of the object at an index.
  func position(at index: Int) -> Int {
    switch content {
    case .computed: index
    case .stored(let entries): entries[index].position
    }
  }

  /// Returns the index of the first object from a position on, or the number of objects.
  func index(from position: Int) -> Int {
    switch content {
    case .computed(let count, _): min(position, count)
    case .stored(let entries): entries.firstIndex { $0.position >= position } ?? entries.count
    }
  }

  /// All objects with their positions.
  var entries: [Entry] {
    (0..<count).map { Entry(position: position(at: $0), object: self[$0]) }
  }
}
