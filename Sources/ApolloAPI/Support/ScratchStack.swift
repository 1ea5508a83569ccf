/// A stack with reusable memory, from which many values are moved at once.
///
/// Dropping it frees the memory alone: pop values that require a release before.
struct ScratchStack<Element>: ~Copyable {
  /// Meaningless when `capacity` is 0.
  private var memory: UnsafeMutablePointer<Element>
  private var capacity = 0
  private var ownsMemory = false
  private(set) var count = 0

  /// Creates an empty stack without memory.
  init() {
    memory = UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment)!  // more than 0
  }

  /// Creates an empty stack that begins in the given memory, which must live as long as the stack
  /// and have no other use.
  init(in memory: UnsafeMutableRawBufferPointer) {
    capacity = memory.count / MemoryLayout<Element>.stride
    self.memory = memory.bindMemory(to: Element.self).baseAddress!  // it was allocated
  }

  deinit {
    if ownsMemory { memory.deallocate() }
  }

  var isEmpty: Bool {
    @inline(__always) get { count == 0 }
  }

  /// The address of the topmost element, which must exist. Valid until the next push.
  var top: UnsafeMutablePointer<Element> {
    @inline(__always) get { memory + (count &- 1) }
  }

  /// Returns the elements from an index on. Valid until the next push.
  @inline(__always)
  func elements(from index: Int) -> UnsafeMutableBufferPointer<Element> {
    UnsafeMutableBufferPointer(start: memory + index, count: count &- index)
  }

  @inline(__always)
  mutating func push(_ element: consuming Element) {
    if count == capacity { grow() }
    (memory + count).initialize(to: element)
    count &+= 1
  }

  /// Removes elements until `newCount` are left. They must have been moved, or require no release.
  @inline(__always)
  mutating func pop(to newCount: Int) { count = newCount }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: max(8, capacity * 2))
    if capacity > 0 { larger.moveInitialize(from: memory, count: count) }
    if ownsMemory { memory.deallocate() }
    memory = larger
    ownsMemory = true
    capacity = max(8, capacity * 2)
  }
}
