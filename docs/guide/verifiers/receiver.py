import json
import os
import sqlite3
from http.server import BaseHTTPRequestHandler, HTTPServer

from verify import verify_signature

SECRETS = os.environ["SVC_WEBHOOK_SECRET"].split(" ")
copy = sqlite3.connect(os.environ.get("SVC_COPY", "sessions.db"))
copy.execute("CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, session TEXT)")


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        raw_body = self.rfile.read(int(self.headers["Content-Length"]))
        if not verify_signature(raw_body, self.headers, SECRETS):
            return self.answer(401)
        session = json.loads(raw_body)["data"]
        with copy:
            copy.execute(
                "INSERT INTO sessions VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET session = excluded.session",
                (session["id"], json.dumps(session)),
            )
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


HTTPServer(("", int(os.environ.get("PORT", "8000"))), Receiver).serve_forever()
