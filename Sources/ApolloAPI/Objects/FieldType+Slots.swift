extension FieldType {
  /// How values of the type lie in a slot.
  var slotOperations: any SlotOperations {
    switch base {
    case .string, .id: leafOperations(String.self)
    case .int: leafOperations(Int.self)
    case .double: leafOperations(Double.self)
    case .bool: leafOperations(Bool.self)
    case .leaf(let type): leafOperations(type)
    case .object: objectOperations(ResponseObject.self, depth: rank)
    }
  }

  /// Which of the reader's shortcuts the type has.
  var reading: FieldLayout.Reading {
    switch (base, rank) {
    case (.string, 0): .string
    case (.id, 0): .id
    case (.int, 0): .int
    case (.double, 0): .double
    case (.bool, 0): .bool
    case (.object, 0): .object
    case (.object, 1): .objects
    case (.object, _): .nestedObjects
    case (.leaf(let type), 0): leafReading(of: type)
    case (.string, 1): .strings
    default: .leaf
    }
  }

  /// Aliases of built-in scalars are read like those; an alias of `String` takes any scalar.
  private func leafReading(of type: any LeafValue.Type) -> FieldLayout.Reading {
    switch slotOperations.kind {
    case .enumeration: .enumeration
    case _ where type == Int.self: .int
    case _ where type == Double.self: .double
    case _ where type == Bool.self: .bool
    case _ where type == String.self: .text
    default: .leaf
    }
  }

  private func leafOperations<Leaf: LeafValue>(_ leaf: Leaf.Type) -> any SlotOperations {
    leafOperations(Leaf.self, depth: rank)
  }

  /// Wraps `Value`, the type `depth` lists deep, into the lists around it. The recursion is over types, made at run time.
  private func leafOperations<Value: LeafElement & SlotValue>(
    _: Value.Type, depth: Int
  ) -> any SlotOperations {
    if depth == 0 { return LeafSlot<Value>(kind: kind(of: Value.self)) }
    return isNonNull(at: depth)
      ? leafOperations([Value].self, depth: depth - 1)
      : leafOperations([Value?].self, depth: depth - 1)
  }

  private func objectOperations<Value: ObjectElement & SlotValue>(
    _: Value.Type, depth: Int
  ) -> any SlotOperations {
    if depth == 0 { return ObjectSlot<Value>(kind: rank == 0 ? .object : .list) }
    return isNonNull(at: depth)
      ? objectOperations([Value].self, depth: depth - 1)
      : objectOperations([Value?].self, depth: depth - 1)
  }

  private func kind<Value>(of type: Value.Type) -> SlotKind {
    if rank > 0 { return .list }
    if Value.self == String.self { return .string }
    if Value.self is any EnumLeaf.Type, MemoryLayout<Value??>.size < MemoryLayout<Slot>.size {
      return .enumeration
    }
    return _isPOD(type) && MemoryLayout<Value??>.size <= MemoryLayout<Slot>.size ? .trivial : .other
  }
}
