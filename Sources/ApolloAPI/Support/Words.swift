/// Returns the next 8 bytes, the first one lowest.
@inline(__always)
func loadWord(_ pointer: UnsafePointer<UInt8>) -> UInt64 {
  UInt64(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt64.self))
}

/// Returns the next 4 bytes, the first one lowest.
@inline(__always)
func loadWord32(_ pointer: UnsafePointer<UInt8>) -> UInt32 {
  UInt32(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt32.self))
}

/// Words of eight equal bytes.
enum Bytes {
  @inline(__always)
  static func all(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }
}

/// Copies bytes into memory that is never freed, padded with zeros to whole words and two more
/// words.
func allocateForever(_ bytes: [UInt8]) -> UnsafePointer<UInt8> {
  let capacity = (bytes.count + 23) & ~7
  let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
  memory.initialize(repeating: 0, count: capacity)
  for (index, byte) in bytes.enumerated() { memory[index] = byte }
  return UnsafePointer(memory)
}

/// Copies elements into memory that is never freed. There is memory even when there are no
/// elements.
func allocateForever<Element>(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
  let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
  memory.initialize(from: elements, count: elements.count)
  return UnsafeBufferPointer(start: memory, count: elements.count)
}
