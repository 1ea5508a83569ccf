/// The value that a model needs and the model that it is made from does not have.
public struct ModelConversionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the value in the model to be made.
  public let path: ResponsePath
  /// The type in the schema that the value is a field of.
  public let parentType: String

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
  /// data.hero?.friends.insert(try .init(converting: added), at: 0)
  /// ```
  ///
  /// Fields are the same if their names and arguments are, whatever their aliases. A field that may
  /// be null and that the other model does not have reads as `nil`, and does not replace what the
  /// cache has.
  ///
  /// - Parameters:
  ///   - other: A model of the same object.
  ///   - variables: The values of the variables in `@include` and `@skip` conditions of this model.
  ///     Arguments with variables are the same if the variables have one name.
  /// - Throws: ``ModelConversionError`` if the other model lacks a field that is never null here.
  /// - Complexity: O(*n*) in the fields of this model, at any depth.
  public init(
    converting other: some SelectionSet, variables: Variables? = nil
  ) throws(ModelConversionError) {
    let position = Self.__layout.plan(schema: Schema.self, variables: variables)
      .position(showing: Self.__layout)
    var conversion = ModelConversion()
    self.init(__object: try conversion.object(of: other.__object, at: position))
  }
}

/// Makes objects with the fields of one selection from objects that another one has made.
private struct ModelConversion {
  /// The path of the object that is being made.
  private var path: ResponsePath = []

  /// Makes an object, field by field:
  ///
  /// 1. The field with the same name and arguments is looked up in the other object.
  /// 2. A leaf is copied. Objects are made in the same way, in their lists.
  /// 3. A field that the other object lacks stays missing, if it may be null. So does one that is
  ///    null because of an error, or a list with such a null: it says nothing about the value.
  mutating func object(
    of other: ResponseObject, at position: ObjectPosition
  ) throws(ModelConversionError) -> ResponseObject {
    let layout = position.layout(forTypename: other.typename ?? position.staticTypename)
    var builder = ResponseObjectBuilder(layout)
    for (index, field) in layout.fields.enumerated() {
      if field.name == "__typename", let typename = other.typename ?? position.staticTypename {
        _ = builder.set(index, .string(typename))
        continue
      }
      let source = source(of: field, in: other)
      path.append(.field(field.responseKey))
      defer { path.removeLast() }
      let isSet = try source.map { source throws(ModelConversionError) in
        let contents = try converted(other.contents(ofField: source), field)
        return builder.set(index, contents)
      }
      guard isSet != true, field.isNonNull || isSet == false && !isMissing(other, source) else {
        continue
      }
      throw ModelConversionError(path: path, parentType: position.sources[0].parentType)
    }
    return builder.finishPartially()
  }

  /// Returns the index of a field in another object, unless it has failed there.
  private func source(of field: FieldLayout, in other: ResponseObject) -> Int? {
    guard let index = other.layout.fields.firstIndex(where: { $0.isSame(as: field) }) else {
      return nil
    }
    return other.hasErrors(ofField: index) && other.contents(ofField: index).hasNulls ? nil : index
  }

  private func isMissing(_ object: ResponseObject, _ field: Int?) -> Bool {
    field.map { object.isMissing(object.layout.fields[$0]) } ?? true
  }

  private mutating func converted(
    _ contents: SlotContents, _ field: FieldLayout
  ) throws(ModelConversionError) -> SlotContents {
    guard let position = field.position else { return contents }
    switch contents {
    case .object(let object): return .object(try self.object(of: object, at: position))
    case .objects(let objects):
      return .tree(try tree(.list(objects.map(ObjectTree.object)), at: position))
    case .nullableObjects(let objects):
      let elements = objects.map { $0.map(ObjectTree.object) ?? .null }
      return .tree(try tree(.list(elements), at: position))
    case .tree(let tree): return .tree(try self.tree(tree, at: position))
    default: return contents
    }
  }

  private mutating func tree(
    _ tree: ObjectTree, at position: ObjectPosition
  ) throws(ModelConversionError) -> ObjectTree {
    switch tree {
    case .null: return .null
    case .object(let object): return .object(try self.object(of: object, at: position))
    case .list(let elements):
      var converted: [ObjectTree] = []
      converted.reserveCapacity(elements.count)
      for (index, element) in elements.enumerated() {
        path.append(.index(index))
        converted.append(try self.tree(element, at: position))
        path.removeLast()
      }
      return .list(converted)
    }
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
