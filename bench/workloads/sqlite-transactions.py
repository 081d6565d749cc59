"""Prints the seconds that SQLite needs for 300 transactions: python3 sqlite-transactions.py DATABASE JOURNAL_MODE SYNCHRONOUS.

Each transaction inserts one row and updates another. As in the model, they take at least 2 s, because a log that has
grown for 1,000 pages is written again from its start.
"""
import random
import sqlite3
import sys
import time

TRANSACTIONS = 300
MIN_SECONDS = 2
ROWS = 5000

database, journal_mode, synchronous = sys.argv[1:]
connection = sqlite3.connect(database, isolation_level=None)
connection.execute(f"pragma journal_mode={journal_mode}")
connection.execute(f"pragma synchronous={synchronous}")
connection.execute("create table events (id integer primary key, name text, text text)")
connection.execute("create index events_by_name on events (name)")
draw = random.Random(1)


def insert(text):
    connection.execute("insert into events (name, text) values (?, ?)", (f"{draw.random():.12f}", text))


connection.execute("begin")
for _ in range(ROWS):
    insert("x" * 100)
connection.execute("commit")
connection.execute("pragma wal_checkpoint(truncate)")

transactions = 0
start = time.perf_counter()
while transactions < TRANSACTIONS or time.perf_counter() - start < MIN_SECONDS:
    connection.execute("begin immediate")
    insert("y" * 100)
    connection.execute("update events set text = ? where id = ?", ("z" * 100, draw.randrange(1, ROWS)))
    connection.execute("commit")
    transactions += 1
print((time.perf_counter() - start) / transactions * TRANSACTIONS)
