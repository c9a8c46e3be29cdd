#!/bin/sh
# Makes what compose.yaml needs and no repository holds: .env with settings, secrets/ with passwords and
# keys, agents/guide with a first agent. What is there already stays as it is.
#   sh deploy/compose/init.sh                    to try it, with stand-ins and no key
#   sh deploy/compose/init.sh svc.example.com    for visitors, under this name
set -eu
cd "$(dirname "$0")/../.."

if [ ! -e .env ]; then
  if [ $# -eq 0 ]; then
    cp deploy/compose/rehearsal.env .env
  else
    sed "s/^DOMAIN=.*/DOMAIN=$1/" deploy/compose/production.env >.env
  fi
fi

# Others are kept out by the folder. The files must be readable: in a container another user reads them.
mkdir -p secrets
chmod 700 secrets
random() { head -c "$1" /dev/urandom | od -An -tx1 | tr -d ' \n'; }
keep() { [ -e "secrets/$1" ] || printf '%s\n' "$2" >"secrets/$1"; chmod 644 "secrets/$1"; }
keep postgres-password "$(random 24)"
keep database-url "postgres://svc:$(random 24)@db:5432/svc"
keep export-database-url "postgres://svc_export:$(random 24)@db:5432/svc"
keep secret-keys "k1:$(head -c 32 /dev/urandom | base64)"
keep model-key 'the key of your model'
keep livekit-secret "$(random 32)"

if [ ! -e agents/guide ]; then
  mkdir -p agents
  cp -r server/src/agents/example agents/guide
fi

if grep -q '^COMPOSE_PROFILES=rehearsal' .env; then
  echo 'Ready: docker compose up, then open https://localhost'
else
  echo 'Fill in .env and secrets/model-key, then: docker compose up --detach'
fi
