import ApolloIR
import SwiftSource

/// Types with so many members that the usual form would take the compiler too long.
///
/// Its time is quadratic in the number of stored properties and of raw values: an enum of 5,000
/// values took a minute, an input object of 500 fields 19 seconds. In the form for many members,
/// their names are one text and their values one array. The properties, cases and initializers that
/// programs use are the same.
extension Renderer {
  /// The greatest number of members in the usual form.
  private static let mostMembers = 32

  func isWide(_ memberCount: Int) -> Bool { memberCount > Self.mostMembers }

  /// Renders the list of the members' names.
  func nameList(_ names: [String], access: [String]) -> Declaration {
    let text = Expression.string(names.joined(separator: " "))
    let list = Expression.call("ApolloAPI.GeneratedCode.NameList", [.init(nil, text)])
    return Declaration(
      .property(Property("__names", type: nil, .let(list))), modifiers: access + ["static"])
  }

  /// Renders the values of all members.
  func valueStorage(access: [String]) -> Declaration {
    Declaration(
      .property(Property("__values", type: "ApolloAPI.GeneratedCode.InputValues", .var(nil))),
      modifiers: access)
  }

  /// Returns the storage of the property of one member.
  func storedValue(_ position: Int) -> Property.Storage {
    .computedOnOneLine(
      "get { __values[\(position)] } set { __values[\(position)] = newValue }")
  }

  /// Returns the statement of an initializer that stores the values of all members.
  func storeValues(_ values: [String]) -> String {
    "__values = .init(Self.__names, [\(values.joined(separator: ", "))])"
  }
}
