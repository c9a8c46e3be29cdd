"""Reads a request per line and says for each whether both of its signatures are right."""

import base64
import hashlib
import hmac
import json
import sys


def is_signed(secret, headers, body):
    plain = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    standard = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return hmac.compare_digest(plain, headers["x-webhook-signature"]) and any(
        hmac.compare_digest(standard, one) for one in headers["webhook-signature"].split(" ")
    )


for line in sys.stdin:
    request = json.loads(line)
    body = base64.b64decode(request["body"])
    print("true" if is_signed(request["secret"], request["headers"], body) else "false")
