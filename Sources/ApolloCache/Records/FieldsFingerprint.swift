internal import ApolloAPI

/// A hash of a list of fields that does not depend on their order.
struct FieldsFingerprint: Equatable, Sendable {
  private var sum: UInt64 = 0

  /// Adds fields of a record.
  mutating func insert(_ fields: RecordShape, of record: RecordKey) {
    // Not `UInt`, which has 32 bits on Apple Watch: the factors do not fit it.
    let shape = UInt64(UInt(bitPattern: ObjectIdentifier(fields))) &* 0xC2B2_AE3D_27D4_EB4F
    sum &+= ((record.identity.hash ^ shape) &* 0x9E37_79B9_7F4A_7C15) | 1
  }

  /// Adds the fields of another list.
  mutating func formUnion(_ other: FieldsFingerprint) { sum &+= other.sum }
}
