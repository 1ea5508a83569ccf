/// A kind of node that a ``Document`` stores in an array of its own.
public protocol Node: Sendable {
  /// The span from the first token of the node, which is its description if it has one, to the
  /// last.
  var span: SourceSpan { get }
}

extension Node {
  /// The typed index of a node: `document[id]` is the node.
  public typealias ID = NodeID<Self>
  /// A list of adjacent nodes: `document[list]` is a slice of them.
  public typealias List = NodeList<Self>
}

/// The index of a node in the array of its kind, which is also its identity.
public struct NodeID<Kind>: Hashable, Sendable {
  /// The index as 32 bits.
  public let rawValue: UInt32

  /// Creates the ID of the node at index `rawValue`.
  @inlinable
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The index, for use with an array that has an element for each node of the kind.
  @inlinable
  public var index: Int { Int(rawValue) }
}

/// The IDs of adjacent nodes of one kind, in the order of the text.
///
/// A nonempty list is also an identity, because the lists of a document do not overlap.
public struct NodeList<Kind>: Hashable, Sendable, RandomAccessCollection {
  /// The raw value of the first ID.
  public let start: UInt32
  /// One more than the raw value of the last ID, or `start` for an empty list.
  public let end: UInt32

  /// Creates the list of the nodes `start..<end`.
  @inlinable
  public init(start: UInt32, end: UInt32) {
    self.start = start
    self.end = end
  }

  /// The empty list.
  @inlinable
  public static var empty: NodeList { NodeList(start: 0, end: 0) }

  /// The index of the first node in the array of its kind. It is rarely zero.
  @inlinable
  public var startIndex: Int { Int(start) }
  /// The index after that of the last node in the array of its kind.
  @inlinable
  public var endIndex: Int { Int(end) }
  /// The indices of the nodes in the array of their kind.
  @inlinable
  public var indices: Range<Int> { startIndex..<endIndex }

  /// Accesses the ID of the node at index `position` of the array of its kind.
  @inlinable
  public subscript(position: Int) -> NodeID<Kind> {
    NodeID(rawValue: UInt32(truncatingIfNeeded: position))
  }
}
