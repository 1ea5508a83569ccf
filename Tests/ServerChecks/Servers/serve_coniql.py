"""Serves coniql, whose own command knows no port.

    python serve_coniql.py PORT
"""

import sys

from aiohttp import web
from coniql.app import create_app

web.run_app(
    create_app(use_cors=False, debug=False, graphiql=False), host="127.0.0.1", port=int(sys.argv[1]), print=None)
