/// The facts about a response object besides its fields, in one word.
///
/// | value | meaning |
/// | :-- | :-- |
/// | 0 | Nothing is known. |
/// | a reference | The object's ``ObjectIdentity``. |
/// | a reference with the lowest bit set | ``FieldFacts``, which hold the identity as well, if there is one. |
///
/// References are counted by hand: the object calls ``release()`` at its end. An object without an
/// annotation costs nothing.
@frozen @usableFromInline
struct ObjectAnnotation {
  @usableFromInline var bits: UInt

  @usableFromInline init() { bits = 0 }
}

extension ObjectAnnotation {
  private var reference: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: bits & ~1) }

  /// The identity of the object, which must stay alive while it is used.
  var identity: ObjectIdentity? {
    guard !hasFacts else { return facts?.identity }
    return reference.map { Unmanaged<ObjectIdentity>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Indicates whether there are facts about the fields.
  @inline(__always)
  var hasFacts: Bool { bits & 1 == 1 }

  /// The facts about the object's fields. The object must stay alive while they are used.
  var facts: FieldFacts? {
    guard hasFacts, let reference else { return nil }
    return Unmanaged<FieldFacts>.fromOpaque(reference).takeUnretainedValue()
  }

  mutating func replaceIdentity(_ identity: ObjectIdentity?) {
    if let facts {
      return replaceFacts(
        FieldFacts(
          errors: facts.errors, depth: facts.depth, forms: facts.forms, identity: identity))
    }
    let old = self
    bits = identity.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
    old.release()
  }

  /// Replaces the facts, which include the identity. With `nil`, nothing is known.
  mutating func replaceFacts(_ facts: FieldFacts?) {
    let old = self
    if let facts, !facts.errors.isEmpty || !facts.forms.isEmpty {
      bits = UInt(bitPattern: Unmanaged.passRetained(facts).toOpaque()) | 1
    } else if let identity = facts?.identity {
      bits = UInt(bitPattern: Unmanaged.passRetained(identity).toOpaque())
    } else {
      bits = 0
    }
    old.release()
  }

  func release() {
    if let reference { Unmanaged<AnyObject>.fromOpaque(reference).release() }
  }
}
