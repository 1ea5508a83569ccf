extension GeneratedCode {
  /// The selection sets of an operation or a fragment of generated code, as they were written.
  ///
  /// The grammar of the literal is in `Documentation/Design/0001-models.md`. It is parsed once, on
  /// the first use of the static property that holds the value.
  ///
  /// `@unchecked Sendable` because nothing writes to the memory of `layouts` once the value is
  /// made.
  public final class Selections: @unchecked Sendable {
    /// The selection sets in the order of their `{`; the definition's own one is first.
    let nodes: [SelectionNode]
    /// The fragments that the literal spreads, by index.
    let fragments: [any Fragment.Type]
    /// The defaults of the definition's variables, by name.
    let variableDefaults: [String: JSONValue]
    /// The maximum age of all data of the operation (`@cacheControl`).
    let maxAge: MaxAge?
    /// `true` if errors of fields end the operation, unless they are caught
    /// (`@throwOnFieldError`).
    let throwsOnFieldErrors: Bool
    /// `true` if nulls of fields make the objects around them null (`@required`).
    let hasRequiredFields: Bool
    /// The changes of lists and records that fields ask for.
    package let listEdits: [ListEdit]
    /// Indicates whether a field of the definition has `@connection`.
    private let hasOwnConnections: Bool
    private let knownHasConnections = Lock<Bool?>(nil)
    /// The layouts of `nodes`. A pointer, because accessors read it without counting references or
    /// checking bounds.
    @usableFromInline let layouts: UnsafePointer<SelectionLayout>
    /// The plans of this definition, which linking makes on first use. Untyped, because what is
    /// written does not depend on how it is linked. See ``withPlans(_:)``.
    let plans = Lock<AnyObject?>(nil)

    /// Parses a literal.
    ///
    /// - Parameters:
    ///   - literal: The selections, in the grammar of the design note.
    ///   - fragments: The fragments `...#0`, `...#1` ….
    ///   - leaves: The types `#0`, `#1` ….
    ///
    /// Traps when the literal is malformed, because it comes from a generator and not from a
    /// server.
    public init(
      _ literal: String, fragments: [any Fragment.Type] = [],
      leaves: [any GeneratedCode.LeafValue.Type] = []
    ) {
      var parser = SelectionsParser(literal, fragmentCount: fragments.count, leaves: leaves)
      let definition = parser.parseDefinition()
      self.nodes = definition.nodes
      self.variableDefaults = definition.variableDefaults
      self.maxAge = definition.maxAge
      self.throwsOnFieldErrors = definition.throwsOnFieldErrors
      listEdits = definition.listEdits
      hasRequiredFields = definition.hasRequiredFields
      self.fragments = fragments
      hasOwnConnections = definition.hasConnections
      layouts = Self.layouts(of: nodes)
      for node in nodes { node.adopt(by: self) }
    }

    /// Creates selections of copied nodes, whose fragments are inline fragments.
    init(_ nodes: [SelectionNode], copying whole: Selections) {
      self.nodes = nodes
      fragments = []
      variableDefaults = whole.variableDefaults
      maxAge = whole.maxAge
      throwsOnFieldErrors = false
      hasRequiredFields = false
      listEdits = []
      hasOwnConnections = whole.hasConnections
      layouts = Self.layouts(of: nodes)
      for node in nodes { node.adopt(by: self) }
    }

    private static func layouts(of nodes: [SelectionNode]) -> UnsafePointer<SelectionLayout> {
      let layouts = UnsafeMutablePointer<SelectionLayout>.allocate(capacity: nodes.count)
      for (index, node) in nodes.enumerated() {
        (layouts + index).initialize(to: SelectionLayout(node))
      }
      return UnsafePointer(layouts)
    }

    deinit { layouts.deallocate() }

    /// Indicates whether a field has `@connection`, in the definition or in a fragment.
    ///
    /// - Complexity: O(*n*) in the fragments for the first time: they are parsed. O(1) later.
    var hasConnections: Bool {
      if let known = knownHasConnections.withLock({ $0 }) { return known }
      let hasConnections = findConnections()
      knownHasConnections.withLock { $0 = hasConnections }
      return hasConnections
    }

    private func findConnections() -> Bool {
      var visited: Set<ObjectIdentifier> = []
      var pending: [Selections] = [self]
      while let next = pending.popLast() {
        guard visited.insert(ObjectIdentifier(next)).inserted else { continue }
        if next.hasOwnConnections { return true }
        pending += next.fragments.map { $0.__selections }
      }
      return false
    }

    /// The layout of the selection set with this number.
    @inlinable
    public subscript(index: Int) -> GeneratedCode.SelectionLayout {
      defer { _fixLifetime(self) }
      return layouts[index]
    }
  }
}

@usableFromInline package typealias Selections = GeneratedCode.Selections

extension GeneratedCode {
  /// The identity of one selection set, and the response keys that its model has accessors for.
  ///
  /// Accessor *i* of a model reads key *i* of its layout. Layouts live as long as the program and
  /// compare by identity.
  @frozen
  public struct SelectionLayout: Hashable, Sendable {
    /// Unmanaged because the static property that holds the `Selections` keeps every node alive,
    /// and because counting references would cost more than reading a field.
    @usableFromInline let reference: Unmanaged<SelectionNode>

    init(_ node: SelectionNode) { reference = Unmanaged.passUnretained(node) }

    var node: SelectionNode { reference._withUnsafeGuaranteedRef { $0 } }

    /// The response keys of the accessors, in slot order.
    package var keys: [String] { node.keys }

    /// The type in the schema that the selections are made on.
    package var parentType: String { node.parentType }

    /// `true` if errors of fields end the operation, unless they are caught.
    package var throwsOnFieldErrors: Bool { node.definition.throwsOnFieldErrors }

    /// `true` if failures in objects change the data around them.
    package var containsFailures: Bool {
      node.definition.throwsOnFieldErrors || node.definition.hasRequiredFields
    }

    /// Indicates whether a field of the operation has `@connection`.
    package var hasConnections: Bool { node.definition.hasConnections }

    /// A hash for ``HashTable``.
    var mixedHash: Int { ObjectIdentifier(node).mixedHash }

    /// Returns whether both are the same selection set.
    @inlinable public static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.reference.toOpaque() == rhs.reference.toOpaque()
    }

    /// Hashes the identity.
    @inlinable public func hash(into hasher: inout Hasher) {
      hasher.combine(reference.toOpaque())
    }
  }
}

@usableFromInline package typealias SelectionLayout = GeneratedCode.SelectionLayout
