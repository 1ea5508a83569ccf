#if canImport(Glibc)
  internal import Glibc
#endif

/// Advice for glibc's allocator, because responses have thousands of small blocks. Does nothing on
/// other platforms.
///
/// - The allocator keeps freed blocks of up to 128 bytes apart, and merges all of them at once when
///   a thread asks for a large one. After a large response that visits megabytes that no cache of
///   the processor holds any more.
/// - It gives the end of the heap back to the system when a response is released, so that the next
///   one touches new pages.
enum Heap {
  /// The sizes of the bodies after which ``reserve(after:)`` keeps memory. Smaller ones need few
  /// pages, and a larger one must not occupy several times its size for long.
  static let reservingByteCounts = 1 << 15...1 << 21

  #if canImport(Glibc)
    /// The block at the end of the last response, as bits.
    private static let lastBlock = Lock<UInt>(0)

    /// Merges the freed blocks of the thread's part of the heap.
    @inline(never)
    static func mergeFreedBlocks() { free(makeBlock()) }

    /// Keeps the memory of the response that was just read for the next one, when it is released.
    ///
    /// A small block behind the objects of the response stops the heap from ending before it. The
    /// next response of the process moves it.
    ///
    /// - Parameter byteCount: The size of the response's body, whose memory is not free yet.
    @inline(__always)
    static func reserve(after byteCount: Int) {
      if reservingByteCounts.contains(byteCount) { replaceBlock() }
    }

    @inline(never)
    private static func replaceBlock() {
      free(UnsafeMutableRawPointer(bitPattern: lastBlock.exchange(UInt(bitPattern: makeBlock()))))
    }

    /// Makes a block that is too large for the lists of small ones. The allocator merges those
    /// before it looks for one.
    ///
    /// Not by `malloc`, because the compiler removes pairs of `malloc` and `free`.
    private static func makeBlock() -> UnsafeMutableRawPointer? {
      var block: UnsafeMutableRawPointer?
      return posix_memalign(&block, 16, 1_100) == 0 ? block : nil
    }
  #else
    @inline(__always)
    static func mergeFreedBlocks() {}

    @inline(__always)
    static func reserve(after byteCount: Int) {}
  #endif
}
