package import ApolloAPI

extension GraphQLOperation {
  /// The meaning of the parts in which the response may arrive; `nil` if it arrives as a whole.
  package static var partsContent: PartsContent? {
    if operationType == .subscription { return .events }
    return mayHaveSeveralParts ? .response : nil
  }

  /// `true` if the server may deliver the response in parts: the operation has `@defer` or
  /// `@stream`.
  ///
  /// Generated code says so of `@defer`, and of `@stream` where the operation is sent without its
  /// text. Otherwise the text shows `@stream`.
  package static var mayHaveSeveralParts: Bool {
    hasDeferredFragments || mayStreamLists
  }

  /// `true` if the server may deliver the elements of a list one after the other: the operation has
  /// `@stream`, or has parts and is sent without its text.
  package static var mayStreamLists: Bool {
    guard let definition = operationDocument.definition else { return hasDeferredFragments }
    return definition.operationDefinition.hasStreamDirective
      || definition.fragments.contains { $0.fragmentDefinition.hasStreamDirective }
  }
}

extension String {
  /// `true` if the text of an operation or a fragment has the directive `@stream`.
  ///
  /// A text in a string or a comment counts too. It only lets the server choose.
  fileprivate var hasStreamDirective: Bool {
    var text = self
    return text.withUTF8 { text in
      var start = 0
      while let at = text.position(of: UInt8(ascii: "@"), in: start..<text.count) {
        start = at + 1
        let name = text[start...].prefix { $0.isNameByte }
        if name.elementsEqual("stream".utf8) { return true }
      }
      return false
    }
  }
}

extension UInt8 {
  fileprivate var isNameByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
