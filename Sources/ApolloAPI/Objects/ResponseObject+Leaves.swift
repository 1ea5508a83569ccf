extension ResponseObject: LeafSource {
  package func leafValue(forResponseKey key: String) -> JSONValue? {
    defer { withExtendedLifetime(storage) {} }
    return storage.head.pointee.layout._withUnsafeGuaranteedRef { layout in
      // Nearly every string lies in one piece, and need not be made its own copy to be looked at.
      let found = key.utf8.withContiguousStorageIfAvailable { layout.keys.index(of: $0) }
      guard let index = found ?? layout.keys.index(of: key) else { return nil }
      return leaf(ofField: index, layout.fields.baseAddress! + index)
    }
  }

  @inline(__always)
  private func leaf(ofField index: Int, _ field: UnsafePointer<FieldLayout>) -> JSONValue? {
    guard field.pointee.slotType.kind == .id || field.pointee.slotType.kind == .string else {
      return writtenLeaf(ofField: index)
    }
    // What most keys are made of, without a detour.
    switch Self.load(String.self, from: slot(field.pointee.slot)) {
    case .none: return nil
    case .some(.none): return .null
    case .some(.some(let text)): return .string(text)
    }
  }
}
