"""Writes the database that datasette serves.

    python make_database.py FILE
"""

import sqlite3
import sys

with sqlite3.connect(sys.argv[1]) as connection:
    connection.execute("create table heroes (id integer primary key, name text not null)")
    connection.execute("insert into heroes values (1, 'R2-D2'), (2, 'Luke')")
