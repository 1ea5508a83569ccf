/// A day, such as `2026-11-21`.
///
/// This file is yours: it is written once and never overwritten. Name another type here, or declare
/// one that conforms to `CustomScalarType`.
public typealias Date = String
