// A pager has a client and queries, so a program that imports this module needs those too.
@_exported public import Apollo
