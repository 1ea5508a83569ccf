import ApolloIR
import SwiftSource

/// The property of a field whose nulls and errors the nullability directives treat.
///
/// The stored value is that of the schema's type. For each level of lists, from the outside to the
/// inside, a function of `FieldPlace` decides what becomes of a null:
///
/// | level | value | function |
/// | :-- | :-- | :-- |
/// | `RESULT` | `FieldResult<T>`, `FieldResult<T?>` | `result`, `optionalResult`; `catching` around lists that throw |
/// | `THROW` | `T`, `T?`, and the property throws | `value`, `optional` |
/// | `NULL` | `T?` | `withoutErrors` around lists that throw |
/// | none | `T`, `T?` | `certain` for a null that `@throwOnFieldError` or `@required` rules out |
struct NullabilityAccessor {
  private let nullability: FieldNullability
  /// `true` if a condition may leave the field out.
  private let isConditional: Bool
  /// Returns the type of a value in Swift.
  private let swiftType: (ValueType) -> String

  private static let error = "ApolloAPI.GraphQLError"
  private static let place = "ApolloAPI.GeneratedCode.FieldPlace"

  init(
    _ nullability: FieldNullability, isConditional: Bool,
    swiftType: @escaping (ValueType) -> String
  ) {
    self.nullability = nullability
    self.isConditional = isConditional
    self.swiftType = swiftType
  }

  /// An expression.
  private struct Reading {
    var code: String
    var type: String
    var mayThrow = false

    /// The code with `try`, if it may throw.
    var tried: String { mayThrow ? "try \(code)" : code }
  }

  /// Returns the type and the storage of the property.
  ///
  /// - Parameters:
  ///   - type: The type of the field in the schema.
  ///   - reader: The call that reads the stored value.
  ///   - place: The call that returns the place of the value.
  /// - Returns: The type and the storage.
  func property(
    of type: ValueType, reader: String, place: String
  ) -> (type: String, storage: Property.Storage) {
    let stored = nullability.storedType(of: isConditional ? type.nullable : type)
    let value = "\(reader) as \(swiftType(stored))"
    var reading = reading(of: stored, at: 0, value: value, place: "place")
    if isConditional, !reading.type.hasSuffix("?") {
      let throwing = reading.mayThrow ? " throws(\(Self.error))" : ""
      reading.code =
        "place.ifSelected { ()\(throwing) -> \(reading.type) in \(reading.tried) }"
      reading.type += "?"
    }
    // A null that the property shows as it is needs no place, and Swift warns of an unused one.
    guard reading.code != value else {
      return (reading.type, .computed(getter: [reader], setter: nil))
    }
    let lines = ["let place = \(place)", "return \(reading.tried)"]
    return (
      reading.type,
      reading.mayThrow
        ? .throwing(getter: lines, error: Self.error) : .computed(getter: lines, setter: nil)
    )
  }

  private func reading(
    of type: ValueType, at depth: Int, value: String, place: String
  ) -> Reading {
    let level = nullability.levels[depth]
    guard case .list(let element) = type.nullable, nullability.isSpecial(from: depth + 1) else {
      return reading(of: level, swiftType(.nonNull(type.nullable)), value, place)
    }
    let inner = reading(of: element, at: depth + 1, value: "value", place: "place")
    let throwing = inner.mayThrow ? " throws(\(Self.error))" : ""
    let body =
      "{ (place: \(Self.place), value: \(swiftType(element)))\(throwing) -> \(inner.type) in "
      + "\(inner.tried) }"
    func elements(_ list: String) -> String { "\(place).elements(\(list)) \(body)" }
    func optionalElements(_ list: String) -> String {
      "\(place).optionalElements(\(list)) \(body)"
    }
    let list = "[\(inner.type)]"
    // An error that one of these throws is the error of an element.
    let present = Reading(
      code: elements("\(place).value(\(value))"), type: list, mayThrow: true)
    let optional = Reading(
      code: optionalElements("\(place).optional(\(value))"), type: list + "?", mayThrow: true)
    switch level.treatment {
    case .throwing: return level.isNonNull ? present : optional
    case .result:
      let list = level.isNonNull ? present : optional
      return Reading(
        code: "\(place).catching { () throws(\(Self.error)) -> \(list.type) in \(list.tried) }",
        type: Self.result(list.type))
    case .null where inner.mayThrow:
      return Reading(
        code: "\(place).withoutErrors { () throws(\(Self.error)) -> \(list)? in "
          + "try \(optionalElements(value)) }", type: list + "?")
    case .null: return Reading(code: optionalElements(value), type: list + "?")
    case nil where type.isNonNull:
      return Reading(code: elements(value), type: list, mayThrow: inner.mayThrow)
    case nil where level.isNonNull && !level.isNonNullInSchema:
      return Reading(
        code: elements("\(place).certain(\(value))"), type: list, mayThrow: inner.mayThrow)
    case nil:
      return Reading(
        code: optionalElements(value), type: list + "?", mayThrow: inner.mayThrow)
    }
  }

  /// Returns the reading of a value whose elements, if it has any, are those of the schema.
  private func reading(
    of level: FieldNullability.Level, _ type: String, _ value: String, _ place: String
  ) -> Reading {
    switch (level.treatment, level.isNonNull) {
    case (.throwing, true):
      Reading(code: "\(place).value(\(value))", type: type, mayThrow: true)
    case (.throwing, false):
      Reading(code: "\(place).optional(\(value))", type: type + "?", mayThrow: true)
    case (.result, true):
      Reading(code: "\(place).result(\(value))", type: Self.result(type))
    case (.result, false):
      Reading(code: "\(place).optionalResult(\(value))", type: Self.result(type + "?"))
    case (nil, true) where !level.isNonNullInSchema:
      Reading(code: "\(place).certain(\(value))", type: type)
    case (nil, true): Reading(code: value, type: type)
    case (.null, _), (nil, false): Reading(code: value, type: type + "?")
    }
  }

  private static func result(_ type: String) -> String { "ApolloAPI.FieldResult<\(type)>" }
}
