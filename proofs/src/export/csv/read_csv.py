"""Reads CSV files from standard input: each is a length of four bytes and the file. Answers each
with its rows as one line of JSON.

The csv module is used as it comes, but for one setting: it refuses a cell of more than 131,072
characters until told otherwise."""

import csv
import io
import json
import struct
import sys

csv.field_size_limit(2**30)

while header := sys.stdin.buffer.read(4):
    (length,) = struct.unpack(">I", header)
    text = sys.stdin.buffer.read(length).decode("utf-8-sig")
    try:
        answer = {"rows": list(csv.reader(io.StringIO(text, newline="")))}
    except csv.Error as error:
        answer = {"error": str(error)}
    print(json.dumps(answer), flush=True)
