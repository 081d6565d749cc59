# The container image of gobonnie: docker build -t gobonnie . && docker run --rm --user "$(id -u)" -v /mnt/disk:/disk gobonnie quick /disk
FROM --platform=$BUILDPLATFORM node:26-trixie-slim AS package
WORKDIR /source
COPY . .
RUN npm ci && npm pack --pack-destination /tmp && npm install --global --prefix /package /tmp/gobonnie-*.tgz

# Runs no command, so an image for another processor needs no emulator.
FROM node:26-trixie-slim
COPY --from=package /package /usr/local
USER node
ENTRYPOINT ["gobonnie"]
