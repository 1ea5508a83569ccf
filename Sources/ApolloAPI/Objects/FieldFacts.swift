/// Facts about the fields of one object besides their values: the errors that a server reported,
/// and the forms in which it sent custom scalars.
///
/// `@unchecked Sendable` because nothing writes to an ``ObjectIdentity`` once it is made, and forms
/// are noted only before the object is shared, or through its only reference.
final class FieldFacts: @unchecked Sendable {
  /// The errors by response key.
  let errors: [String: [GraphQLError]]
  /// The length of the path to the object in the response whose errors these are.
  let depth: Int
  /// See ``SentForms``.
  fileprivate(set) var forms: SentForms
  /// See ``ResponseObject/identity``.
  let identity: ObjectIdentity?

  init(
    errors: [String: [GraphQLError]] = [:], depth: Int = 0, forms: SentForms = [:],
    identity: ObjectIdentity? = nil
  ) {
    self.errors = errors
    self.depth = depth
    self.forms = forms
    self.identity = identity
  }

  var isEmpty: Bool { errors.isEmpty && forms.isEmpty && identity == nil }
}

/// The values of custom scalars as a server sent them, by slot, where the Swift type writes them in
/// another form.
///
/// A `Date` is written in UTC, but a server may have sent an offset; a `Decimal` writes `"1.1"` for
/// `"1.100"`. A cache keeps what the server sent, because another version of the program may read
/// it with another type.
typealias SentForms = [Int: JSONValue]

extension ResponseObject {
  /// Returns the value of a slot as the server sent it, or `nil` if the type of the slot writes it
  /// in the same form, or if a program made it.
  @inline(__always)
  func sentForm(inSlot slot: Int) -> JSONValue? {
    guard storage.head.pointee.annotation.hasFacts else { return nil }
    return sentForms[slot]
  }

  @inline(never)
  var sentForms: SentForms {
    defer { withExtendedLifetime(storage) {} }
    return storage.head.pointee.annotation.facts?.forms ?? [:]
  }

  /// Notes the value that the server sent for a slot, or forgets it. The caller must hold the only
  /// reference to the object.
  @inline(never)
  func note(_ form: JSONValue?, inSlot slot: Int) {
    storage.note(form, inSlot: slot)
  }

  /// Forgets the value that the server sent for a slot, which has another value now.
  @inline(__always)
  func forgetForm(inSlot slot: Int) {
    if storage.head.pointee.annotation.hasFacts { note(nil, inSlot: slot) }
  }

  /// Takes over the facts about the fields of another object with the same slots.
  func takeFacts(of other: ResponseObject) {
    guard let facts = other.fieldFacts else { return }
    let own = FieldFacts(
      errors: facts.errors, depth: facts.depth, forms: facts.forms, identity: identity)
    storage.head.pointee.annotation.replaceFacts(own)
    withExtendedLifetime(storage) {}
  }

  /// The facts about the fields, if there are any.
  var fieldFacts: FieldFacts? {
    defer { withExtendedLifetime(storage) {} }
    return storage.head.pointee.annotation.facts
  }
}

extension ObjectStorage {
  /// Notes the value that the server sent for a slot, or forgets it. The caller must hold the only
  /// reference to the object.
  @inline(never)
  func note(_ form: JSONValue?, inSlot slot: Int) {
    let annotation = head.pointee.annotation
    guard let facts = annotation.facts else {
      guard let form else { return }
      return head.pointee.annotation.replaceFacts(
        FieldFacts(forms: [slot: form], identity: annotation.identity))
    }
    // Facts belong to one object.
    facts.forms[slot] = form
    if facts.isEmpty { head.pointee.annotation.replaceFacts(nil) }
  }
}
