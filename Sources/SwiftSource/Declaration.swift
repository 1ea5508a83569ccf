/// A Swift declaration that ``SourceFile/text()`` prints.
///
/// Names are printed as they are. A name from outside must be passed through ``Identifier`` first.
/// Types and bodies are text; a body has one statement per line.
///
/// ```swift
/// let date = Declaration(.typeAlias(name: "Date", target: "String"), modifiers: ["public"])
/// ```
package struct Declaration: Hashable, Sendable {
  /// The text of the `///` lines. Every kind of line break in it starts a new comment line.
  package var documentation: String?
  /// Attributes such as `@_spi(Generated)`, printed one per line above the declaration.
  package var attributes: [String]
  /// Modifiers such as `public` and `static`, in the order in which they are printed.
  package var modifiers: [String]
  package var content: Content

  package indirect enum Content: Hashable, Sendable {
    case group(Group)
    case property(Property)
    case function(Function)
    case enumCase(EnumCase)
    case typeAlias(name: String, target: String)
  }

  package init(
    _ content: Content, documentation: String? = nil, attributes: [String] = [],
    modifiers: [String] = []
  ) {
    self.content = content
    self.documentation = documentation
    self.attributes = attributes
    self.modifiers = modifiers
  }
}

/// A declaration with members: `struct`, `enum`, `protocol`, `class`, `extension`.
package struct Group: Hashable, Sendable {
  package var keyword: String
  package var name: String
  package var inherits: [String]
  package var requirements: String?
  package var members: [Declaration]

  package init(
    _ keyword: String, _ name: String, inherits: [String] = [], requirements: String? = nil,
    members: [Declaration] = []
  ) {
    self.keyword = keyword
    self.name = name
    self.inherits = inherits
    self.requirements = requirements
    self.members = members
  }
}

/// A `let`, a `var`, or a requirement of a protocol.
package struct Property: Hashable, Sendable {
  package enum Storage: Hashable, Sendable {
    case `let`(Expression?)
    case `var`(Expression?)
    /// A computed property. A getter alone is printed without `get`.
    case computed(getter: [String], setter: [String]?)
    /// A computed property that can also be changed in place: the value that it yields.
    case inPlace(getter: [String], setter: [String], yields: String)
    /// A getter that throws errors of a type.
    case throwing(getter: [String], error: String)
    /// A getter on the line of its property, whatever its length. It is used for code that no
    /// person reads.
    case computedOnOneLine(String)
    /// A requirement: `{ get }` or `{ get set }`.
    case requirement(settable: Bool)
  }

  package var name: String
  package var type: String?
  package var storage: Storage

  package init(_ name: String, type: String?, _ storage: Storage) {
    self.name = name
    self.type = type
    self.storage = storage
  }

  /// Creates a computed property.
  package init(_ name: String, type: String, _ getter: [String]) {
    self.init(name, type: type, .computed(getter: getter, setter: nil))
  }
}

/// A function, an initializer or a subscript, depending on its head.
package struct Function: Hashable, Sendable {
  /// The text before the parentheses: `func name`, `init`, `init?`, `subscript<T>`.
  package var head: String
  package var parameters: [Parameter]
  /// The text between the parentheses and the body, such as `throws -> Int`.
  package var tail: String
  /// The statements, or `nil` for a requirement of a protocol.
  package var body: [String]?

  package init(
    _ head: String, _ parameters: [Parameter] = [], tail: String = "", body: [String]?
  ) {
    self.head = head
    self.parameters = parameters
    self.tail = tail
    self.body = body
  }
}

package struct Parameter: Hashable, Sendable {
  /// The label and the name as they are written: `name`, `_ name`, `` `in` _in ``.
  package var name: String
  package var type: String
  package var value: Expression?

  package init(_ name: String, type: String, value: Expression? = nil) {
    self.name = name
    self.type = type
    self.value = value
  }
}

package struct EnumCase: Hashable, Sendable {
  package var name: String
  /// The types with labels, as they are written between the parentheses.
  package var payload: String?
  package var rawValue: Expression?

  package init(_ name: String, payload: String? = nil, rawValue: Expression? = nil) {
    self.name = name
    self.payload = payload
    self.rawValue = rawValue
  }
}
