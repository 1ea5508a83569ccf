public import ApolloAPI

/// A generated model; what it does is written by the generator of this package.
public protocol WalkedModel: SelectionSet, WalkedValue, Hashable {
  /// Reads every property.
  func __walk(_ walk: inout Walk)
}

/// Reads every property of models, and compares what they say with the response.
public struct Walk {
  /// The number of properties that have been read.
  public internal(set) var readCount = 0
  /// Properties that say `nil` although the response has a value, because of a condition of their
  /// own.
  public internal(set) var hidden: Set<String> = []
  /// Properties that say something else than the response.
  public internal(set) var problems: Set<String> = []
  let variables: Variables?
  private var visits: Set<Visit> = []
  private var node: ResponseNode
  private var model = ""

  private struct Visit: Hashable {
    let node: ObjectIdentifier
    let model: ObjectIdentifier
  }

  init(_ node: ResponseNode, variables: Variables?) {
    self.node = node
    self.variables = variables
  }

  /// Compares a property with the response.
  public mutating func read<Value: WalkedValue>(_ key: String, _ value: Value) {
    readCount += 1
    guard case .object(let members) = node.content else { return }
    let position = "\(model).\(key)"
    guard let expected = members[key] else {
      if !value.isNil { problems.insert("\(position) has a value that the response does not have") }
      return
    }
    if value.isNil, !expected.isNull {
      hidden.insert(position)
    } else if !value.agrees(with: expected, &self) {
      problems.insert("\(position) is not what the response says")
    }
  }

  /// Reads another view of the same object.
  public mutating func view<View: WalkedModel>(_ view: View?) {
    if let view { visit(view, node) }
  }

  mutating func visit<View: WalkedModel>(_ view: View, _ node: ResponseNode) {
    let visit = Visit(node: ObjectIdentifier(node), model: ObjectIdentifier(View.self))
    guard visits.insert(visit).inserted else { return }
    let outer = (self.node, model)
    (self.node, model) = (node, "\(View.self)")
    view.__walk(&self)
    checkLaws(of: view)
    (self.node, model) = outer
  }

  /// Checks the laws for every view of every object.
  private mutating func checkLaws<View: WalkedModel>(of view: View) {
    guard view == view, view.hashValue == view.hashValue else {
      problems.insert("\(View.self) does not equal itself")
      return
    }
    guard visits.count < 2000, let root = View.self as? any RootSelectionSet.Type else { return }
    checkReading(root, view.jsonBytes, view)
  }

  /// A part of a model is a model: what it writes can be read.
  private mutating func checkReading<Root: RootSelectionSet>(
    _: Root.Type, _ json: [UInt8], _ view: any SelectionSet
  ) {
    do {
      let again = try Root(jsonBytes: json, variables: variables)
      guard let view = view as? Root, again == view else {
        problems.insert("\(Root.self) is another one when it is written and read")
        return
      }
      if again.hashValue != view.hashValue {
        problems.insert("\(Root.self) has another hash when it is written and read")
      }
      if again.jsonBytes != json {
        problems.insert("\(Root.self) writes something else when it is written and read")
      }
    } catch {
      problems.insert("\(Root.self) cannot be read again: \(error)")
    }
  }
}

/// Something that a property of a model can be.
public protocol WalkedValue {
  /// Is `true` if the property is `nil` or `null`.
  var isNil: Bool { get }
  /// Returns `true` if this is the value in the response.
  func agrees(with node: ResponseNode, _ walk: inout Walk) -> Bool
}

extension WalkedValue {
  /// Is `true` if the property is `nil` or `null`.
  public var isNil: Bool { false }
}

extension WalkedValue where Self: WalkedModel {
  /// Returns `true` if this is the value in the response.
  public func agrees(with node: ResponseNode, _ walk: inout Walk) -> Bool {
    guard case .object = node.content else { return false }
    walk.visit(self, node)
    return true
  }
}

extension WalkedValue where Self: GeneratedCode.LeafElement {
  /// Returns `true` if this is the value in the response.
  public func agrees(with node: ResponseNode, _ walk: inout Walk) -> Bool {
    _jsonValue.says(node.value)
  }
}

extension String: WalkedValue {}
extension Int: WalkedValue {}
extension Double: WalkedValue {}
extension Bool: WalkedValue {}
extension JSONValue: WalkedValue {}
extension GraphQLEnum: WalkedValue {}

extension Optional: WalkedValue where Wrapped: WalkedValue {
  /// Is `true` if the property is `nil` or `null`.
  public var isNil: Bool { if case .none = self { true } else { false } }

  /// Returns `true` if this is the value in the response.
  public func agrees(with node: ResponseNode, _ walk: inout Walk) -> Bool {
    self.map { $0.agrees(with: node, &walk) } ?? node.isNull
  }
}

extension Array: WalkedValue where Element: WalkedValue {
  /// Returns `true` if this is the value in the response.
  public func agrees(with node: ResponseNode, _ walk: inout Walk) -> Bool {
    guard case .list(let nodes) = node.content, nodes.count == count else { return false }
    for (element, node) in zip(self, nodes) where !element.agrees(with: node, &walk) {
      return false
    }
    return true
  }
}

extension JSONValue {
  /// Returns `true` if a server means this by another value: `1.0` is `1`, and the id `7` is `"7"`.
  public func says(_ other: JSONValue) -> Bool {
    switch (self, other) {
    case (.int, .double), (.double, .int), (.double, .double), (.double, .decimal),
      (.decimal, .double):
      doubleValue == other.doubleValue
    case (.string(let text), .int(let number)): text == String(number)
    case (.array(let elements), .array(let others)):
      elements.count == others.count && zip(elements, others).allSatisfy { $0.says($1) }
    case (.object(let members), .object(let others)):
      members.count == others.count
        && members.allSatisfy { key, value in others[key].map(value.says) ?? false }
    default: self == other
    }
  }
}
