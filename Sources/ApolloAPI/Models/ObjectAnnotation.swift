/// What is known of an object besides its fields, in one word: nothing, the name that a cache gave it, or, which is rare, what a
/// server reported about its fields, and then its name is with that.
///
/// The word is a reference that is retained by hand, with the lowest bit set for ``FieldErrors``: whoever makes and destroys
/// the object must release it, and an object without a note pays nothing.
@frozen @usableFromInline
struct ObjectAnnotation {
  @usableFromInline var bits: UInt

  @usableFromInline init() { bits = 0 }
}

extension ObjectAnnotation {
  private var reference: Unmanaged<AnyObject>? {
    UnsafeRawPointer(bitPattern: bits & ~1).map(Unmanaged.fromOpaque)
  }

  /// What the object is called. The object must be kept alive meanwhile.
  var name: AnyObject? {
    bits & 1 == 0 ? reference?.takeUnretainedValue() : errors?.name
  }

  /// What is known of its fields. The object must be kept alive meanwhile.
  var errors: FieldErrors? {
    guard bits & 1 == 1, let reference else { return nil }
    return unsafeDowncast(reference.takeUnretainedValue(), to: FieldErrors.self)
  }

  mutating func replaceName(_ name: AnyObject?) {
    guard bits == 0, let name else { return replace(name: name, errors: errors?.byKey) }
    bits = UInt(bitPattern: Unmanaged.passRetained(name).toOpaque())
  }

  mutating func replace(name: AnyObject?, errors: [String: [GraphQLError]]?) {
    let old = self
    if let errors {
      let errors = FieldErrors(errors, name: name)
      bits = UInt(bitPattern: Unmanaged<AnyObject>.passRetained(errors).toOpaque()) | 1
    } else {
      bits = name.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
    }
    old.release()
  }

  func release() { reference?.release() }
}
