#!/usr/bin/env bash
# Version: graphql.el 0.1.1 (elpa-graphql of Debian 12) with Emacs 28.2; graphql-core 3.3.2 judges
# the queries.
#
# Behaviour: a function of this client makes a plain list of a connection: of 'heroes { edges { node
# { name } } }' the program has the heroes. When the query asks for 'totalCount' or 'pageInfo'
# beside the edges, the response is left as it is, with edges and nodes. Cursors of edges are
# dropped. In a query, a text is written in quotes, and a text within a list without: '["5"]'
# becomes '[5]', and '["Leia"]' the value of an enum. nil is written as 'nil', a list of objects
# raises an error, and a quote within a text ends it.
#
# Seen: "edges: Leia Luke; with totalCount: edges kept; with pageInfo: edges kept; with cursors:
# Leia Luke; text: valid; list of ids: valid; list of texts: not valid; nil: not valid; null: valid;
# list of objects: error; quote: not valid".
#
# Why it surprises: a field that is added to a query takes nothing away from what was there, and
# here the loop over the heroes gets an entry for the count and one for all edges. A page has to be
# asked for with 'pageInfo', so that whoever begins to read the second page loses the first one's
# form. Lists of ids with digits and lists of enums work, and so does a text, so that the rule for
# texts seems to be known.
#
# Source: GraphQL specification, 2.9.4 (strings) and 2.9.6 (enums); Relay's specification of cursor
# connections (a connection has edges and pageInfo); graphql.el, graphql-simplify-response-edges (an
# object whose only field is 'edges') and graphql--encode-argument-value (items of a vector are
# encoded as fields).
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

debian_program emacs "emacs-nox=28.2 elpa-graphql=0.1.1"
python_packages graphql-core==3.3.2
cat >"$folder/client.el" <<'END'
(require 'graphql)

(defun show (name response)
  (let ((heroes (cdar (graphql-simplify-response-edges response))))
    (princ (format "%s: %s\n" name
                   (if (assq 'edges heroes) "edges kept"
                     (mapconcat (lambda (hero) (alist-get 'name hero)) heroes " "))))))

(show "edges" '((heroes (edges ((node (name . "Leia"))) ((node (name . "Luke")))))))
(show "with totalCount" '((heroes (totalCount . 2) (edges ((node (name . "Leia"))) ((node (name . "Luke")))))))
(show "with pageInfo" '((heroes (edges ((node (name . "Leia")))) (pageInfo (hasNextPage . t)))))
(show "with cursors" '((heroes (edges ((cursor . "a") (node (name . "Leia"))) ((cursor . "b") (node (name . "Luke")))))))
(dolist (arguments '(("text" (text . "Leia")) ("list of ids" (ids . ["5"])) ("list of texts" (texts . ["Leia"]))
                     ("nil" (text . nil)) ("null" (text . null)) ("list of objects" (at . [((lat . 1) (lon . 2))]))
                     ("quote" (text . "the \"Chosen\" one"))))
  (princ (format "%s: %s\n" (car arguments)
                 (condition-case nil
                     (replace-regexp-in-string
                      "\n" " " (graphql-encode `(query (hero :arguments ,(cdr arguments) name))))
                   (error "error")))))
END
emacs --batch --quick -L /usr/share/emacs/site-lisp/elpa-src/graphql-0.1.1 --load "$folder/client.el" >"$folder/lines" 2>/dev/null
seen=$(python - "$folder/lines" <<'END'
import sys

from graphql import GraphQLError, build_schema, parse, validate

schema = build_schema("""
  type Query { hero(text: String, ids: [ID!], texts: [String!], at: [Place!]): Hero }
  type Hero { name: String }
  input Place { lat: Int lon: Int }
""")

def judge(text):
    if not text.startswith("query{"):
        return text
    try:
        return "not valid" if validate(schema, parse(text)) else "valid"
    except GraphQLError:
        return "not valid"

lines = [line.rstrip("\n").partition(": ") for line in open(sys.argv[1])]
print("; ".join(f"{name}: {judge(text)}" for name, _, text in lines))
END
)
expect "Responses and queries" "$seen" \
  "edges: Leia Luke; with totalCount: edges kept; with pageInfo: edges kept; with cursors: Leia Luke; text: valid; list of ids: valid; list of texts: not valid; nil: not valid; null: valid; list of objects: error; quote: not valid"
