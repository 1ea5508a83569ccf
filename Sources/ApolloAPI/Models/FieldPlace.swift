/// The value of a field, or the error because of which it has none: the type of properties of
/// fields with `@catch(to: RESULT)`.
///
/// ```swift
/// switch user.name {
/// case .success(let name): label.text = name
/// case .failure(let error): label.text = error.message
/// }
/// ```
public typealias FieldResult<Value> = Result<Value, GraphQLError>

extension GeneratedCode {
  /// The place of a field's value, or of an element of its lists, whose errors a property reports.
  ///
  /// Properties of fields that the nullability directives treat consist of these functions.
  public struct FieldPlace: Sendable {
    let object: ResponseObject
    let view: SelectionLayout
    let accessor: Int
    /// The errors of an element; `nil` for the field's value, whose errors the object has.
    var elementErrors: FieldFacts.PlacedErrors?
  }
}

@usableFromInline package typealias FieldPlace = GeneratedCode.FieldPlace

extension SelectionSet {
  /// Returns the place of the value of accessor `index`. Generated properties call this.
  public func __place(_ index: Int) -> GeneratedCode.FieldPlace {
    FieldPlace(object: __object, view: Self.__layout, accessor: index)
  }
}

// MARK: - One value

extension FieldPlace {
  /// Returns the value here, which is not null unless something failed.
  ///
  /// - Throws: The error that made it null.
  public func value<Value>(_ value: Value?) throws(GraphQLError) -> Value {
    guard let value else { throw error ?? unexplainedNull }
    return value
  }

  /// Returns the value here, or `nil` if it is null without an error.
  ///
  /// - Throws: The error that made it null.
  public func optional<Value>(_ value: Value?) throws(GraphQLError) -> Value? {
    if value == nil, let error { throw error }
    return value
  }

  /// Returns the value here, or the error that made it null.
  public func result<Value>(_ value: Value?) -> FieldResult<Value> {
    value.map(FieldResult.success) ?? .failure(error ?? unexplainedNull)
  }

  /// Returns the value here, which may be null, or the error that made it null.
  public func optionalResult<Value>(_ value: Value?) -> FieldResult<Value?> {
    if value == nil, let error { return .failure(error) }
    return .success(value)
  }

  /// Returns the value here, which is not null in the data of an operation with
  /// `@throwOnFieldError`.
  public func certain<Value>(_ value: Value?) -> Value {
    guard let value else { ResponseObject.missingValue(accessor, view) }
    return value
  }

  /// Returns the result of `body`, which reads lists: the error of an element is that of the list.
  public func catching<Value>(
    _ body: () throws(GraphQLError) -> Value
  ) -> FieldResult<Value> {
    do throws(GraphQLError) { return .success(try body()) } catch { return .failure(error) }
  }

  /// Returns the value of `body`, which reads lists, or `nil` if an element has an error.
  public func withoutErrors<Value>(_ body: () throws(GraphQLError) -> Value?) -> Value? {
    // The error stays in the response.
    do throws(GraphQLError) { return try body() } catch { return nil }
  }

  /// Returns the value of `body`, or `nil` if a condition of the operation leaves the field out.
  public func ifSelected<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    guard isSelected else { return nil }
    return try body()
  }
}

// MARK: - Lists

extension FieldPlace {
  /// Returns what `body` makes of each element of a list.
  public func elements<Element, Value, Failure: Error>(
    _ list: [Element], _ body: (GeneratedCode.FieldPlace, Element) throws(Failure) -> Value
  ) throws(Failure) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(list.count)
    let errors = self.errors.byIndex
    var place = self
    for (index, element) in list.enumerated() {
      place.elementErrors = errors[index] ?? FieldFacts.PlacedErrors.none
      values.append(try body(place, element))
    }
    return values
  }

  /// Returns what `body` makes of each element of a list, or `nil` for no list.
  public func optionalElements<Element, Value, Failure: Error>(
    _ list: [Element]?, _ body: (GeneratedCode.FieldPlace, Element) throws(Failure) -> Value
  ) throws(Failure) -> [Value]? {
    guard let list else { return nil }
    return try elements(list, body)
  }
}

// MARK: - Errors

extension FieldPlace {
  private var key: String { view.keys[accessor] }

  /// The field, or `nil` if the object's type or a condition leaves it out.
  private var field: FieldLayout? {
    let slot = object.layout.slot(ofAccessor: accessor, in: view)
    return slot < 0 ? nil : object.layout.field(ofSlot: slot).pointee
  }

  private var isSelected: Bool { field.map { !object.isMissing($0) } ?? false }

  /// The error that made the value here null.
  private var error: GraphQLError? { errors.first }

  private var errors: FieldFacts.PlacedErrors {
    elementErrors ?? object.placedErrors(ofField: key)
  }

  /// The error of a null that no error of the response explains.
  private var unexplainedNull: GraphQLError {
    let isMissing = field.map(object.isMissing) ?? true
    return isMissing
      ? .missingValue(of: key, in: view.parentType)
      : .unexplainedNull(of: key, in: view.parentType, path: nil)
  }
}
