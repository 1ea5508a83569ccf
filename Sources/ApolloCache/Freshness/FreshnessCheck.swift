internal import ApolloAPI
internal import struct Foundation.Date

/// The ages of what a reading has read.
struct FreshnessReport: Sendable {
  /// The time at which the oldest field was written, in seconds since 1970, or `nil` if it is not
  /// known of some. Infinity if there is none. A clock that was set back makes it later than now.
  var oldest: Double? = .infinity
  /// The time at which the latest field was written. If it is after the present, a clock was ahead
  /// or was set back, and the time says nothing about the age.
  private var latest = -Double.infinity
  /// The time at which the first field expires, or `nil` if none has a limit.
  var earliestExpiry: Double?
  /// The first expiry among the fields whose maximum age is not zero.
  var earliestRenewableExpiry: Double?

  /// Returns whether a reading is as fresh as demanded.
  func satisfies(_ demand: FreshnessDemand, at now: Double) -> Bool {
    if let maxAge = demand.maxAge?.seconds {
      guard let oldest, !isFromFuture(at: now), now - oldest <= maxAge else { return false }
    }
    guard let earliestExpiry else { return true }
    return now < earliestExpiry + demand.maxStale.seconds
  }

  /// Indicates whether some field seems to be from the future.
  func isFromFuture(at now: Double) -> Bool { WriteFacts.isFuture(latest, at: now) }

  /// The report as a part of a response.
  ///
  /// `renewable`: The report of the fields that a fetch can renew, or `nil` for all.
  func freshness(
    at now: Double, _ demand: FreshnessDemand, renewable: FreshnessReport? = nil
  ) -> ResponseFreshness {
    ResponseFreshness(
      readTime: now, writeTime: oldest.map { min($0, now) }, expiryTime: earliestExpiry,
      renewableExpiryTime: (renewable ?? self).renewableExpiry(at: now, demand),
      containsStaleFields: !satisfies(demand, at: now))
  }

  /// Returns the first expiry that a fetch can change, also by the maximum age that is demanded.
  private func renewableExpiry(at now: Double, _ demand: FreshnessDemand) -> Double? {
    guard let maxAge = demand.maxAge?.seconds, maxAge > 0, oldest != .infinity else {
      return earliestRenewableExpiry
    }
    let time = isFromFuture(at: now) ? nil : oldest
    let expiry = time.map { $0 + maxAge } ?? -.infinity
    return min(earliestRenewableExpiry ?? expiry, expiry)
  }

  /// Takes the time of a write into account.
  fileprivate mutating func note(time: Double) {
    oldest = min(oldest ?? time, time)
    latest = max(latest, time)
  }

  /// Takes a field into account.
  fileprivate mutating func note(expiry: Double, limit: Double) {
    earliestExpiry = min(earliestExpiry ?? expiry, expiry)
    if limit > 0 { earliestRenewableExpiry = min(earliestRenewableExpiry ?? expiry, expiry) }
  }
}

/// Compares the writes of all fields that a reading has read with their limits.
struct FreshnessCheck {
  /// The origin of the fields.
  enum Kind: Equatable {
    case reading
    /// The latest event of a subscription, whose root fields are from it.
    case event(WriteFacts?)
    /// A response, which has no value for deferred fields that are still to come.
    case response
    /// A response that is not in the cache. Optimistic data is no part of it.
    case unwritten
  }

  private let snapshot: LedgerSnapshot
  private let tracker: FreshnessTracker
  private let kind: Kind
  private let limits: FreshnessLimits
  private let entries: [Dependencies.Entry]
  private let layouts: [RecordLayout]
  /// Optimistic data, which is as new as the moment, and responses that wait for others.
  private let effects: LayerEffects?
  /// The fields that the cache does not have, or that have failed. Nothing of them is shown, so
  /// they have no age.
  private let missing: Set<FieldAddress>
  private let now: Double

  init(
    _ dependencies: Dependencies, of kind: Kind, root: ObjectPosition,
    _ snapshot: LedgerSnapshot, _ tracker: FreshnessTracker, rules: MaxAges,
    defaultMaxAge: Duration?, effects: LayerEffects?, missing: Set<FieldAddress>, now: Double
  ) {
    self.missing = missing
    self.snapshot = snapshot
    self.tracker = tracker
    self.kind = kind
    self.effects = effects
    self.now = now
    entries = dependencies.entries
    layouts = entries.layouts
    limits = FreshnessLimits(
      root: root, layouts: layouts,
      recordPositions: tracker.recordPositions.inserting(layouts.lazy.map(\.positionIdentity)),
      rules: rules, defaultMaxAge: defaultMaxAge)
  }

  /// Returns the oldest field and the first expiry. `whole` is the write that has written exactly
  /// these fields, if there is one.
  ///
  /// - Complexity: O(*n*) in the number of records, and of the fields of those that several writes
  ///   have written.
  func report(_ whole: WholeWrite? = nil) -> FreshnessReport {
    var report = FreshnessReport()
    var isUnknown = false
    var entries = entries
    if let whole, effects == nil {
      var layouts = layouts
      if whole.replaced.isEmpty {
        entries = []
      } else {
        layouts = entries.lazy.filter { !whole.isReplaced($0.record) }.layouts
        entries = entries.filter { whole.isReplaced($0.record) }
      }
      if !layouts.isEmpty {
        let time = whole.facts.time
        report.note(time: time)
        let known = KnownLimits(layouts, limits)
        for limit in known.limits(with: whole.facts) {
          report.note(expiry: expiry(whole.facts, limit), limit: limit)
        }
      }
    }
    forEachField(of: entries) { _, _, facts, limit in
      if let time = facts?.time {
        report.note(time: time)
      } else {
        isUnknown = true
      }
      guard let limit = Self.limit(limit, facts) else { return true }
      report.note(expiry: expiry(facts, limit), limit: limit)
      return true
    }
    if isUnknown { report.oldest = nil }
    return report
  }

  /// Returns the time at which a field expires. It has expired if its write is not known, or seems
  /// to be from the future.
  private func expiry(_ facts: WriteFacts?, _ limit: Double) -> Double {
    guard let facts, !facts.isFuture(at: now) else { return -.infinity }
    return facts.time + limit
  }

  /// Returns the fields that are not as fresh as demanded, as misses: at most ``maximumMissCount``
  /// of those with the strictest limits, or all of them.
  func misses(_ demand: FreshnessDemand, areAll: Bool = false) -> [CacheMiss] {
    var misses: [CacheMiss] = []
    forEachField(of: entries, visitsAll: areAll) { record, field, facts, limit in
      let isTooOld = demand.maxAge.map { maxAge in
        facts.map { $0.isFuture(at: now) || now - $0.time > maxAge.seconds } ?? true
      }
      let limit = Self.limit(limit, facts)
      let isStale = limit.map { now >= expiry(facts, $0) + demand.maxStale.seconds }
      guard isTooOld ?? false || isStale ?? false else { return true }
      var miss = CacheMiss(
        .expired, path: [], address: FieldAddress(record: record, field: field.key))
      miss.writtenAt = facts.map { Date(timeIntervalSince1970: $0.time) }
      miss.maxAge = (isStale ?? false ? limit : demand.maxAge?.seconds).map { .seconds($0) }
      misses.append(miss)
      return areAll || misses.count < maximumMissCount
    }
    return misses
  }

  private static func limit(_ limit: Double?, _ facts: WriteFacts?) -> Double? {
    guard let maxAge = facts?.maxAge else { return limit }
    return limit.map { min($0, maxAge) } ?? maxAge
  }

  /// Visits each field of records that were read, or for a record that is from one write, the
  /// fields with the strictest limits, unless all are visited. Ends when `body` returns `false`.
  private func forEachField(
    of entries: [Dependencies.Entry], visitsAll: Bool = false,
    _ body: (RecordKey, RecordField, WriteFacts?, _ limit: Double?) -> Bool
  ) {
    guard !entries.isEmpty else { return }
    let ledger = tracker.sorted(snapshot).ledger
    var facts = RecentFacts()
    var recordKind: RecordKind?
    for entry in entries {
      guard let layout = entry.layout else { continue }
      let ages = effects?.ages(of: entry.record)
      if recordKind?.layout !== layout {
        recordKind = RecordKind(layout, limits.limits(of: layout))
      }
      guard let recordKind else { continue }  // just made
      if isMissing(entry.record, .typename) { continue }
      let writes = ledger.writes(of: entry.record)
      if ages == nil, !visitsAll, case .one(let shape, let id)? = writes,
        layout.shape.isKnown(as: shape),
        !recordKind.decisive.contains(where: { isMissing(entry.record, layout.fields[$0].key) })
      {
        let facts = facts.facts(about: id, in: ledger)
        for index in recordKind.decisive {
          guard body(entry.record, layout.fields[index], facts, recordKind.limits?[index])
          else { return }
        }
        continue
      }
      for (index, field) in layout.fields.enumerated() where field.key != .typename {
        // Its write may be known: the one from before it failed, or was removed.
        if isMissing(entry.record, field.key) { continue }
        if entry.record == .subscriptionRoot, case .event(let facts) = kind {
          guard body(entry.record, field, facts, recordKind.limits?[index]) else { return }
          continue
        }
        switch ages?[field.key] {
        case .current: continue
        case .written(let facts):
          guard body(entry.record, field, facts, recordKind.limits?[index]) else { return }
          continue
        case nil: break
        }
        let write = writes?[field.key]
        // A field that no response has written leads to its objects by a policy of its arguments.
        if write == nil, field.lookup != nil { continue }
        if write == nil, kind == .response, layout.layout.fields[index].isDeferred { continue }
        let known = write.flatMap { facts.facts(about: $0, in: ledger) }
        guard body(entry.record, field, known, recordKind.limits?[index]) else { return }
      }
    }
  }
}

extension FreshnessCheck {
  /// Returns whether the cache has no such field; for `__typename`, no such record.
  private func isMissing(_ record: RecordKey, _ field: FieldKey) -> Bool {
    !missing.isEmpty && missing.contains(FieldAddress(record: record, field: field))
  }
}

/// The limits of the records of one layout.
private struct RecordKind {
  let layout: RecordLayout
  let limits: [Double?]?
  /// The indices of the field with the strictest limit, or of any field if none has one, and of the
  /// field with the strictest positive limit, if that is another one.
  let decisive: [Int]

  init(_ layout: RecordLayout, _ limits: [Double?]?) {
    self.layout = layout
    self.limits = limits
    func strictest(_ isIncluded: (Double) -> Bool) -> Int? {
      limits?.indices.filter { limits?[$0].map(isIncluded) ?? false }
        .min { (limits?[$0] ?? .infinity) < (limits?[$1] ?? .infinity) }
    }
    guard let first = strictest({ _ in true }) ?? layout.fields.indices.last else {
      decisive = []  // all fields of the selection are excluded
      return
    }
    let isZero = limits?[first].map { $0 <= 0 } ?? false
    decisive = [first] + (isZero ? [strictest { $0 > 0 }].compactMap { $0 } : [])
  }
}

/// The limits of all fields of some layouts.
private struct KnownLimits {
  private var least: Double?
  private var leastPositive: Double?
  /// Indicates whether a field has no limit but that of the server.
  private var areIncomplete = false

  init(_ layouts: [RecordLayout], _ limits: FreshnessLimits) {
    for layout in layouts {
      let limits = limits.limits(of: layout)
      for (index, field) in layout.fields.enumerated() where field.key != .typename {
        guard let limit = limits?[index] else {
          areIncomplete = true
          continue
        }
        least = min(least ?? limit, limit)
        if limit > 0 { leastPositive = min(leastPositive ?? limit, limit) }
      }
    }
  }

  /// The limits that decide when fields expire that one write has written.
  func limits(with facts: WriteFacts) -> [Double] {
    var limits = [least, leastPositive].compactMap { $0 }
    if areIncomplete { limits.append(.infinity) }
    return limits.map { min($0, facts.maxAge ?? .infinity) }.filter { $0 < .infinity }
  }
}

/// The latest facts that were looked up, because records one after the other often have one write.
private struct RecentFacts {
  private var latest: (id: WriteID, facts: WriteFacts?)?

  mutating func facts(about id: WriteID, in ledger: FreshnessLedger) -> WriteFacts? {
    if let latest, latest.id == id { return latest.facts }
    let facts = ledger.facts(about: id)
    latest = (id, facts)
    return facts
  }
}

extension RecordShape {
  /// Returns whether another shape has all fields of this one.
  fileprivate func isKnown(as other: RecordShape) -> Bool {
    self === other || fields.allSatisfy { $0 == .typename || other.position(of: $0) != nil }
  }
}

extension Sequence<Dependencies.Entry> {
  /// The layouts of the records.
  fileprivate var layouts: [RecordLayout] {
    var layouts: [ObjectIdentifier: RecordLayout] = [:]
    var latest: RecordLayout?
    for case let layout? in lazy.map(\.layout) where layout !== latest {
      layouts[ObjectIdentifier(layout)] = layout
      latest = layout
    }
    return Array(layouts.values)
  }
}
