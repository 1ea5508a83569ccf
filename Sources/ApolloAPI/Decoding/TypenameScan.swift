/// Finds the types of objects that do not begin with `__typename`.
///
/// The reader needs the type of an object before its other fields. So it looks ahead:
///
/// 1. The bytes of the object are scanned, without decoding them, up to its own `__typename`.
/// 2. On the way, the type names of the objects within are noted.
/// 3. When the reader comes to one of those, it finds what was noted. Therefore each byte is
///    scanned once, however deeply objects nest.
///
/// A scan does not check that the bytes are JSON. The reader reads the same bytes afterwards, and
/// reports what is wrong with them.
///
/// - Complexity: O(*n*) in the bytes of a response, and 16 bytes of memory for each object with a
///   type name within a scanned one.
struct TypenameScan {
  /// The objects in the scanned bytes, in their order. Offsets are those of the response.
  private var objects: [Object] = []
  /// The number of objects that the reader has passed.
  private var passedCount = 0
  /// The end of the scanned bytes. Objects before it are in the list, or have no type name.
  private var end = 0
  /// The key that was looked for.
  private var key = QuotedKey.typename
  /// The objects around the place that is being scanned: their indices in the list.
  private var open: [Int] = []

  private struct Object {
    /// The offset of the first byte after the brace and white space.
    let start: Int
    /// The offset of the name's opening quote; 0 when none was found.
    var typename = 0
  }

  /// Returns the opening quote of the type name of the object whose opening brace has been
  /// consumed, or `nil` when there is no such string.
  mutating func find(
    _ key: QuotedKey, ofObjectNextIn json: JSONReader
  ) -> UnsafePointer<UInt8>? {
    guard json.offset < end, key === self.key else { return scan(for: key, json) }
    while passedCount < objects.count, objects[passedCount].start < json.offset {
      passedCount += 1
    }
    guard passedCount < objects.count, objects[passedCount].start == json.offset,
      objects[passedCount].typename > 0
    else { return nil }
    return json.cursor + (objects[passedCount].typename - json.offset)
  }

  // MARK: - Scanning

  private mutating func scan(
    for key: QuotedKey, _ start: JSONReader
  ) -> UnsafePointer<UInt8>? {
    var json = start
    objects.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
    passedCount = 0
    self.key = key
    defer { end = json.offset }
    while true {
      switch json.next {
      case UInt8(ascii: "\""):
        let string = json
        guard let hasEscapes = json.passString() else { return nil }
        if hasEscapes || string.isNext(key.bytes, key.count), let typename = json.typename(),
          !hasEscapes || string.isNext(escaped: key), note(typename, from: start)
        {
          return typename.isString ? typename.start : nil
        }
      case UInt8(ascii: "{"):
        json.cursor += 1
        json.skipWhitespace()
        push(json)
      case UInt8(ascii: "}"):
        json.cursor += 1
        guard pop() else { return nil }
      case 0: return nil  // the end, or no JSON
      default: json.cursor += 1
      }
    }
  }

  private mutating func push(_ json: JSONReader) {
    if objects.capacity == 0 {
      // An array that doubles from one element would be allocated four times for a small response.
      objects.reserveCapacity(Self.firstCapacity)
      open.reserveCapacity(Self.firstCapacity)
    }
    open.append(objects.count)
    objects.append(Object(start: json.offset))
  }

  private static var firstCapacity: Int { 16 }

  /// Ends an object. Returns `false` if it is the one that was asked for.
  private mutating func pop() -> Bool {
    guard let index = open.popLast() else { return false }
    // Objects without a type name need not be kept.
    if index == objects.count - 1, objects[index].typename == 0 { objects.removeLast() }
    return true
  }

  /// Notes the type name of the innermost object. Returns `true` if it is the object that was asked
  /// for.
  private mutating func note(_ typename: JSONReader.Typename, from start: JSONReader) -> Bool {
    guard let index = open.last else { return true }
    if typename.isString, objects[index].typename == 0 {
      objects[index].typename = start.offset + (typename.start - start.cursor)
    }
    return false
  }
}

extension JSONReader {
  fileprivate struct Typename {
    let start: UnsafePointer<UInt8>
    var isString: Bool { start.pointee == UInt8(ascii: "\"") }
  }

  /// Returns the place of the value if the string that was passed is a key.
  @inline(__always)
  fileprivate func typename() -> Typename? {
    var json = self
    json.skipWhitespace()
    guard json.consume(UInt8(ascii: ":")) else { return nil }
    json.skipWhitespace()
    return Typename(start: json.cursor)
  }

  /// Returns whether the next string, which has escapes, is a key.
  @inline(never)
  fileprivate func isNext(escaped key: QuotedKey) -> Bool {
    var json = self
    // A string that cannot be decoded is not the key. The reader reports it.
    guard let string = try? json.readString() else { return false }
    return string.utf8.elementsEqual(
      UnsafeBufferPointer(start: key.bytes + 1, count: key.count - 2))  // within its quotes
  }

  /// Consumes a string without checking it. Returns whether it has escapes, or `nil` if it does not
  /// end.
  @inline(__always)
  fileprivate mutating func passString() -> Bool? {
    cursor += 1
    var hasEscapes = false
    while true {
      cursor = Self.scanString(from: cursor).last
      switch next {
      case UInt8(ascii: "\""):
        cursor += 1
        return hasEscapes
      case UInt8(ascii: "\\") where cursor[1] != 0:
        hasEscapes = true
        cursor += 2
      default: return nil
      }
    }
  }
}
