<?php

/** By X-Webhook-Signature: $_SERVER['HTTP_X_WEBHOOK_SIGNATURE']. $rawBody is file_get_contents('php://input'). */
function verify_signature(string $rawBody, string $given, array $secrets): bool
{
    foreach ($secrets as $secret) {
        if (hash_equals(hash_hmac('sha256', $rawBody, $secret), $given)) {
            return true;
        }
    }
    return false;
}

/** By the headers of Standard Webhooks, which also tell when it was sent: HTTP_WEBHOOK_ID and so on. */
function verify_standard(string $rawBody, string $id, string $sentAt, string $given, array $secrets, ?int $now = null): bool
{
    if (!ctype_digit($sentAt) || abs(($now ?? time()) - (int) $sentAt) > 300) {
        return false;
    }
    foreach ($secrets as $secret) {
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$sentAt.$rawBody", $key, true));
        foreach (explode(' ', $given) as $one) {
            if (hash_equals($expected, $one)) {
                return true;
            }
        }
    }
    return false;
}
