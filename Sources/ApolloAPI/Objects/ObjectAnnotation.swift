/// The facts about a response object besides its fields, in one word.
///
/// | value | meaning |
/// | :-- | :-- |
/// | 0 | Nothing is known. |
/// | a reference | The object's ``ObjectIdentity``. |
/// | a reference with the lowest bit set | ``FieldErrors``, which hold the identity as well, if there is one. |
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
    guard bits & 1 == 0 else { return errors?.identity }
    return reference.map { Unmanaged<ObjectIdentity>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The errors of the object's fields. The object must stay alive while they are used.
  var errors: FieldErrors? {
    guard bits & 1 == 1, let reference else { return nil }
    return Unmanaged<FieldErrors>.fromOpaque(reference).takeUnretainedValue()
  }

  mutating func replaceIdentity(_ identity: ObjectIdentity?) {
    guard bits == 0, let identity else {
      return replace(identity: identity, errors: errors?.byKey)
    }
    bits = UInt(bitPattern: Unmanaged.passRetained(identity).toOpaque())
  }

  mutating func replace(identity: ObjectIdentity?, errors: [String: [GraphQLError]]?) {
    let old = self
    if let errors {
      let errors = FieldErrors(errors, identity: identity)
      bits = UInt(bitPattern: Unmanaged.passRetained(errors).toOpaque()) | 1
    } else {
      bits = identity.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
    }
    old.release()
  }

  func release() {
    if let reference { Unmanaged<AnyObject>.fromOpaque(reference).release() }
  }
}
