/// A visitor of everything that a view shows of an object, in the order of the selections.
protocol ObjectVisitor {
  mutating func openObject()
  /// Receives the key of the next value. Called within objects only.
  mutating func visitKey(of field: UnsafePointer<FieldLayout>)
  mutating func closeObject()
  mutating func openList()
  mutating func closeList()
  mutating func visitNull()
  /// Receives a scalar, an enum, or a list of these, which is not null.
  mutating func visitLeaf(_ slot: UnsafeMutableRawPointer, of field: UnsafePointer<FieldLayout>)
}

/// A walk over an object and those below it, without recursion. Missing fields are left out.
///
/// 1. An object or a list is opened: it is pushed on a stack, with the index of its next field or
///    element.
/// 2. Leaves and nulls of the innermost one are visited in order.
/// 3. At an object or a list, the innermost one is suspended at the next index, and step 1 repeats
///    for the other.
/// 4. At its end, an object or a list is closed, and the one around it continues at its index.
struct ObjectWalk<Visitor: ObjectVisitor> {
  private(set) var visitor: Visitor
  /// The open objects and lists, the innermost one last.
  private var opened: [Opened] = []

  private enum Opened {
    case object(ResponseObject, visible: ObjectLayout, next: Int)
    case objects([ResponseObject?], at: ObjectPosition, next: Int)
    case list([ObjectTree], at: ObjectPosition, next: Int)
  }

  init(_ visitor: Visitor) { self.visitor = visitor }

  /// Visits the fields that a layout shows of an object.
  mutating func visit(_ object: ResponseObject, visible: ObjectLayout) {
    open(object, visible)
    finish()
  }

  /// Visits the value of a field.
  mutating func visit(_ slot: UnsafeMutableRawPointer, _ field: UnsafePointer<FieldLayout>) {
    openField(slot, field)
    finish()
  }

  private mutating func finish() {
    while let innermost = opened.popLast() {
      switch innermost {
      case .object(let object, let visible, let next): visitFields(of: object, visible, from: next)
      case .objects(let objects, let position, let next):
        visitObjects(objects, at: position, from: next)
      case .list(let elements, let position, let next):
        visitElements(elements, at: position, from: next)
      }
    }
  }

  /// Visits fields until an object or a list is opened, or until all are done.
  private mutating func visitFields(
    of object: ResponseObject, _ visible: ObjectLayout, from first: Int
  ) {
    defer { withExtendedLifetime(object) {} }
    for index in first..<visible.fields.count {
      guard let (field, slot) = object.position(of: index, in: visible),
        !field.pointee.slotType.isMissing(slot)
      else { continue }
      visitor.visitKey(of: field)
      if !field.pointee.slotType.holdsObjects || !field.pointee.slotType.hasValue(slot) {
        openField(slot, field)
      } else {
        opened.append(.object(object, visible: visible, next: index + 1))
        return openField(slot, field)
      }
    }
    visitor.closeObject()
  }

  private mutating func visitObjects(
    _ objects: [ResponseObject?], at position: ObjectPosition, from first: Int
  ) {
    for index in first..<objects.count {
      guard let object = objects[index] else {
        visitor.visitNull()
        continue
      }
      opened.append(.objects(objects, at: position, next: index + 1))
      return open(object, at: position)
    }
    visitor.closeList()
  }

  private mutating func visitElements(
    _ elements: [ObjectTree], at position: ObjectPosition, from first: Int
  ) {
    for index in first..<elements.count {
      if case .null = elements[index] {
        visitor.visitNull()
      } else {
        opened.append(.list(elements, at: position, next: index + 1))
        return open(elements[index], at: position)
      }
    }
    visitor.closeList()
  }

  /// Visits a leaf or null, or opens an object or a list.
  private mutating func openField(
    _ slot: UnsafeMutableRawPointer, _ field: UnsafePointer<FieldLayout>
  ) {
    guard field.pointee.slotType.hasValue(slot) else { return visitor.visitNull() }
    guard field.pointee.slotType.holdsObjects else {
      return visitor.visitLeaf(slot, of: field)
    }
    let position = field.pointee.objectPosition
    switch field.pointee.slotType.kind {
    case .object: ResponseObject.load(ResponseObject.self, slot).map { open($0, at: position) }
    case .objects:
      // Lists of objects that may not be null have the same bits as lists of those that may.
      ResponseObject.load([ResponseObject?].self, slot).map { open($0, at: position) }
    default: open(field.pointee.slotType.objects(slot), at: position)
    }
  }

  private mutating func open(_ tree: ObjectTree, at position: ObjectPosition) {
    switch tree {
    case .null: visitor.visitNull()
    case .object(let object): open(object, at: position)
    case .list(let elements):
      visitor.openList()
      opened.append(.list(elements, at: position, next: 0))
    }
  }

  private mutating func open(_ objects: [ResponseObject?], at position: ObjectPosition) {
    visitor.openList()
    opened.append(.objects(objects, at: position, next: 0))
  }

  private mutating func open(_ object: ResponseObject, at position: ObjectPosition) {
    open(object, object.visibleLayout(at: position))
  }

  private mutating func open(_ object: ResponseObject, _ visible: ObjectLayout) {
    visitor.openObject()
    opened.append(.object(object, visible: visible, next: 0))
  }
}
