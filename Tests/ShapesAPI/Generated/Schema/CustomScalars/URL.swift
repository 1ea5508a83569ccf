public import Foundation

/// Foundation's, which `ApolloAPI` reads and writes.
public typealias URL = Foundation.URL
