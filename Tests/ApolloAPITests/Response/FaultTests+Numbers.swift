import ApolloAPI
import Foundation
import ShapesAPI
import Testing

// Numbers and the other leaves.
extension FaultTests {
  static let numbers = [
    FaultRow("J20", "integers") { () throws in
      let integers: [(String, Int)] = [
        ("2147483647", 2_147_483_647), ("-2147483648", -2_147_483_648), ("0", 0), ("-0", 0),
        // The specification has 32 bits for `Int`; larger numbers of servers are accepted.
        ("2147483648", 2_147_483_648), ("-2147483649", -2_147_483_649),
        ("9223372036854775807", .max), ("-9223372036854775808", .min),
        // Integral numbers are integers in any written form.
        ("1.0", 1), ("1e3", 1000), ("-12.50e1", -125), ("120e-1", 12), ("0.0", 0), ("1E0", 1),
        ("9007199254740993.0", 9_007_199_254_740_993),
        ("92233720368547758.07e2", .max), ("-922337203685477580.8e1", .min), ("0e99999", 0),
        ("1.000000000000000000000000", 1),
      ]
      for (text, value) in integers {
        #expect(try Outcome.leaf("int", text).int == value, "\(text)")
        #expect(try Outcome.leaf("certainInt", text).certainInt == value, "\(text)")
        #expect(try Outcome.leaf("long", text).long == value, "\(text)")
      }
      for text in ["1.5", "\"1\"", "true", "[1]", "{}", "0.1", "1e-1", "\"\""] {
        for field in ["int", "certainInt", "long"] { Outcome.isNo(field, text) }
      }
    },
    FaultRow("J21", "integers that a Double cannot hold") { () throws in
      for text in ["9007199254740993", "-9007199254740993", "9223372036854775807"] {
        #expect(try Outcome.leaf("long", text).long == Int(text))
        #expect(try Outcome.leaf("int", text).int == Int(text))
        #expect(try Outcome.leaf("float", text).float == Double(text))
        #expect(try Outcome.leaf("json", text).json == .int(Int64(text)!))
        #expect(try Outcome.leaf("text", text).text == text)
        #expect(try Outcome.leaf("decimal", text).decimal == Decimal(string: text))
      }
    },
    FaultRow("J22", "integers of more than 64 bits") { () throws in
      let texts = [
        "9223372036854775808", "-9223372036854775809", "18446744073709551616",
        "-18446744073709551616", "-184467440737095516160",
        String(repeating: "9", count: 400),
        "-" + String(repeating: "9", count: 400), "9223372036854775808.0", "1e19", "1e308", "1e400",
      ]
      for text in texts {
        Outcome.isNo("int", text, .numberOutOfRange(text))
        Outcome.isNo("certainInt", text, .numberOutOfRange(text))
        Outcome.isNo("long", text)
        let json = try #require(try Outcome.leaf("json", text).json)
        #expect(Double(json.description) == Double(text), "\(text)")
        let decimal = try? Outcome.leaf("decimal", text).decimal
        #expect(decimal == nil || decimal == Decimal(string: text), "\(text)")
      }
      #expect(try Outcome.leaf("float", "18446744073709551616").float == 18_446_744_073_709_551_616)
      Outcome.isNo("float", String(repeating: "9", count: 400))
    },
    FaultRow("J23", "the ends of Double") { () throws in
      for text in ["1e400", "-1e400", "1.7976931348623159e308", "1e99999999999999999999"] {
        Outcome.isNo("float", text, .numberOutOfRange(text))
        Outcome.isNo("certainFloat", text, .numberOutOfRange(text))
      }
      let numbers: [(String, Double)] = [
        ("5e-324", .leastNonzeroMagnitude), ("1.7976931348623157e308", .greatestFiniteMagnitude),
        ("1e-400", 0),
        ("2.2250738585072014e-308", .leastNormalMagnitude),
        ("2.2250738585072011e-308", .leastNormalMagnitude.nextDown),
        ("0.1", 0.1), ("1", 1),
        ("123456789012345678901234567890", 123_456_789_012_345_677_877_719_597_056),
        ("9007199254740993", 9_007_199_254_740_992), ("0.30000000000000004", 0.30000000000000004),
      ]
      for (text, value) in numbers {
        #expect(try Outcome.leaf("float", text).float == value, "\(text)")
        #expect(try Outcome.leaf("certainFloat", text).certainFloat == value, "\(text)")
      }
      for text in ["-0.0", "-0", "-1e-400", "-0e5"] {
        #expect(try Outcome.leaf("float", text).float?.bitPattern == (-0.0).bitPattern, "\(text)")
      }
    },
    FaultRow("J24", "leaves of other kinds") { () throws in
      for (field, texts) in [
        ("boolean", ["1", "0", "\"true\"", "\"\"", "[]", "{}"]),
        ("string", ["1", "true", "1.5", "[]", "{}", "[\"a\"]"]),
        ("int", ["true", "\"1\"", "[]", "{}"]), ("float", ["true", "\"1\"", "[]", "{}"]),
        ("id", ["true", "1.5", "1e3", "[]", "{}"]),
        ("date", ["1", "true", "[]", "\"\"", "\"yesterday\""]),
        ("url", ["1", "\"\"", "{}"]), ("uuid", ["1", "\"\"", "\"E621\"", "[]"]),
        ("decimal", ["true", "\"\"", "\"x\"", "[]", "\"1,5\""]), ("text", ["[]", "{}"]),
      ] {
        for text in texts { Outcome.isNo(field, text) }
      }
      #expect(try Outcome.leaf("id", "1").id == "1")
      #expect(try Outcome.leaf("id", "\"1\"").id == "1")
      #expect(try Outcome.leaf("id", "-9223372036854775808").id == "-9223372036854775808")
      #expect(try Outcome.leaf("boolean", "true").boolean == true)
    },
  ]
}
