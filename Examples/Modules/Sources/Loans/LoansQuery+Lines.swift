import SharedFragments

extension LoansQuery.Data {
  /// One line for each book that is not back yet.
  public var lines: [String] {
    loans.map(\.fragments.loanDetails).filter { !$0.returned }.map { loan in
      "\(loan.book.fragments.bookSummary.line), due \(loan.due)"
    }
  }
}
