# Stand-ins for what the server talks to, for the profile `rehearsal` of compose.yaml: in text, without
# the models that hear and speak.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim
FROM ${NODE_IMAGE} AS stand-ins
WORKDIR /svc
COPY package.json package-lock.json .npmrc ./
COPY console/package.json console/
COPY contract/package.json contract/
COPY proofs/package.json proofs/
COPY rehearsal/package.json rehearsal/
COPY sdk/package.json sdk/
COPY server/package.json server/
COPY tools/package.json tools/
RUN npm ci --workspace @svc/rehearsal --ignore-scripts --no-audit --no-fund \
 && rm -rf node_modules/onnxruntime-* node_modules/@echogarden
COPY contract contract
COPY rehearsal rehearsal
USER 10001:10001
ARG SVC_COMMIT
ENV SVC_COMMIT=${SVC_COMMIT}
CMD ["node", "rehearsal/src/main.ts", "--help"]
