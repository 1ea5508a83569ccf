public import Foundation

/// Foundation's, which `ApolloAPI` reads and writes.
public typealias Decimal = Foundation.Decimal
