/// A part of an object that a server may answer later (`@defer`).
///
/// ```swift
/// if let details = hero.fragments.deferredDetails { … }
/// switch hero.fragments.$deferredDetails {
/// case .pending: …              // show that there is more to come
/// case .notExecuted: …          // the object is of another type, or a condition does not hold
/// case .fulfilled(let details): …
/// }
/// ```
///
/// A part is there when all of its fields are, whether they came later or, from a server that defers nothing, at once.
@propertyWrapper
public struct Deferred<View: SelectionSet>: Sendable {
  private let object: ResponseObject

  /// The part of `object` that `View` shows.
  public init(__object: ResponseObject) { object = __object }

  /// How far a deferred part has come.
  public enum State: Sendable {
    /// Its data has not arrived.
    case pending
    /// It will not arrive: the object's type or a condition rules it out.
    case notExecuted
    /// Its data is here.
    case fulfilled(View)
  }

  /// The part, or `nil` as long as it is not there.
  public var wrappedValue: View? {
    if case .fulfilled(let view) = projectedValue { view } else { nil }
  }

  /// Whether the part is there, may come, or will not.
  public var projectedValue: State {
    let view = View.__layout
    guard object.layout.fulfils(view) else { return .notExecuted }
    return object.fulfils(view) ? .fulfilled(View(__object: object)) : .pending
  }
}

extension Deferred.State: Equatable where View: Equatable {}
extension Deferred.State: Hashable where View: Hashable {}

extension ResponseObject {
  /// Whether all data of a view is there, which was laid out for it.
  ///
  /// - Complexity: O(*n*) in the fields of the view, and in the objects that it shares with what is not deferred.
  @inline(never)
  func hasArrived(_ view: SelectionLayout) -> Bool {
    !layout.deferred.contains(view) || has(view.node)
  }

  /// Whether there is a value, or null, for everything that a selection set selects of this object.
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

  /// The same for a fragment, if it applies; what is deferred once more does not count.
  private func has(
    _ fragment: SelectionNode, _ conditions: [InclusionCondition], within parent: SelectionNode
  ) -> Bool {
    let plan = layout.position.plan
    let type = fragment.parentType
    guard plan.inclusion(of: conditions) == .now,
      plan.condition(type, holdsFor: layout.typename, within: parent.parentType)
    else { return true }
    return has(fragment)
  }

  private func has(_ selection: FieldSelection) -> Bool {
    guard let index = layout.fieldIndex(withKey: selection.responseKey) else { return false }
    let field = layout.fields[index]
    guard !isMissing(field) else { return false }
    // Objects that were there already may still miss what the view selects of them.
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
