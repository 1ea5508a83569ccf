// Objects, and lists of objects of any depth.
//
// A list of lists has the bits of a list of objects: each element is one reference, and null is the
// same number for both. So lists of any depth are stored as `[ResponseObject?]`, and reading them
// converts one level at a time with `unsafeBitCast`. The reference of a list releases what the list
// holds, whatever type it is looked at as.

extension ResponseObject: SlotValue {}

extension SlotType {
  /// The objects of a slot, in the lists that they are in.
  func objects(_ slot: UnsafeMutableRawPointer) -> ObjectTree {
    guard rank > 0 else {
      return ResponseObject.load(ResponseObject.self, slot).map(ObjectTree.object) ?? .null
    }
    return Self.list(slot).map { tree($0, depth: 1) } ?? .null
  }

  /// Initializes a slot with objects.
  ///
  /// - Returns: `false`, and leaves the slot alone, when the lists are nested differently from
  ///   those of the slot's type, or when there is a null where the type rules it out.
  func initialize(_ slot: UnsafeMutableRawPointer, _ objects: ObjectTree) -> Bool {
    switch objects {
    case .object(let object) where kind == .object:
      slot.initializeSlot(as: ResponseObject??.self, to: object)
    case .list(let elements) where kind == .objects || kind == .nestedObjects:
      guard let list = list(elements, depth: 1) else { return false }
      slot.initializeSlot(as: [ResponseObject?]??.self, to: list)
    default: return false
    }
    return true
  }

  /// Calls `body` with each object of a slot, in order; with `nil` for each null in a list.
  func forEachObject(_ slot: UnsafeMutableRawPointer, _ body: (ResponseObject?) -> Void) {
    guard rank > 0 else {
      if let object = ResponseObject.load(ResponseObject.self, slot) { body(object) }
      return
    }
    if let list = Self.list(slot) { forEachObject(of: list, depth: 1, body) }
  }

  /// Returns the object of a slot, or the one at the given indices of its lists, outermost first;
  /// `nil` when there is none.
  func object(
    _ slot: UnsafeMutableRawPointer, at indices: ArraySlice<PathEntry>
  ) -> ResponseObject? {
    guard indices.count == Int(rank) else { return nil }
    guard let last = indices.last else { return ResponseObject.load(ResponseObject.self, slot) }
    var list = Self.list(slot)
    for entry in indices.dropLast() {
      guard case .index(let index) = entry, let lists = list.map(Self.lists),
        lists.indices.contains(index)
      else { return nil }
      list = lists[index]
    }
    guard case .index(let index) = last, let list, list.indices.contains(index) else { return nil }
    return list[index]
  }

  /// Replaces the object of a slot, or the one at the given indices of its lists, which must be
  /// there: ``object(_:at:)`` has returned it. The object that holds the slot must not be shared.
  ///
  /// - Complexity: O(1), or O(*n*) in the size of a list that is shared.
  func replaceObject(
    _ slot: UnsafeMutableRawPointer, at indices: ArraySlice<PathEntry>,
    with object: ResponseObject?
  ) {
    guard !indices.isEmpty else {
      return slot.assumingMemoryBound(to: ResponseObject??.self).pointee = .some(object)
    }
    let list = slot.assumingMemoryBound(to: [ResponseObject?]??.self)
    guard var elements = list.pointee ?? nil else { return }
    list.pointee = nil  // so that the list is not copied
    Self.replaceElement(&elements, at: indices, with: object)
    list.pointee = elements
  }

  private static func replaceElement(
    _ list: inout [ResponseObject?], at indices: ArraySlice<PathEntry>,
    with object: ResponseObject?
  ) {
    guard case .index(let index)? = indices.first else { return }
    guard indices.count > 1 else { return list[index] = object }
    var lists = Self.lists(list)
    list = []  // so that the lists are not copied
    guard var inner = lists[index] else { return }
    lists[index] = nil
    replaceElement(&inner, at: indices.dropFirst(), with: object)
    lists[index] = inner
    list = unsafeBitCast(lists, to: [ResponseObject?].self)  // see above
  }

  /// Returns whether a slot holds a list of objects, or lists of any depth, that all have the
  /// fields of a position, with nulls only where the type allows them.
  ///
  /// - Complexity: O(*n*) in the objects and lists, without an allocation.
  func holdsList(of position: ObjectPosition, _ slot: UnsafeMutableRawPointer) -> Bool {
    guard kind == .objects || kind == .nestedObjects else { return false }
    var known = Unmanaged.passUnretained(position)
    return holdsList(of: position, slot, depth: 1, &known)
  }

  /// Does the same at one depth. `known` is the position of the last object that was checked, which
  /// has the fields of `position`.
  private func holdsList(
    of position: ObjectPosition, _ slot: UnsafeMutableRawPointer, depth: UInt8,
    _ known: inout Unmanaged<ObjectPosition>
  ) -> Bool {
    let mayBeNull = !isNonNull(at: Int(depth))
    return Slot.withObjects(in: slot) { elements in
      guard let elements else { return false }
      return elements.indices.allSatisfy { index in
        guard let element = elements[index] else { return mayBeNull }
        guard depth == rank else {
          return holdsList(of: position, elements.slot(index), depth: depth + 1, &known)
        }
        let layout = element._withUnsafeGuaranteedRef { $0.head.pointee.layout }
        if layout.belongs(to: known) { return true }
        let own = layout._withUnsafeGuaranteedRef { $0.position }
        guard own.allSources == position.allSources else { return false }
        known = Unmanaged.passUnretained(own)
        return true
      }
    }
  }

  // MARK: - One level

  private static func list(_ slot: UnsafeMutableRawPointer) -> [ResponseObject?]? {
    ResponseObject.load([ResponseObject?].self, slot)
  }

  private static func lists(_ list: [ResponseObject?]) -> [[ResponseObject?]?] {
    unsafeBitCast(list, to: [[ResponseObject?]?].self)  // see above
  }

  private func tree(_ list: [ResponseObject?], depth: UInt8) -> ObjectTree {
    depth == rank
      ? .list(list.map { $0.map(ObjectTree.object) ?? .null })
      : .list(Self.lists(list).map { $0.map { tree($0, depth: depth + 1) } ?? .null })
  }

  private func list(_ elements: [ObjectTree], depth: UInt8) -> [ResponseObject?]? {
    if depth == rank {
      return self.elements(elements, depth) { element in
        if case .object(let object) = element { object } else { nil }
      }
    }
    let lists: [[ResponseObject?]?]? = self.elements(elements, depth) { element in
      if case .list(let elements) = element { list(elements, depth: depth + 1) } else { nil }
    }
    return lists.map { unsafeBitCast($0, to: [ResponseObject?].self) }  // see above
  }

  /// Converts the elements of a list, or returns `nil` when one does not fit.
  private func elements<Element>(
    _ elements: [ObjectTree], _ depth: UInt8, _ convert: (ObjectTree) -> Element?
  ) -> [Element?]? {
    var result: [Element?] = []
    result.reserveCapacity(elements.count)
    for element in elements {
      if case .null = element {
        guard !isNonNull(at: Int(depth)) else { return nil }
        result.append(nil)
      } else {
        guard let converted = convert(element) else { return nil }
        result.append(converted)
      }
    }
    return result
  }

  private func forEachObject(
    of list: [ResponseObject?], depth: UInt8, _ body: (ResponseObject?) -> Void
  ) {
    guard depth < rank else { return list.forEach(body) }
    for inner in Self.lists(list) {
      if let inner { forEachObject(of: inner, depth: depth + 1, body) } else { body(nil) }
    }
  }
}
