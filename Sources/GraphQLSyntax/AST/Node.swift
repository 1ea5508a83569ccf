/// A kind of node that a ``Document`` keeps in an array of its own.
public protocol Node: Sendable {
  /// Where it is in the text, from its first token (its description, if it has one) to its last.
  var span: SourceSpan { get }
}

extension Node {
  /// The typed index of a node of this kind: `document[id]` is the node.
  public typealias ID = NodeID<Self>
  /// Nodes of this kind that stand next to each other: `document[list]`, or its IDs one by one.
  public typealias List = NodeList<Self>
}

/// The place of a node in its array, which also serves as its identity.
public struct NodeID<Kind>: Hashable, Sendable {
  /// The index into the array of the kind, in 32 bits.
  public let rawValue: UInt32

  /// The node at index `rawValue` of the array of its kind.
  @inlinable
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The index into an array that has an element for each node of the kind.
  @inlinable
  public var index: Int { Int(rawValue) }
}

/// The IDs of nodes of one kind that are next to each other, in the order of the text.
///
/// A list that is not empty identifies itself: no two lists of a document overlap.
public struct NodeList<Kind>: Hashable, Sendable, RandomAccessCollection {
  /// The raw value of the first ID.
  public let start: UInt32
  /// One more than the raw value of the last ID; equal to `start` when there is none.
  public let end: UInt32

  /// The nodes whose raw values are in `start..<end`.
  @inlinable
  public init(start: UInt32, end: UInt32) {
    self.start = start
    self.end = end
  }

  /// A list of nothing.
  @inlinable
  public static var empty: NodeList { NodeList(start: 0, end: 0) }

  /// The index of the first node in the array of the kind, not zero.
  @inlinable
  public var startIndex: Int { Int(start) }
  /// One past the index of the last node in the array of the kind.
  @inlinable
  public var endIndex: Int { Int(end) }
  /// The indices of the nodes in the array of the kind.
  @inlinable
  public var indices: Range<Int> { startIndex..<endIndex }

  /// The ID of the node at `position` of the array of the kind.
  @inlinable
  public subscript(position: Int) -> NodeID<Kind> {
    NodeID(rawValue: UInt32(truncatingIfNeeded: position))
  }
}
