// Reads a request per line and says for each whether both of its signatures are right.
package main

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"
)

type request struct {
	Secret  string
	Headers map[string]string
	Body    []byte
}

func sum(key []byte, parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		mac.Write(part)
	}
	return mac.Sum(nil)
}

func (r request) isSigned() bool {
	plain := hex.EncodeToString(sum([]byte(r.Secret), r.Body))
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(r.Secret, "whsec_"))
	if err != nil || !hmac.Equal([]byte(plain), []byte(r.Headers["x-webhook-signature"])) {
		return false
	}
	head := r.Headers["webhook-id"] + "." + r.Headers["webhook-timestamp"] + "."
	standard := "v1," + base64.StdEncoding.EncodeToString(sum(key, []byte(head), r.Body))
	for _, one := range strings.Split(r.Headers["webhook-signature"], " ") {
		if hmac.Equal([]byte(standard), []byte(one)) {
			return true
		}
	}
	return false
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r request
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.isSigned())
	}
}
