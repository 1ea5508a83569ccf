// What the page leaves to a framework for user interfaces: views whose content is text.

protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension View {
  /// The texts of the view and of the views inside, in order.
  var texts: [String] {
    if let leaf = self as? any Leaf { leaf.ownTexts } else { body.texts }
  }
}

/// A view that contains no view of a type of its own.
private protocol Leaf {
  var ownTexts: [String] { get }
}

struct Text: View, Leaf {
  fileprivate let ownTexts: [String]

  init(_ text: String) { ownTexts = [text] }

  var body: Group { Group(ownTexts: []) }
}

struct Group: View, Leaf {
  fileprivate let ownTexts: [String]

  var body: Group { self }
}

struct VStack: View {
  let body: Group

  init(@ViewBuilder _ content: () -> Group) { body = content() }
}

typealias HStack = VStack

@resultBuilder
enum ViewBuilder {
  static func buildExpression(_ view: some View) -> Group { Group(ownTexts: view.texts) }
  static func buildBlock(_ groups: Group...) -> Group { buildArray(groups) }
  static func buildArray(_ groups: [Group]) -> Group {
    Group(ownTexts: groups.flatMap(\.ownTexts))
  }
}
