import Testing

@testable import GraphQLSyntax

struct NameTableTests {
  @Test func startsWithTheNamesOfTheLanguage() {
    let names = NameTable()
    for (symbol, spelling) in [
      (Symbol.query, "query"), (.typename, "__typename"), (.int, "Int"), (.id, "ID"), (.if, "if"),
      (.fieldDefinition, "FIELD_DEFINITION"), (.queryType, "Query"), (.oneOf, "oneOf"),
      (.name, "name"),
    ] {
      #expect(names[symbol] == spelling)
      #expect(names.symbol(for: spelling) == symbol)
    }
    #expect(names.count == NameTable.wellKnownSpellings.count)
    for location in DirectiveLocation.allCases {
      #expect(DirectiveLocation(location.symbol) == location)
    }
    #expect(names[DirectiveLocation.inputFieldDefinition.symbol] == "INPUT_FIELD_DEFINITION")
    #expect(DirectiveLocation(.repeatable) == nil && DirectiveLocation(.int) == nil)
  }

  @Test func distinguishesNamesOfEveryLength() {
    var names = NameTable()
    var symbols: [String: Symbol] = [:]
    // The names are prefixes of each other, or differ in one byte.
    for length in 1...40 {
      symbols[String(repeating: "q", count: length)] = nil
      for position in 0..<length {
        var spelling = Array(repeating: UInt8(ascii: "q"), count: length)
        spelling[position] = UInt8(ascii: "z")
        symbols[String(decoding: spelling, as: UTF8.self)] = names.intern(
          String(decoding: spelling, as: UTF8.self))
      }
    }
    #expect(Set(symbols.values).count == symbols.count)
    for (spelling, symbol) in symbols {
      #expect(names[symbol] == spelling)
      #expect(names.symbol(for: spelling) == symbol)
    }
    #expect(names.symbol(for: "qqq") == nil)
  }

  @Test func internsTheSameSymbolsAsTheLexer() {
    let spellings = (1...40).map { String(repeating: "a", count: $0) }
    let (document, _) = Document.parsing("{ " + spellings.joined(separator: " ") + " }")
    for (field, spelling) in zip(document.fields, spellings) {
      #expect(document.names.symbol(for: spelling) == field.name.symbol)
    }
  }

  @Test func keepsSymbolsWhenItGrows() {
    var names = NameTable()
    let symbols = (0..<20_000).map { names.intern("n\($0)") }
    let copy = names
    names.intern("other")
    #expect(symbols.enumerated().allSatisfy { names[$1] == "n\($0)" })
    #expect(copy.symbol(for: "other") == nil)
    #expect((0..<20_000).allSatisfy { copy.symbol(for: "n\($0)") == symbols[$0] })
  }

  @Test func ordersNamesByTheirBytes() {
    var names = NameTable()
    let symbols = ["b", "a", "B", "ab", "_"].map { names.intern($0) }
    let sorted = symbols.sorted { names.areInIncreasingOrder($0, $1) }.map { names[$0] }
    #expect(sorted == ["B", "_", "a", "ab", "b"])
    #expect(names.isReserved(.typename) && !names.isReserved(symbols[4]))
  }
}
