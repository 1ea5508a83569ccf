#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The memory that the nodes of several sources will probably need, judging by those parsed so far.
///
/// An array that grows by doubling touches twice the memory that it needs, and the kernel hands out
/// memory more slowly than the parser reads. So the arrays of a large document grow once, to the
/// size that the rest of the sources probably needs. After as many bytes again, the estimate is
/// repeated.
struct Reservation {
  /// The number of bytes of all sources.
  private let byteCount: Int
  /// The number of bytes of the sources that are parsed completely.
  private var parsed = 0
  /// The number of bytes to read before the next estimate.
  private(set) var threshold: Int
  private let before: Checkpoint

  /// The density of nodes in fewer bytes says little, and a smaller document gains nothing.
  private static let firstThreshold = 65_536
  private static let leastByteCount = 1 << 20

  init(_ document: borrowing Document, forSourcesOf byteCount: Int) {
    self.byteCount = byteCount
    before = Checkpoint(document)
    threshold = byteCount < Self.leastByteCount ? .max : Self.firstThreshold
  }

  /// Counts a source that was parsed.
  mutating func finish(sourceOf byteCount: Int) {
    parsed += byteCount
    if threshold != .max { threshold -= byteCount }
  }

  /// Makes room in the document for the nodes of the rest.
  ///
  /// - Parameters:
  ///   - document: The document to which the sources are added.
  ///   - read: The number of bytes of the current source that were read.
  mutating func reserve(in document: inout Document, read: Int) {
    let total = parsed + read
    threshold = read + total
    // A part more than expected, because growing again costs more than unused addresses.
    let growth = 1.1 * Double(byteCount - total) / Double(max(total, 1))
    document.reserveCapacity(since: before, growth: growth)
  }
}

extension Array {
  /// Makes room for the elements that follow, if they are many.
  ///
  /// An estimate from few elements can be far too high. So an array grows eightfold at most.
  ///
  /// - Parameters:
  ///   - start: The count when the elements of the sources began.
  ///   - growth: The number of elements to expect, for each one since `start`.
  mutating func reserve(since start: Int, growth: Double) {
    let new = count - start
    let expected = start + Swift.min(new + Int(Double(new) * growth), new * 8)
    guard expected > capacity, expected > 4096 else { return }
    reserveCapacity(expected)
    adviseLargePages()
  }

  /// Asks Linux for large pages for the memory of a large array, since most distributions use them
  /// on request only.
  ///
  /// The kernel then hands out 2 MB at a time instead of 4 KB. It is a wish, and ends when the
  /// memory is freed.
  package mutating func adviseLargePages() {
    #if os(Linux)
      let byteCount = UInt(capacity * MemoryLayout<Element>.stride)
      guard byteCount >= 4 << 20 else { return }
      let page = UInt(Swift.max(sysconf(Int32(_SC_PAGESIZE)), 4096))
      withUnsafeMutableBytes { bytes in
        // Whole pages of memory that belongs to this array alone.
        let start = (UInt(bitPattern: bytes.baseAddress) + page - 1) / page * page
        let end = (UInt(bitPattern: bytes.baseAddress) + byteCount) / page * page
        // A kernel without large pages returns an error, and nothing changes.
        madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_HUGEPAGE)
      }
    #endif
  }
}
