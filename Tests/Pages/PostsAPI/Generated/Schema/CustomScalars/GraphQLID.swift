/// This file is yours: it is written once and never overwritten. Name another type here, or declare
/// one that conforms to `CustomScalarType`.
public typealias GraphQLID = String
