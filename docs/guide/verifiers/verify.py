import base64
import hashlib
import hmac
import time


def verify_signature(raw_body, headers, secrets):
    """By X-Webhook-Signature. raw_body is bytes, secrets are all that may be in use."""
    given = headers.get("X-Webhook-Signature") or ""
    return any(
        same(given, hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest())
        for secret in secrets
    )


def verify_standard(raw_body, headers, secrets, now=None):
    """By the headers of Standard Webhooks, which also tell when it was sent."""
    event_id, sent_at = headers.get("webhook-id") or "", headers.get("webhook-timestamp") or ""
    if not sent_at.isdecimal() or abs((now or time.time()) - int(sent_at)) > 300:
        return False
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        signed = hmac.new(key, f"{event_id}.{sent_at}.".encode() + raw_body, hashlib.sha256)
        expected = "v1," + base64.b64encode(signed.digest()).decode()
        if any(same(given, expected) for given in (headers.get("webhook-signature") or "").split(" ")):
            return True
    return False


def same(given, expected):
    return hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode())
