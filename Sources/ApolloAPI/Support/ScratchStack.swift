/// A stack whose memory is used again and again, from which many values are moved at once.
///
/// Dropping it frees the memory alone: whoever pushes values that have to be released takes them off again.
struct ScratchStack<Element>: ~Copyable {
  /// Meaningless when `capacity` is 0.
  private var memory: UnsafeMutablePointer<Element>
  private var capacity = 0
  private var ownsMemory = false
  private(set) var count = 0

  /// An empty stack, which takes no memory yet.
  init() {
    memory = UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment)!  // more than 0
  }

  /// An empty stack that begins in the memory of somebody else, who keeps it alive and uses it for nothing else meanwhile.
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

  /// Where the topmost element lies, which there must be. Valid until something is pushed.
  var top: UnsafeMutablePointer<Element> {
    @inline(__always) get { memory + (count &- 1) }
  }

  /// The elements from an index on. Valid until something is pushed.
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

  /// Takes elements off until `newCount` are left. They must have been moved, or need no release.
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
