/// A model of generated code: a view of a ``ResponseObject`` that shows the fields of one selection set.
///
/// Views are values. Making one from another costs nothing; both look at the same object.
///
/// A conforming type is a struct whose only stored property is its ``ResponseObject``. So a view has the same bits as its object, and this
/// protocol makes one from the other without code in each model. With any other stored property, that is undefined or traps.
///
/// Generated models are ``ModelValue``s too. The protocol does not say so, because a conformance to a protocol that refines one of
/// the standard library is put together when the program runs, by code that every model would bring along.
public protocol SelectionSet<Schema>: SlotValue {
  /// The schema that the selections are made on.
  associatedtype Schema: SchemaMetadata

  /// The response keys that the view's accessors read.
  static var __layout: SelectionLayout { get }
}

/// A selection set that stands for a whole object: an operation's data, a fragment, or the object of a field.
public protocol RootSelectionSet<Schema>: SelectionSet {}

/// A selection set that stands for an object when a type condition or an inclusion condition holds.
public protocol InlineFragment<Schema>: SelectionSet {
  /// The selection set that the fragment, or the outermost one around it, was written in.
  associatedtype RootEntityType: RootSelectionSet
}

/// A named fragment.
public protocol Fragment: SelectionSet {
  /// Its text, as sent to a server.
  static var fragmentDefinition: String { get }
  /// What it selects.
  static var __selections: Selections { get }
}
