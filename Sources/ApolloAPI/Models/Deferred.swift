/// A part of an object that a server may send later (`@defer`).
///
/// ```swift
/// if let details = hero.fragments.deferredDetails { show(details) }
/// switch hero.fragments.$deferredDetails {
/// case .pending: showPlaceholder()
/// case .notExecuted: break  // another type, or an excluded part
/// case .fulfilled(let details): show(details)
/// }
/// ```
///
/// A part is fulfilled when all of its fields have arrived, be it later or, from a server that
/// defers nothing, with the rest.
@propertyWrapper
public struct Deferred<View: SelectionSet>: Sendable {
  private let object: ResponseObject

  /// Wraps the part of `object` that `View` shows.
  public init(__object: GeneratedCode.ResponseObject) { object = __object }

  /// The state of a deferred part.
  ///
  /// | state | reached when | next |
  /// | :-- | :-- | :-- |
  /// | `pending` | the object arrives without the part | `fulfilled` |
  /// | `fulfilled` | all fields of the part have arrived | – |
  /// | `notExecuted` | the object's type or a condition excludes the part | – |
  public enum State: Sendable {
    /// The data has not arrived.
    case pending
    /// The data will not arrive: the object's type or a condition excludes it.
    case notExecuted
    /// The data has arrived.
    case fulfilled(View)
  }

  /// The part, or `nil` unless it is fulfilled.
  public var wrappedValue: View? {
    if case .fulfilled(let view) = projectedValue { view } else { nil }
  }

  /// The state of the part.
  public var projectedValue: State {
    let view = View.__layout
    guard object.layout.fulfils(view) else { return .notExecuted }
    return object.fulfils(view) ? .fulfilled(View(__object: object)) : .pending
  }
}

extension Deferred.State: Equatable where View: Equatable {}
extension Deferred.State: Hashable where View: Hashable {}

extension ResponseObject {
  /// Returns whether all data of a view that the layout fulfils has arrived.
  ///
  /// - Complexity: O(*n*) in the fields of the view, and in the objects that it shares with what is
  ///   not deferred.
  @inline(never)
  func hasArrived(_ view: SelectionLayout) -> Bool {
    !layout.deferred.contains(view) || has(view.node)
  }

  /// Returns whether every field that a selection set selects of this object has a value or null.
  private func has(_ node: SelectionNode) -> Bool {
    node.selections.allSatisfy { selection in
      switch selection {
      case .field(let field): !layout.position.plan.selects(field) || has(field)
      case .inlineFragment(let fragment, let conditions):
        has(fragment, conditions, within: node)
      case .fragmentSpread(let index, let conditions):
        has(
          node.definition.fragments[index].__selections.nodes[0], conditions, within: node)
      }
    }
  }

  /// The same for a fragment that applies. A fragment that is deferred within it does not count.
  private func has(
    _ fragment: SelectionNode, _ conditions: [InclusionCondition], within parent: SelectionNode
  ) -> Bool {
    let plan = layout.position.plan
    let type = fragment.parentType
    guard plan.inclusion(of: conditions) == .now,
      plan.condition(
        type, holdsFor: layout.typename, within: parent.parentType, at: layout.position)
    else { return true }
    return has(fragment)
  }

  private func has(_ selection: FieldSelection) -> Bool {
    guard let index = layout.fieldIndex(withKey: selection.responseKey) else { return false }
    let field = layout.fields[index]
    guard !isMissing(field) else { return false }
    // Objects that arrived earlier may still lack fields of the view.
    guard let child = selection.child, let position = field.position,
      position.sources[position.immediateCount...].contains(SelectionLayout(child))
    else { return true }
    var isWhole = true
    forEachObject(of: field) { object in
      if isWhole, let object { isWhole = object.has(child) }
    }
    return isWhole
  }
}
