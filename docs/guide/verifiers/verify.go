package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// Headers is what http.Header is.
type Headers interface{ Get(name string) string }

// VerifySignature checks X-Webhook-Signature. Name all secrets that may be in use.
func VerifySignature(rawBody []byte, headers Headers, secrets ...string) bool {
	for _, secret := range secrets {
		expected := hex.EncodeToString(sign([]byte(secret), rawBody))
		if hmac.Equal([]byte(headers.Get("X-Webhook-Signature")), []byte(expected)) {
			return true
		}
	}
	return false
}

// VerifyStandard checks the headers of Standard Webhooks, which also tell when it was sent.
func VerifyStandard(rawBody []byte, headers Headers, now time.Time, secrets ...string) bool {
	id, sentAt := headers.Get("Webhook-Id"), headers.Get("Webhook-Timestamp")
	secs, err := strconv.ParseInt(sentAt, 10, 64)
	if age := now.Unix() - secs; err != nil || age > 300 || age < -300 {
		return false
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil {
			continue
		}
		signed := sign(key, []byte(id+"."+sentAt+"."), rawBody)
		expected := "v1," + base64.StdEncoding.EncodeToString(signed)
		for _, given := range strings.Split(headers.Get("Webhook-Signature"), " ") {
			if hmac.Equal([]byte(given), []byte(expected)) {
				return true
			}
		}
	}
	return false
}

func sign(key []byte, parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		mac.Write(part)
	}
	return mac.Sum(nil)
}
