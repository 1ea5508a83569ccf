/// A part of a response that a server sends after the rest: what a fragment with `@defer` selects
/// of one object.
package struct IncrementalData: Sendable, Hashable {
  /// The path of the object in the data; empty for the root.
  package var path: [PathEntry]
  /// The fields, by response key. Fields that the response already has may be repeated or left out.
  package var data: JSONValue
  /// The errors of the part, with paths from the root of the data.
  package var errors: [GraphQLError]

  /// A part with the given contents.
  package init(path: [PathEntry], data: JSONValue, errors: [GraphQLError] = []) {
    self.path = path
    self.data = data
    self.errors = errors
  }
}

extension IncrementalData {
  /// The fields, with null for each field that is missing and that an error is about. Some servers
  /// leave fields that failed out.
  fileprivate var dataWithFailedFields: JSONValue {
    errors.compactMap(\.path).filter { $0.starts(with: path) }.reduce(data) {
      $0.addingNull(at: $1.dropFirst(path.count))
    }
  }
}

extension JSONValue {
  /// Returns the value with null at a path, if an object around it has no such member.
  fileprivate func addingNull(at path: ArraySlice<PathEntry>) -> JSONValue {
    switch (self, path.first) {
    case (.object(var members), .field(let key)):
      members[key] = members[key]?.addingNull(at: path.dropFirst()) ?? .null
      return .object(members)
    case (.array(var elements), .index(let index)) where elements.indices.contains(index):
      elements[index] = elements[index].addingNull(at: path.dropFirst())
      return .array(elements)
    default: return self
    }
  }
}

extension ResponseObject {
  /// Returns the data of a response, whose root this object is, with one more part of it.
  ///
  /// - Throws: A ``ResponseError`` when there is no such object, or when the part does not fit it.
  func merging(
    _ part: IncrementalData, limits: ResponseLimits
  ) throws(ResponseError) -> ResponseObject {
    try replacing(part.path[...]) { object throws(ResponseError) in
      try object.takingOver(part, limits: limits)
    }
  }
}

// MARK: - On the way to the object

extension ResponseObject {
  /// This object with one below it replaced; the objects on the way there are copied.
  fileprivate func replacing(
    _ path: ArraySlice<PathEntry>,
    _ replace: (ResponseObject) throws(ResponseError) -> ResponseObject
  ) throws(ResponseError) -> ResponseObject {
    guard let entry = path.first else { return try replace(self) }
    guard case .field(let key) = entry, let field = layout.field(withKey: key),
      field.position != nil
    else { throw ResponseError(.notAResponse("there is no object here"), path: [entry]) }
    do throws(ResponseError) {
      let objects = try objects(of: field).replacing(path.dropFirst(), replace)
      var copy = self
      copy.makeUnique()
      copy.put(objects, in: field)
      return copy
    } catch {
      throw error.below(entry)
    }
  }

  /// Puts objects, in the lists that the field's type has, into a field. The caller must hold the
  /// only reference to the object.
  fileprivate func put(_ objects: ObjectTree, in field: FieldLayout) {
    let slot = slot(field.slot)
    field.slotType.release(slot)
    field.slotType.initializeEmpty(slot, isNull: true)
    // The lists are nested as in the object that the objects come from, so it cannot fail.
    _ = field.slotType.initialize(slot, objects)
    withExtendedLifetime(storage) {}
  }
}

extension ObjectTree {
  fileprivate func replacing(
    _ path: ArraySlice<PathEntry>,
    _ replace: (ResponseObject) throws(ResponseError) -> ResponseObject
  ) throws(ResponseError) -> ObjectTree {
    switch (self, path.first) {
    case (.object(let object), _): return .object(try object.replacing(path, replace))
    case (.list(var elements), .index(let index)) where elements.indices.contains(index):
      do throws(ResponseError) {
        elements[index] = try elements[index].replacing(path.dropFirst(), replace)
      } catch {
        throw error.below(.index(index))
      }
      return .list(elements)
    default:
      throw ResponseError(
        .notAResponse("a part of an object came that the response does not have"))
    }
  }
}

// MARK: - At the object

extension ResponseObject {
  fileprivate func takingOver(
    _ part: IncrementalData, limits: ResponseLimits
  ) throws(ResponseError) -> ResponseObject {
    var writer = JSONWriter()
    writer.write(completing(part.dataWithFailedFields))
    let result = writer.bytes.withUnsafeBytes { bytes in
      ResponseObject.read(bytes, layout, part, limits: limits)
    }
    guard let other = try result.get() else { return self }
    return try merging(other)
  }

  /// Returns the part with the types of the objects that are already here, which a server need not
  /// repeat.
  fileprivate func completing(_ value: JSONValue) -> JSONValue {
    guard case .object(var members) = value else { return value }
    for (key, member) in members {
      guard let field = layout.field(withKey: key), field.position != nil else { continue }
      members[key] = objects(of: field).completing(member)
    }
    if let key = layout.position.typenameKey, let typename, members[key] == nil {
      members[key] = .string(typename)
    }
    return .object(members)
  }

  /// Reads a part as an object whose other fields are missing; `nil` when an error explains why
  /// there is none.
  private static func read(
    _ bytes: UnsafeRawBufferPointer, _ layout: ObjectLayout, _ part: IncrementalData,
    limits: ResponseLimits
  ) -> Result<ResponseObject?, ResponseError> {
    do throws(ReadFailure) {
      return try JSONReader.withReader(over: bytes, limits: limits) { json throws(ReadFailure) in
        var reader = ResponseReader(json, observer: nil, missing: .any)
        let object = try reader.readPart(layout)
        let explained = part.errors.compactMap(\.path)
        for violation in reader.violations {
          let path = part.path + violation.path
          guard explained.contains(where: { $0.starts(with: path) }) else {
            throw violation.failure
          }
        }
        return .success(object)
      }
    } catch {
      return .failure(error.error)
    }
  }

  /// This object with the values that another one of the same layout has.
  fileprivate func merging(_ other: ResponseObject) throws(ResponseError) -> ResponseObject {
    guard layout === other.layout else {
      throw ResponseError(.notAResponse("a part of an object came that is of another type"))
    }
    var copy = self
    copy.makeUnique()
    for field in layout.fields where !other.isMissing(field) {
      do throws(ResponseError) {
        try copy.merge(field, of: other)
      } catch {
        throw error.below(.field(field.responseKey))
      }
    }
    return copy
  }

  /// Takes over a field of another object, except null for a value. The caller must hold the only
  /// reference to this object.
  private func merge(
    _ field: FieldLayout, of other: ResponseObject
  ) throws(ResponseError) {
    guard other.hasValue(field) || !hasValue(field) else { return }
    if field.position != nil, other.hasValue(field) {
      return put(try objects(of: field).merging(other.objects(of: field)), in: field)
    }
    let slot = slot(field.slot)
    field.slotType.release(slot)
    field.slotType.copy(other.slot(field.slot), to: slot)
    forgetForm(inSlot: field.slot)
    if let form = other.sentForm(inSlot: field.slot) { note(form, inSlot: field.slot) }
    withExtendedLifetime((storage, other.storage)) {}
  }

  /// Checks that a new object has every field that is not deferred.
  fileprivate func checkCompleteness() throws(ResponseError) {
    for field in layout.fields where !field.isDeferred {
      guard !isMissing(field) else { throw ResponseError(.missingValue, at: field) }
      do throws(ResponseError) {
        try objects(of: field).checkCompleteness()
      } catch {
        throw error.below(.field(field.responseKey))
      }
    }
  }
}

extension ObjectTree {
  fileprivate func completing(_ value: JSONValue) -> JSONValue {
    switch (self, value) {
    case (.object(let object), .object): object.completing(value)
    case (.list(let trees), .array(let elements)) where trees.count == elements.count:
      .array(zip(trees, elements).map { $0.completing($1) })
    default: value
    }
  }

  fileprivate func merging(_ other: ObjectTree) throws(ResponseError) -> ObjectTree {
    switch (self, other) {
    case (_, .null): return self
    case (.null, _):
      try other.checkCompleteness()
      return other
    case (.object(let object), .object(let part)): return .object(try object.merging(part))
    case (.list(var elements), .list(let parts)) where elements.count == parts.count:
      for (index, part) in parts.enumerated() {
        do throws(ResponseError) {
          elements[index] = try elements[index].merging(part)
        } catch {
          throw error.below(.index(index))
        }
      }
      return .list(elements)
    default:
      throw ResponseError(.notAResponse("a part of a list came that has another length"))
    }
  }

  fileprivate func checkCompleteness() throws(ResponseError) {
    switch self {
    case .null: break
    case .object(let object): try object.checkCompleteness()
    case .list(let elements):
      for (index, element) in elements.enumerated() {
        do throws(ResponseError) {
          try element.checkCompleteness()
        } catch {
          throw error.below(.index(index))
        }
      }
    }
  }
}

extension ResponseError {
  /// Returns the error with one more entry at the start of its path.
  fileprivate func below(_ entry: PathEntry) -> ResponseError {
    ResponseError(problem, path: [entry] + path, byteOffset: byteOffset)
  }
}
