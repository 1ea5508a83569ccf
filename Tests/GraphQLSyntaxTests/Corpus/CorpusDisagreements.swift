/// The cases of the corpora with which this package disagrees, each with the reason.
enum CorpusDisagreements {
  static let reasons: [String: String] = [
    "lex-a9df7055ab": manyDigits,
    "parse-document-2ccfd63d7b": laterLocation,
    "parse-document-970f598c46": laterLocation,
    "parse-document-7457720c5d": laterLocation,
    "parse-document-53323d2298": laterLocation,
    "apolloktp-93bc1a6ec6": otherWording,
  ]

  private static let manyDigits = """
    `\\u{000000000}` has more digits than the references read. The grammar has any number of them \
    (2.9.4, `EscapedUnicode :: { HexDigit+ }`), and the value is that of a character.
    """

  private static let laterLocation = """
    The location DIRECTIVE_DEFINITION is not of September 2025, so the error is at its name. The \
    reference knows it already, and stumbles over the syntax that belongs to it further on.
    """

  private static let otherWording = """
    Of the two wordings for a misplaced description that the corpora have, the one of the majority.
    """
}
