"""A book that many machines write: its log lies in a PostgreSQL database, and what is a machine's own in the work folder.

    address.py     postgresql://…?scenario=NAME, without a secret
    server.py      a connection that comes back, and what its errors mean
    schema.py      the tables, in numbered migrations; books are made and set here
    log.py         the log as a stream of lines
    shelf.py       what one process knows of the book's head, of runs, texts and claims; the append
    book.py        the book of a step: the shelf beside this machine's rules files and records
    transfer.py    a log out of a folder, and into one

Nothing here is imported unless an address is named: psycopg is an extra.
"""
