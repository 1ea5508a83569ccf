/// A position in the response at which objects occur, such as `hero.friends`. The selection sets
/// that contribute to it define it.
package final class ObjectPosition: Sendable {
  /// A small number that is unique in the plan.
  package let number: Int
  /// The selection sets in order. The first one is primary and determines the order of the slots.
  package let sources: [SelectionLayout]
  /// The number of selection sets that every object has from the start. Those after them may arrive
  /// later (`@defer`).
  let immediateCount: Int
  /// Unsafely unowned because plans live as long as the program.
  package unowned(unsafe) let plan: OperationPlan
  /// The type of all objects at the position; `nil` if the schema leaves it open.
  package let staticTypename: String?
  /// The response key of `__typename`, if it is selected.
  let typenameKey: String?
  /// The same in quotes.
  let quotedTypenameKey: QuotedKey?
  /// The layouts of the object types that have occurred; `nil` for the types that generated code
  /// does not know. See ``layout(forTypename:)``.
  let layouts = Lock(LayoutsByType())
  /// See ``contents``; `nil` before the first use.
  let cachedContents = Lock<Contents?>(nil)

  init(number: Int, sources: SelectionSources, plan: OperationPlan) {
    self.number = number
    self.sources = sources.layouts
    self.immediateCount = sources.immediateCount
    self.plan = plan
    staticTypename = self.sources.map(\.parentType).first { !plan.types.isAbstract($0) }
    typenameKey = self.sources.lazy.compactMap(\.node.typenameKey).first
    quotedTypenameKey = typenameKey.map { $0 == "__typename" ? .typename : QuotedKey($0) }
  }

  /// The layouts of a position.
  struct LayoutsByType: Sendable {
    private(set) var all: [ObjectLayout] = []
    /// The index of each layout whose type is known.
    private var indices: [String: Int] = [:]
    private var unknown: ObjectLayout?

    /// Returns the layout of the objects of a type; `nil` stands for the types that generated code
    /// does not know.
    func layout(of typename: String?) -> ObjectLayout? {
      guard let typename else { return unknown }
      return indices[typename].map { all[$0] }
    }

    /// Adds the layout of a type that has none.
    mutating func insert(_ layout: ObjectLayout, of typename: String?) {
      if let typename { indices[typename] = all.count } else { unknown = layout }
      all.append(layout)
    }
  }

  /// Facts about the selection sets at a position and all those within them.
  package struct Contents: Sendable {
    /// The variables in arguments of fields, in ascending order.
    ///
    /// Their values determine the cache field keys. Without variables, these are the same for every
    /// value of the operation.
    package let argumentVariables: [String]
    /// `true` if a part may arrive later (`@defer`).
    package let mayComeLater: Bool
  }
}

/// A key as it is written in JSON without escapes: in quotes.
///
/// `@unchecked Sendable` because the pointer is to memory that is written before the initializer
/// returns and never freed.
struct QuotedKey: @unchecked Sendable {
  /// Padded to whole words, and two more words.
  let bytes: UnsafePointer<UInt8>
  let count: Int

  init(_ key: String) {
    let quoted = Array("\"\(key)\"".utf8)
    bytes = allocateForever(quoted)
    count = quoted.count
  }

  /// The key of nearly every position.
  static let typename = QuotedKey("__typename")

  /// Returns whether both are the same key; different ones may be equal.
  static func === (lhs: Self, rhs: Self) -> Bool { lhs.bytes == rhs.bytes }
}

/// The selection sets that contribute to the objects at a position, the deferred ones last.
struct SelectionSources: Equatable {
  let layouts: [SelectionLayout]
  /// The number of selection sets that every object has from the start. Those after them may arrive
  /// later (`@defer`).
  let immediateCount: Int

  /// A hash for ``HashTable``.
  var mixedHash: Int {
    layouts.reduce(immediateCount) { ($0 &* 31) ^ $1.mixedHash }
  }
}

extension ObjectPosition {
  /// The layouts of the objects that have occurred here so far.
  package var knownLayouts: [ObjectLayout] { layouts.withLock { $0.all } }

  /// The types on which fields are selected here, the declared type first.
  package var declaredTypes: [String] { sources.map(\.parentType) }

  /// The maximum age of all data of the operation whose root objects are here.
  package var operationMaxAge: Duration? {
    guard case .limit(let duration)? = sources[0].node.definition.maxAge?.rule else { return nil }
    return duration
  }

  var allSources: SelectionSources {
    SelectionSources(layouts: sources, immediateCount: immediateCount)
  }
}
