import SwiftSource
import Testing

@Suite struct LiteralTests {
  @Test(arguments: [
    ("plain", "\"plain\""),
    ("say \"hi\"", #""say \"hi\"""#),
    ("\\(evil())", #""\\(evil())""#),
    ("a\nb\r\u{0}\t", #""a\nb\r\0\t""#),
    ("\u{202E}", #""\u{202E}""#),
    ("\u{2028}", #""\u{2028}""#),
    ("é世", "\"é世\""),
  ])
  func escapesWhatIsNotPrintable(_ text: String, _ literal: String) {
    #expect(SwiftString.escaped(text) == literal)
  }

  @Test(arguments: [
    ("{ a }", "#\"{ a }\"#"),
    ("\"a\"", "#\"\"a\"\"#"),
    ("\"#", "##\"\"#\"##"),
    ("\"\"\"##", "###\"\"\"\"##\"###"),
    ("\\#(evil())", "##\"\\#(evil())\"##"),
    ("# # ###", "#\"# # ###\"#"),
    ("a\nb", "\"a\\nb\""),
    ("é世", "#\"é世\"#"),
    ("\"#a#", "##\"\"#a#\"##"),
  ])
  func usesAsManyDelimitersAsTheTextNeeds(_ text: String, _ literal: String) {
    #expect(SwiftString.raw(text) == literal)
  }

  @Test func putsKeywordsInBackTicks() {
    #expect(Identifier.escaped("name") == "name")
    #expect(Identifier.escaped("in") == "`in`")
  }
}
