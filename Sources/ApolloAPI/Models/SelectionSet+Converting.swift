public import protocol Foundation.LocalizedError

/// The value that a model needs and the model that it is made from does not have.
public struct ModelConversionError: Error, Hashable, Sendable, CustomStringConvertible,
  LocalizedError
{
  /// The path of the value in the model to be made.
  public let path: ResponsePath
  /// The type in the schema that the value is a field of.
  public let parentType: String

  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The value, and what to do.
  public var description: String {
    "The other model has no value for '\(path.dotted)' of '\(parentType)'. "
      + "Select the field in its operation, with the same arguments."
  }
}

extension RootSelectionSet {
  /// Creates a model of the object that another operation or fragment has selected.
  ///
  /// A mutation's result becomes an element of a query's list like this, in a local cache mutation:
  ///
  /// ```swift
  /// data.hero?.friends?.insert(try .init(converting: added), at: 0)
  /// ```
  ///
  /// Fields are the same if their names and arguments are, whatever their aliases. If the other
  /// model has a field under several aliases, what one of them lacks is taken from the next. A
  /// field that may be null and that the other model does not have reads as `nil`, and does not
  /// replace what the cache has. One that `@throwOnFieldError` or `@required` promises ends as a
  /// null in a response does: at a field with `@catch`, or with an error.
  ///
  /// - Parameters:
  ///   - other: A model of the same object.
  ///   - variables: The values of the variables in `@include` and `@skip` conditions of this model.
  ///     Arguments with variables are the same if the variables have one name.
  /// - Throws: ``ModelConversionError`` if the other model lacks a field that is never null here,
  ///   or that a property promises. A deferred part may lack its fields: it is pending then.
  /// - Complexity: O(*n*) in the fields of this model, at any depth.
  public init(
    converting other: some SelectionSet, variables: Variables? = nil
  ) throws(ModelConversionError) {
    let position = Self.__layout.plan(schema: Schema.self, variables: variables)
      .position(showing: Self.__layout)
    var conversion = ModelConversion()
    let object = try conversion.object(of: [other.__object], at: position)
    guard Self.__layout.containsFailures else {
      self.init(__object: object)
      return
    }
    switch FieldErrorContainment.contain(object, in: Self.__layout, findsMissingValues: true) {
    case .success(let contained): self.init(__object: contained.object)
    case .failure(let failure):
      throw ModelConversionError(path: failure.error.path ?? [], parentType: failure.parentType)
    }
  }
}

/// Makes objects with the fields of one selection from objects that another one has made.
private struct ModelConversion {
  /// The path of the object that is being made.
  private var path: ResponsePath = []

  /// Makes an object, field by field:
  ///
  /// 1. The field with the same name and arguments is looked up in the other object. It has several
  ///    values if several aliases select the field.
  /// 2. A leaf is copied from the first value. Objects are made of all values in the same way, in
  ///    their lists.
  /// 3. A field that the other object lacks stays missing, if it may be null or arrive later. So
  ///    does one that is null because of an error, or a list with such a null: it says nothing
  ///    about the value.
  ///
  /// `others`: The same object under each alias, at least one.
  mutating func object(
    of others: [ResponseObject], at position: ObjectPosition
  ) throws(ModelConversionError) -> ResponseObject {
    let typename = others[0].typename ?? position.staticTypename
    let layout = position.layout(forTypename: typename)
    var builder = ResponseObjectBuilder(layout)
    for (index, field) in layout.fields.enumerated() {
      if field.name == "__typename", let typename {
        _ = builder.set(index, .string(typename))
        continue
      }
      path.append(.field(field.responseKey))
      defer { path.removeLast() }
      let values = others.flatMap { $0.values(of: field) }
      if values.isEmpty, !field.isNonNull || field.isDeferred { continue }
      guard !values.isEmpty, builder.set(index, try converted(values, field)) else {
        throw ModelConversionError(path: path, parentType: position.sources[0].parentType)
      }
    }
    return builder.finishPartially()
  }

  /// Returns the value of a field. `values`: That under each alias, at least one.
  private mutating func converted(
    _ values: [SlotContents], _ field: FieldLayout
  ) throws(ModelConversionError) -> SlotContents {
    guard let position = field.position else { return values[0] }
    let trees = values.compactMap(\.tree)
    guard !trees.isEmpty else { return values[0] }
    switch try tree(trees, at: position) {
    case .null: return .null
    case .object(let object): return .object(object)
    case .list(let elements): return .tree(.list(elements))
    }
  }

  private mutating func tree(
    _ trees: [ObjectTree], at position: ObjectPosition
  ) throws(ModelConversionError) -> ObjectTree {
    switch trees[0] {
    case .null: return .null
    case .object(let object):
      let others = trees.compactMap(\.object).filter { $0.canBeSame(as: object) }
      return .object(try self.object(of: others, at: position))
    case .list(let elements):
      let lists = trees.compactMap(\.elements).filter { $0.count == elements.count }
      var converted: [ObjectTree] = []
      converted.reserveCapacity(elements.count)
      for index in elements.indices {
        path.append(.index(index))
        converted.append(try tree(lists.map { $0[index] }, at: position))
        path.removeLast()
      }
      return .list(converted)
    }
  }
}

extension ResponseObject {
  /// Returns the values of a field under its aliases, without those that are missing or have
  /// failed.
  fileprivate func values(of field: FieldLayout) -> [SlotContents] {
    layout.fields.indices.compactMap { index in
      let own = layout.fields[index]
      guard own.isSame(as: field), !isMissing(own) else { return nil }
      let contents = contents(ofField: index)
      return hasErrors(ofField: index) && contents.hasNulls ? nil : contents
    }
  }

  /// Returns whether nothing shows that an object under another alias is another one.
  fileprivate func canBeSame(as other: ResponseObject) -> Bool {
    guard typename == nil || other.typename == nil || typename == other.typename else {
      return false
    }
    guard let identity, let otherIdentity = other.identity else { return true }
    return ObjectIdentity.areEqual(identity, otherIdentity)
  }
}

extension SlotContents {
  /// The objects of the value, or `nil` for a leaf.
  fileprivate var tree: ObjectTree? {
    switch self {
    case .null: .null
    case .object(let object): .object(object)
    case .objects(let objects): .list(objects.map(ObjectTree.object))
    case .nullableObjects(let objects): .list(objects.map { $0.map(ObjectTree.object) ?? .null })
    case .tree(let tree): tree
    case .missing, .bool, .int, .double, .string, .strings, .leaf: nil
    }
  }
}

extension ObjectTree {
  fileprivate var object: ResponseObject? {
    if case .object(let object) = self { object } else { nil }
  }

  fileprivate var elements: [ObjectTree]? {
    if case .list(let elements) = self { elements } else { nil }
  }
}

extension FieldLayout {
  /// Returns whether the fields have the same name and arguments.
  fileprivate func isSame(as other: FieldLayout) -> Bool {
    guard name == other.name, hasVariables == other.hasVariables else { return false }
    guard hasVariables else { return staticKey == other.staticKey }
    return arguments.sorted { $0.name < $1.name } == other.arguments.sorted { $0.name < $1.name }
  }
}
