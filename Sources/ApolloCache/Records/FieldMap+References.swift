internal import ApolloAPI

extension FieldMap {
  /// Calls `body` with the key of each record that the fields refer to, also inside of lists and
  /// embedded objects.
  ///
  /// - Complexity: O(*n*) in the number of values.
  package func forEachReference(_ body: (RecordKey) -> Void) {
    for (_, value) in self { value.forEachReference(body) }
  }

  /// The approximate number of bytes that the fields need.
  ///
  /// - Complexity: O(*n*) in the number of values.
  package var byteCount: Int {
    var sum = 0
    for (_, value) in self { sum += value.byteCount }
    return sum
  }
}

extension CacheValue {
  /// Calls `body` with the key of each record that the value refers to.
  @inline(never)  // as below
  package func forEachReference(_ body: (RecordKey) -> Void) {
    switch self {
    case .reference(let key): body(key)
    case .list(let elements): for element in elements { element.forEachReference(body) }
    case .object(let fields): fields.forEachReference(body)
    case .null, .bool, .int, .double, .string, .json, .failure: break
    }
  }

  /// The approximate number of bytes that the value needs: a slot, and its text or elements.
  @inline(never)  // Otherwise the compiler repeats the recursion many times in each caller.
  package var byteCount: Int {
    let slot = 16
    return switch self {
    case .null, .bool, .int, .double: slot
    case .string(let text): slot + text.utf8.count
    case .reference(let key): slot + key.byteCount
    case .list(let elements): elements.reduce(slot) { $0 + $1.byteCount }
    case .object(let fields): slot + fields.byteCount
    case .json(let json): slot + json.description.utf8.count
    case .failure(let failure):
      slot + failure.message.utf8.count + failure.extensions.description.utf8.count
    }
  }
}

extension RecordKey {
  /// The number of bytes of the text.
  package var byteCount: Int { identity.withBytes { $0.count } }
}

extension RecordSet {
  /// The approximate number of bytes that the records need.
  package var byteCount: Int { reduce(0) { $0 + $1.byteCount } }
}

extension Record {
  /// The approximate number of bytes that the record needs, with its key and its place in a table.
  package var byteCount: Int { Self.overhead + key.byteCount + fields.byteCount }

  /// The bytes of a record besides its key and its values.
  private static let overhead = 64
}
