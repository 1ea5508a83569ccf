/// An alias of `Int`.
public typealias Long = Int
