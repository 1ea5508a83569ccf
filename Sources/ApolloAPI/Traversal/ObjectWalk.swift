/// A visitor of everything that a view shows of an object, in the order of the selections.
protocol ObjectVisitor {
  /// Opens an object with at most this number of fields.
  mutating func openObject(fieldCount: Int)
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
///
/// Nothing that is open is retained: the object that is walked over keeps what is below it.
struct ObjectWalk<Visitor: ObjectVisitor>: ~Copyable {
  var visitor: Visitor
  /// The open objects and lists, the innermost one last.
  private var opened = ScratchStack<OpenedPart>()
  /// The open lists whose elements are lists, or lists at such a place, in the order of `opened`.
  /// They are copies, which nothing else retains.
  private var trees: [[ObjectTree]] = []

  init(_ visitor: Visitor) { self.visitor = visitor }

  /// Visits the fields that a layout shows of an object.
  mutating func visit(_ object: ResponseObject, visible: ObjectLayout) {
    defer { withExtendedLifetime(object) {} }
    open(.passUnretained(object.storage), .passUnretained(visible))
    finish()
  }

  /// Visits the value of a field. The object must live until the end.
  mutating func visit(_ slot: UnsafeMutableRawPointer, _ field: UnsafePointer<FieldLayout>) {
    openField(slot, field)
    finish()
  }

  private mutating func finish() {
    while !opened.isEmpty {
      let innermost = opened.top.pointee
      opened.pop(to: opened.count &- 1)
      switch innermost {
      case .object(let object, let visible, let next): visitFields(of: object, visible, from: next)
      case .objects(let objects, let position, let next):
        visitObjects(objects, at: position, from: next)
      case .tree(let position, let next): visitElements(at: position, from: next)
      }
    }
  }

  /// Visits fields until an object or a list is opened, or until all are done.
  private mutating func visitFields(
    of object: Unmanaged<ObjectStorage>, _ visible: Unmanaged<ObjectLayout>, from first: Int
  ) {
    let layout = object._withUnsafeGuaranteedRef { $0.head.pointee.layout }
    let slots = object._withUnsafeGuaranteedRef { $0.slot(0) }
    let fields = visible._withUnsafeGuaranteedRef { $0.fields }
    let isWhole = layout.isSame(as: visible)
    for index in first..<fields.count {
      let field = fields.baseAddress! + index  // there is a field with this index
      let position = isWhole ? slots + field.pointee.slotOffset : slot(of: index, object, visible)
      guard let slot = position, !field.pointee.slotType.isMissing(slot) else { continue }
      visitor.visitKey(of: field)
      if !field.pointee.slotType.holdsObjects || !field.pointee.slotType.hasValue(slot) {
        openField(slot, field)
      } else {
        opened.push(.object(object, visible: visible, next: index &+ 1))
        return openField(slot, field)
      }
    }
    visitor.closeObject()
  }

  /// Returns the slot of a field in an object of another layout.
  @inline(never)
  private func slot(
    of index: Int, _ object: Unmanaged<ObjectStorage>, _ visible: Unmanaged<ObjectLayout>
  ) -> UnsafeMutableRawPointer? {
    ResponseObject(storage: object.takeUnretainedValue())
      .position(of: index, in: visible.takeUnretainedValue())?.slot
  }

  private mutating func visitObjects(
    _ objects: UnsafeBufferPointer<Unmanaged<ObjectStorage>?>,
    at position: Unmanaged<ObjectPosition>, from first: Int
  ) {
    for index in first..<objects.count {
      guard let object = objects[index] else {
        visitor.visitNull()
        continue
      }
      opened.push(.objects(objects, at: position, next: index &+ 1))
      return open(object, at: position)
    }
    visitor.closeList()
  }

  private mutating func visitElements(at position: Unmanaged<ObjectPosition>, from first: Int) {
    let elements = trees[trees.count - 1]
    for index in first..<elements.count {
      if case .null = elements[index] {
        visitor.visitNull()
      } else {
        opened.push(.tree(at: position, next: index &+ 1))
        return open(elements[index], at: position)
      }
    }
    trees.removeLast()
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
    let position = field.pointee.positionReference!  // objects have a position
    switch field.pointee.slotType.kind {
    case .object:
      if let object = Slot.object(in: slot) { open(object, at: position) }
    case .objects:
      visitor.openList()
      // The list is in the object, which does not change.
      if let objects = Slot.withObjects(in: slot, { $0 }) {
        opened.push(.objects(objects, at: position, next: 0))
      }
    default: open(field.pointee.slotType.objects(slot), at: position)
    }
  }

  private mutating func open(_ tree: ObjectTree, at position: Unmanaged<ObjectPosition>) {
    switch tree {
    case .null: visitor.visitNull()
    case .object(let object): open(.passUnretained(object.storage), at: position)
    case .list(let elements):
      visitor.openList()
      trees.append(elements)
      opened.push(.tree(at: position, next: 0))
    }
  }

  private mutating func open(
    _ object: Unmanaged<ObjectStorage>, at position: Unmanaged<ObjectPosition>
  ) {
    let layout = object._withUnsafeGuaranteedRef { $0.head.pointee.layout }
    open(object, layout.belongs(to: position) ? layout : adaptedLayout(of: object, at: position))
  }

  @inline(never)
  private func adaptedLayout(
    of object: Unmanaged<ObjectStorage>, at position: Unmanaged<ObjectPosition>
  ) -> Unmanaged<ObjectLayout> {
    // Layouts live as long as the program.
    .passUnretained(
      ResponseObject(storage: object.takeUnretainedValue())
        .adaptedLayout(at: position.takeUnretainedValue()))
  }

  private mutating func open(
    _ object: Unmanaged<ObjectStorage>, _ visible: Unmanaged<ObjectLayout>
  ) {
    visitor.openObject(fieldCount: visible._withUnsafeGuaranteedRef { $0.fields.count })
    opened.push(.object(object, visible: visible, next: 0))
  }
}

/// An object or a list that a walk has opened, and the index at which it continues there.
///
/// Not nested in the walk and not private: the compiler (Swift 6.3) fails on private types in
/// generic ones that cannot be copied, depending on which files it compiles together.
enum OpenedPart {
  case object(Unmanaged<ObjectStorage>, visible: Unmanaged<ObjectLayout>, next: Int)
  case objects(
    UnsafeBufferPointer<Unmanaged<ObjectStorage>?>, at: Unmanaged<ObjectPosition>, next: Int)
  case tree(at: Unmanaged<ObjectPosition>, next: Int)
}
