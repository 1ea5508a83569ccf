extension Source {
  /// A Boolean value that indicates whether the text has no token: nothing but white space, commas
  /// and comments.
  ///
  /// Such a text is not a document, whose grammar asks for a definition. A new or emptied file of a
  /// project is no mistake, however.
  ///
  /// Spec: 2.1, "Source Text".
  /// - Complexity: O(*n*) in the bytes before the first token.
  package var isBlank: Bool {
    var isComment = false
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): isComment = false
      case _ where isComment: continue
      case UInt8(ascii: "#"): isComment = true
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ","): continue
      // The bytes of a byte order mark, which no token contains.
      case 0xEF, 0xBB, 0xBF: continue
      default: return false
      }
    }
    return true
  }
}
