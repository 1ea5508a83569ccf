package import ApolloAPI
package import enum ApolloAPI.JSONValue  // the schema has one of its own
import Foundation
import GraphQLSchema
import GraphQLSyntax
import ModelChecking

/// Models that are made from the text of generated code without a compiler: they have the code's
/// layouts, and no accessors.
///
/// Where Swift needs a type for each fragment, there is one for each number, and a table says which
/// definition has which number.
package struct InterpretedModels: Sendable {
  private var operations: [String: any OperationCheck.Type] = [:]

  /// Reads the definitions of generated code.
  package init(_ unit: GeneratedUnit) {
    let schema = unit.schema.types
    // A definition gets its number after those that it spreads.
    var numbers: [String: Int] = [:]
    let definitions = unit.code.definitions
    func number(_ path: String) -> Int {
      if let number = numbers[path] { return number }
      guard let definition = definitions[path] else { preconditionFailure("There is no \(path).") }
      let fragments = definition.fragments.map { name in
        // Types are written as seen from where they stand: in the namespace.
        number(definitions[name] == nil ? "\(unit.namespace).\(name)" : name)
      }
      let selections = Selections(
        definition.literal, fragments: fragments.map(Self.fragment),
        leaves: definition.leaves.map { leaf($0, unit) })
      numbers[path] = InterpretedDefinitions.add(.init(selections: selections, schema: schema))
      return numbers[path]!
    }
    for (name, path) in unit.code.operations {
      operations["\(unit.namespace).\(name)"] = Self.check(number(path))
    }
  }

  /// Returns the mistake in the models of a response, or `nil`.
  package func problem(with request: CheckRequest) -> String? {
    guard let finding = finding(for: request) else { return "is not generated" }
    return request.problem(
      failure: finding.failure?.description, hasData: finding.hasData, problems: finding.problems)
  }

  /// The result of reading a response.
  package enum Outcome {
    case data(problems: [String])
    case noData
    case failure(ResponseError)
  }

  /// Reads a response. Returns `nil` if its operation was not generated.
  package func outcome(of request: CheckRequest) -> Outcome? {
    guard let finding = finding(for: request) else { return nil }
    if let failure = finding.failure { return .failure(failure) }
    return finding.hasData ? .data(problems: finding.problems) : .noData
  }

  private func finding(for request: CheckRequest) -> Finding? {
    guard let check = operations[request.operation] else { return nil }
    var variables = Variables()
    for (name, value) in request.variables { variables[name] = value }
    return check.run(Array(request.response.utf8), expecting: request.data, variables: variables)
  }

  private func leaf(_ name: String, _ unit: GeneratedUnit) -> any LeafValue.Type {
    if name.hasPrefix("GraphQLEnum<") { return GraphQLEnum<AnyEnum>.self }
    // Aliases of what JSON has, and everything else as it comes.
    return JSONValue.self
  }

  private static func fragment(_ number: Int) -> any Fragment.Type {
    func make<Number: Digits>(_: Number.Type) -> any Fragment.Type { Interpreted<Number>.self }
    return make(digits(of: number))
  }

  private static func check(_ number: Int) -> any OperationCheck.Type {
    func make<Number: Digits>(_: Number.Type) -> any OperationCheck.Type {
      ModelCheck<InterpretedOperation<Number>>.self
    }
    return make(digits(of: number))
  }
}

/// An enum that knows no value, so that each is kept by its name.
private enum AnyEnum: String, EnumType {
  case none = ""
}

extension Schema {
  /// The types as generated code lists them, all of them.
  fileprivate var types: SchemaTypes {
    func name(_ type: NamedType.ID) -> String { spelling(self[type].name) }
    let objects = definedTypes.filter { self[$0].kind == .object }.map {
      Object(typename: name($0))
    }
    let byName = Dictionary(
      objects.map { ($0.typename, $0) }, uniquingKeysWith: { first, _ in first })
    return SchemaTypes(
      objects: objects,
      interfaces: definedTypes.filter { self[$0].kind == .interface }.map { type in
        Interface(name: name(type), implementingObjects: possibleTypes(of: type).map(name))
      },
      unions: definedTypes.filter { self[$0].kind == .union }.map { type in
        Union(
          name: name(type), possibleTypes: possibleTypes(of: type).compactMap { byName[name($0)] })
      })
  }
}

// MARK: - A type for each number

/// A number as a type: its binary digits, the lowest one outermost.
private protocol Digits: Sendable { static var value: Int { get } }
private enum End: Digits { static var value: Int { 0 } }
private enum Zero<Rest: Digits>: Digits { static var value: Int { Rest.value * 2 } }
private enum One<Rest: Digits>: Digits { static var value: Int { Rest.value * 2 + 1 } }

private func digits(of number: Int) -> any Digits.Type {
  func longer<Rest: Digits>(_: Rest.Type) -> any Digits.Type {
    number % 2 == 0 ? Zero<Rest>.self : One<Rest>.self
  }
  return number == 0 ? End.self : longer(digits(of: number / 2))
}

/// The definitions that the numbers refer to.
private enum InterpretedDefinitions {
  struct Definition: Sendable {
    let selections: Selections
    let schema: SchemaTypes
  }

  // Because everything goes through `lock`.
  nonisolated(unsafe) private static var all: [Definition] = []
  private static let lock = NSLock()

  /// Gives a definition a number.
  static func add(_ definition: Definition) -> Int {
    lock.withLock {
      all.append(definition)
      return all.count - 1
    }
  }

  static subscript(number: Int) -> Definition { lock.withLock { all[number] } }
}

/// The model of the definition with a number.
private struct Interpreted<Number: Digits>: Fragment, RootSelectionSet, RootModelValue, WalkedModel
{
  enum Schema: SchemaMetadata, SchemaConfiguration {
    static var configuration: any SchemaConfiguration.Type { Schema.self }
    static var types: SchemaTypes { InterpretedDefinitions[Number.value].schema }
    static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { nil }
  }

  static var fragmentDefinition: String { "" }
  static var __selections: Selections { InterpretedDefinitions[Number.value].selections }
  static var __layout: SelectionLayout { __selections[0] }
  private let __storage: ResponseObject
  /// There are no accessors.
  func __walk(_ walk: inout Walk) {}
}

/// The operation with a number.
private struct InterpretedOperation<Number: Digits>: GraphQLOperation {
  typealias Data = Interpreted<Number>
  static var operationName: String { "Interpreted" }
  static var operationType: GraphQLOperationType { .query }
  static var operationDocument: OperationDocument { OperationDocument(operationIdentifier: "") }
  static var __selections: Selections { Data.__selections }
}
