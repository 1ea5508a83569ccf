internal import ApolloAPI

/// The maximum ages of the fields of one selection, as seconds.
///
/// A limit follows from the field's rule, the types' rules, and the field that leads to the object.
/// So it belongs to a position in the selection, and to the type of the object there. Several
/// fields may lead to a position, such as one inside of a fragment, and their objects may have
/// several types; then the strictest limit counts.
///
/// A rule that the operation gives a field replaces that of the schema. A limit of the whole
/// operation applies to each field, in addition to its own.
///
/// The fields of an embedded object are one with the record's field that has it, for which the
/// strictest of all counts.
struct FreshnessLimits {
  /// The limit that a leaf inherits, and whether a rule of a field or a type has set it.
  private struct Inherited {
    var limit: Double?
    var isExplicit = false

    mutating func formMinimum(_ other: Inherited) {
      guard let limit = other.limit else { return }
      guard self.limit.map({ limit < $0 }) ?? true else { return }
      self = other
    }
  }

  private let rules: MaxAges
  private let defaultLimit: Double?
  /// The limit that the operation gives all of its data.
  private let operationLimit: Double?
  private let types: SchemaTypes
  private let layouts: [Int: [RecordLayout]]
  private let recordPositions: Set<ObjectIdentifier>
  private var limits: [ObjectIdentifier: [Double?]] = [:]
  /// The strictest limits with which positions were visited.
  private var visited: [Visit: Double] = [:]

  /// An explicit limit and one that a type's rule may replace lead to limits of their own.
  private struct Visit: Hashable {
    let position: Int
    let isExplicit: Bool
  }
  private typealias Children = [Visit: (position: ObjectPosition, inherited: Inherited)]

  /// - Parameters:
  ///   - root: The position of the root object.
  ///   - layouts: The layouts of the records that were read.
  ///   - recordPositions: The positions at which objects have been records, now or earlier.
  ///   - rules: The rules of the schema and of the store.
  ///   - defaultMaxAge: The maximum age of fields without a rule.
  init(
    root: ObjectPosition, layouts: [RecordLayout], recordPositions: Set<ObjectIdentifier>,
    rules: MaxAges, defaultMaxAge: Duration?
  ) {
    self.recordPositions = recordPositions
    self.rules = rules
    defaultLimit = defaultMaxAge?.seconds
    operationLimit = root.operationMaxAge?.seconds
    types = root.plan.types
    self.layouts = Dictionary(grouping: layouts, by: \.layout.position.number)
    visit(root, Inherited(limit: defaultLimit))
    visited = [:]
  }

  /// The limits of the fields of a layout, in its order, or `nil` if no field has one.
  func limits(of layout: RecordLayout) -> [Double?]? { limits[ObjectIdentifier(layout)] }

  /// Finds the limits at a position and below it.
  ///
  /// - Complexity: O(*n*) in the number of positions, times that of different limits that lead to
  ///   the same one.
  private mutating func visit(_ position: ObjectPosition, _ inherited: Inherited) {
    let visit = Visit(position: position.number, isExplicit: inherited.isExplicit)
    let limit = inherited.limit ?? .infinity
    if let earlier = visited[visit], earlier <= limit { return }
    visited[visit] = limit
    var children: Children = [:]
    for layout in layouts[position.number] ?? [] {
      var found = limits(of: layout.layout, inherited, &children)
      if let operationLimit {
        for (index, field) in layout.layout.fields.enumerated() where field.name != "__typename" {
          found[index] = min(found[index] ?? operationLimit, operationLimit)
        }
      }
      guard found.contains(where: { $0 != nil }) else { continue }
      limits[ObjectIdentifier(layout)] =
        limits[ObjectIdentifier(layout)].map { zip($0, found).map(Self.stricter) } ?? found
    }
    for child in children.values { self.visit(child.position, child.inherited) }
  }

  private static func stricter(_ left: Double?, _ right: Double?) -> Double? {
    guard let left, let right else { return left ?? right }
    return min(left, right)
  }

  /// Returns the limits of an object's fields, and adds the positions of records inside of it to
  /// `children`.
  private func limits(
    of layout: ObjectLayout, _ inherited: Inherited, _ children: inout Children
  ) -> [Double?] {
    let typenames = typenames(of: layout)
    let leaf = inherited.isExplicit ? inherited : ofType(typenames, inherited) ?? inherited
    return layout.fields.map { field in
      guard field.name != "__typename" else { return nil }
      var own =
        (field.maxAge ?? rules.rule(ofField: field.name, on: typenames)).map {
          resolve($0, inherited)
        }
        ?? field.position.flatMap { declared(at: $0, inherited) }
      guard let position = field.position else { return (own ?? leaf).limit }
      let found = own ?? Inherited(limit: defaultLimit)
      guard !recordPositions.contains(ObjectIdentifier(position)) else {
        let child = Visit(position: position.number, isExplicit: found.isExplicit)
        children[child, default: (position, found)].inherited.formMinimum(found)
        return found.limit
      }
      own = found
      for embedded in position.knownLayouts {
        for case let limit? in limits(of: embedded, found, &children) {
          own?.formMinimum(Inherited(limit: limit))
        }
      }
      return own?.limit
    }
  }

  /// Returns the limit by the rule of the type that the schema declares for a field.
  private func declared(at position: ObjectPosition, _ inherited: Inherited) -> Inherited? {
    position.declaredTypes.first.flatMap { ofType(withInterfaces($0), inherited) }
  }

  private func ofType(_ typenames: [String], _ inherited: Inherited) -> Inherited? {
    rules.rule(ofType: typenames).map { resolve($0, inherited) }
  }

  private func resolve(_ maxAge: MaxAge, _ inherited: Inherited) -> Inherited {
    switch maxAge.rule {
    case .limit(let duration): Inherited(limit: duration.seconds, isExplicit: true)
    case .unlimited: Inherited(limit: nil, isExplicit: true)
    case .inherited: inherited
    }
  }

  private func typenames(of layout: ObjectLayout) -> [String] {
    guard let typename = layout.typename ?? layout.position.staticTypename else {
      return layout.position.declaredTypes
    }
    return withInterfaces(typename)
  }

  private func withInterfaces(_ typename: String) -> [String] {
    [typename] + (types.object(named: typename)?.implementedInterfaces.map(\.name) ?? [])
  }
}
