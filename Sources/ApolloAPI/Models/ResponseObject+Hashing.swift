extension ResponseObject {
  /// A hash of what a layout shows of this object.
  ///
  /// The hashes of the fields that have values are added up, so that neither their order nor fields without a value count: views of
  /// one selection set hash alike wherever their objects come from.
  func hash(visible: ObjectLayout) -> UInt64 {
    defer { withExtendedLifetime(storage) {} }
    var sum: UInt64 = 0
    for index in visible.steps.indices {
      guard let (step, slot) = place(of: index, in: visible) else { continue }
      guard let hash = Self.hash(slot, step) else { continue }
      sum &+= Mixer.mix(hash, step.pointee.keyHash)
    }
    return sum
  }

  /// The hash of a slot's value, or `nil` when it has none.
  @inline(__always)
  private static func hash(
    _ slot: UnsafeMutableRawPointer, _ step: UnsafePointer<ReadStep>
  ) -> UInt64? {
    switch step.pointee.reading {
    case .string, .id, .text: return load(String.self, slot).map(Mixer.hash)
    case .int: return load(Int.self, slot).map { UInt64(bitPattern: Int64($0)) }
    case .double: return load(Double.self, slot).map { ($0 == 0 ? 0 : $0).bitPattern }  // 0 == -0
    case .bool: return load(Bool.self, slot).map { $0 ? 1 : 2 }
    case .object:
      return load(ResponseObject.self, slot).map { object in
        object.hash(visible: object.visibleLayout(at: step.pointee.objectPlace))
      }
    case .objects: return hashObjects(slot, step)
    case .enumeration, .leaf, .strings, .nestedObjects: return hashByOperations(slot, step)
    }
  }

  private static func hashObjects(
    _ slot: UnsafeMutableRawPointer, _ step: UnsafePointer<ReadStep>
  ) -> UInt64? {
    // Lists of objects that may not be null have the same bits as lists of those that may.
    guard let objects = load([ResponseObject?].self, slot) else { return nil }
    let place = step.pointee.objectPlace
    var hash = UInt64(objects.count)
    for object in objects {
      let element = object.map { $0.hash(visible: $0.visibleLayout(at: place)) } ?? 0
      hash = Mixer.mix(hash, element)
    }
    return hash
  }

  @inline(never)
  private static func hashByOperations(
    _ slot: UnsafeMutableRawPointer, _ step: UnsafePointer<ReadStep>
  ) -> UInt64? {
    let step = step.pointee
    if let hash = step.cases?._withUnsafeGuaranteedRef({ $0.hash(of: slot) }) { return hash }
    guard step.hasValue(slot) else { return nil }
    if let cases = step.cases?.takeUnretainedValue(), let operations = step.leafOperations {
      return cases.hash(ofName: operations.jsonValue(slot).stringValue ?? "")
    }
    var hasher = Hasher()
    step.leafOperations?.hash(slot, into: &hasher)
    step.objectOperations?.hash(slot, into: &hasher) { object, hasher in
      hasher.combine(object.hash(visible: object.visibleLayout(at: step.objectPlace)))
    }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}

/// Mixes words fast, seeded anew in each process so that nobody can prepare collisions.
enum Mixer {
  private static let seed = UInt64.random(in: .min ... .max) | 1

  /// Multiplies to twice the width and folds the halves.
  @inline(__always)
  static func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let product = (first ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(
      by: second ^ 0xD1B5_4A32_D192_ED03)
    return product.high ^ product.low
  }

  /// The hash of a string's bytes.
  @inline(__always)
  static func hash(_ string: String) -> UInt64 {
    var string = string
    return string.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = seed ^ UInt64(bytes.count)
    var offset = 0
    while offset + 8 <= bytes.count {
      hash = mix(hash, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return mix(hash, rest ^ seed)
  }
}
