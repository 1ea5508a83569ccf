/// The namespace of the declarations that only generated code uses.
///
/// Programs use generated models and operations instead. The contents of this namespace can change
/// in every version, together with the generator.
public enum GeneratedCode {}
