import ApolloAPI

extension Library {
  /// A month of a year. It replaces the type that the generator would make for the scalar `Month`,
  /// because its file has the scalar's name.
  struct Month: CustomScalarType {
    var year: Int
    var month: Int

    init(_jsonValue value: JSONValue) throws {
      guard case .string(let text) = value,
        case let parts = text.split(separator: "-").compactMap({ Int($0) }), parts.count == 2
      else { throw ScalarError(expected: "a year and a month", found: value) }
      (year, month) = (parts[0], parts[1])
    }

    var _jsonValue: JSONValue { .string("\(year)-\(month < 10 ? "0" : "")\(month)") }
  }
}
