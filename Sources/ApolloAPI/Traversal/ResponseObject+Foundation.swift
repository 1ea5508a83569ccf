internal import Foundation

extension ResponseObject {
  /// Returns the fields that a layout shows of this object in the form of `JSONSerialization`.
  func foundationObject(visible: ObjectLayout) -> [String: Any] {
    var walk = ObjectWalk(FoundationVisitor())
    walk.visit(self, visible: visible)
    return walk.visitor.result
  }
}

/// A visitor that makes dictionaries and arrays.
private struct FoundationVisitor: ObjectVisitor {
  /// The outermost object, when it is closed.
  private(set) var result: [String: Any] = [:]
  /// The open objects and the open lists, the innermost ones last. The keys of the open objects'
  /// next values come with them.
  private var objects: [[String: Any]] = []
  private var keys: [String] = []
  private var lists: [[Any]] = []
  /// `true` for each open container that is a list.
  private var areLists: [Bool] = []

  private mutating func append(_ value: Any) {
    if areLists[areLists.count - 1] {
      lists[lists.count - 1].append(value)
    } else {
      objects[objects.count - 1][keys[keys.count - 1]] = value
    }
  }

  mutating func openObject(fieldCount: Int) {
    // With room for all fields: a dictionary that grows hashes its keys again each time.
    objects.append(Dictionary(minimumCapacity: fieldCount))
    keys.append("")
    areLists.append(false)
  }

  mutating func visitKey(of field: UnsafePointer<FieldLayout>) {
    keys[keys.count - 1] = field.pointee.responseKey
  }

  mutating func closeObject() {
    areLists.removeLast()
    keys.removeLast()
    let object = objects.removeLast()
    if areLists.isEmpty { result = object } else { append(object) }
  }

  mutating func openList() {
    lists.append([])
    areLists.append(true)
  }

  mutating func closeList() {
    areLists.removeLast()
    append(lists.removeLast())
  }

  mutating func visitNull() { append(NSNull()) }

  mutating func visitLeaf(_ slot: UnsafeMutableRawPointer, of field: UnsafePointer<FieldLayout>) {
    switch field.pointee.slotType.kind {
    case .string, .id, .text: ResponseObject.load(String.self, slot).map { append($0) }
    case .int: ResponseObject.load(Int.self, slot).map { append($0) }
    case .double: ResponseObject.load(Double.self, slot).map { append($0) }
    case .bool: ResponseObject.load(Bool.self, slot).map { append($0) }
    case .enumeration, .leaf, .leaves, .strings, .object, .objects, .nestedObjects:
      append(field.pointee.slotType.jsonValue(slot).foundationValue)
    }
  }
}
