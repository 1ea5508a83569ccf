public import Foundation

/// Foundation's, which `ApolloAPI` reads and writes.
public typealias UUID = Foundation.UUID
