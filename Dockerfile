# The server as an image: `docker build -t svc .` for every role, with conversations in text;
# `docker build --target voice -t svc:voice .` adds what conversations by voice need.
# docs/operate/image.md says how to run it. Any image with Debian's C library can be the base.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim
ARG DEBIAN_IMAGE=docker.io/library/debian:bookworm-slim

# Only what decides about packages, so that a change of the code does not install them again.
FROM ${NODE_IMAGE} AS packages
WORKDIR /svc
COPY package.json package-lock.json .npmrc tsconfig.base.json ./
COPY console/package.json console/
COPY contract/package.json contract/
COPY proofs/package.json proofs/
COPY rehearsal/package.json rehearsal/
COPY sdk/package.json sdk/
COPY server/package.json server/
COPY tools/package.json tools/

# The console's packages are needed for building only, and by nothing else.
FROM packages AS console
RUN npm ci --workspace=console --ignore-scripts --no-audit --no-fund
COPY contract contract
COPY console console
RUN node console/build/build.ts

FROM packages AS build
COPY patches patches
RUN npm ci --omit=dev --no-audit --no-fund
COPY contract contract
COPY sdk sdk
COPY server server
COPY tools/src/sbom.ts tools/src/
RUN node sdk/build/build.ts && node tools/src/sbom.ts >sbom.cdx.json
# What only building needs, and types and maps, which nothing reads at run time. The compiler comes with
# a checker of exceptions, of which the engine of conversations uses another part.
RUN cd node_modules \
 && rm -rf .cache rolldown @rolldown @oxc-project patch-package typescript @typescript \
 && find . -xtype l -delete \
 && find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \) -delete \
 && rm -rf fluent-ffmpeg/coverage \
 && mkdir -p /voice/@livekit && mv @livekit/local-inference* /voice/@livekit/ \
 && mkdir -p /image/svc /image/usr/local/bin \
 && cd .. && mv node_modules contract server package.json sbom.cdx.json /image/svc/ \
 && mkdir /image/svc/sdk /image/svc/console && mv sdk/dist sdk/package.json /image/svc/sdk/ \
 && cp "$(command -v node)" /image/usr/local/bin/node \
 && chmod 755 /image/svc/server/src/operator/cli.ts \
 && ln -s /svc/server/src/operator/cli.ts /image/usr/local/bin/svc

FROM ${DEBIAN_IMAGE} AS base
COPY --from=build /image /
COPY --from=console /svc/console/dist /svc/console/dist
# A name for the user: tools that ask whose the process is fail without one.
RUN echo 'svc:x:10001:10001::/svc:/usr/sbin/nologin' >>/etc/passwd && echo 'svc:x:10001:' >>/etc/group
WORKDIR /svc
USER 10001:10001
# The operations port must be reached from outside the container; publish it to nobody else.
ENV NODE_ENV=production SVC_OPS_HOST=0.0.0.0 PATH=/usr/local/bin:/usr/bin:/bin
ARG SVC_COMMIT
ENV SVC_COMMIT=${SVC_COMMIT}
EXPOSE 8080 9464
# Of the process itself. Whether it can serve is /readyz: a database that is away is no reason to restart it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.SVC_OPS_PORT || 9464}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/src/main.ts"]

FROM base AS voice
COPY --from=build /voice /svc/node_modules

# The last one is what a build without --target makes.
FROM base AS svc
