/// A model of generated code: a view of a ``GeneratedCode/ResponseObject`` that shows the fields of
/// one selection set.
///
/// ```swift
/// if let hero = response.data?.hero {
///   print(hero.name)
///   if let droid = hero.asDroid { print(droid.primaryFunction ?? "none") }
/// }
/// ```
///
/// Views are values. Making one from another costs nothing, because both share the object.
///
/// A conforming type is a struct whose only stored property is its
/// ``GeneratedCode/ResponseObject``, so that this protocol converts one to the other by its bits,
/// without code in each model. Any other stored property makes that undefined.
///
/// Generated models are ``GeneratedCode/ModelValue``s too. The protocol does not require it,
/// because a conformance to a protocol that refines one of the standard library is assembled at run
/// time, by code that each model would add to the program.
public protocol SelectionSet<Schema>: GeneratedCode.SlotValue {
  /// The schema that the selections are made on.
  associatedtype Schema: SchemaMetadata

  /// The response keys that the view's accessors read.
  static var __layout: GeneratedCode.SelectionLayout { get }
}

/// A selection set of a whole object: an operation's data, a fragment, or the object of a field.
public protocol RootSelectionSet<Schema>: SelectionSet {}

/// A selection set of an object that fulfils a type condition or an inclusion condition.
public protocol InlineFragment<Schema>: SelectionSet {
  /// The selection set around the fragment, or around the outermost fragment that contains it.
  associatedtype RootEntityType: RootSelectionSet
}

/// A named fragment.
public protocol Fragment: SelectionSet {
  /// The text for requests.
  static var fragmentDefinition: String { get }
  /// The selections.
  static var __selections: GeneratedCode.Selections { get }
}
