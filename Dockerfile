# The server, installed from its wheel and nothing else: docker build -t botarena . && docker run -p 8000:8000 botarena
#
# The base is named by its exact version. Renew it by hand; the packages are in deploy/*.lock, which `make lock` renews.

FROM python:3.12.11-slim-bookworm AS build
WORKDIR /source
COPY deploy/build.lock deploy/build.lock
RUN pip install --no-cache-dir --require-hashes -r deploy/build.lock
COPY pyproject.toml README.md LICENSE ./
COPY botarena botarena
COPY games games
COPY client_sdk client_sdk
COPY server server
COPY maps maps
RUN pip wheel --no-deps --no-build-isolation --wheel-dir /wheel .

FROM python:3.12.11-slim-bookworm
RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap tini \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --no-create-home botarena \
    && mkdir /data /secret \
    && chown botarena /data /secret
COPY deploy/requirements.lock /deploy/requirements.lock
RUN pip install --no-cache-dir --require-hashes -r /deploy/requirements.lock
COPY --from=build /wheel /wheel
RUN pip install --no-cache-dir --no-index --no-deps /wheel/*.whl && pip check
USER botarena
WORKDIR /data
ENV BOTARENA_HOST=0.0.0.0 \
    BOTARENA_PORT=8000 \
    BOTARENA_DATA_DIR=/data \
    PYTHONUNBUFFERED=1
EXPOSE 8000
VOLUME /data
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f\"http://127.0.0.1:{os.environ['BOTARENA_PORT']}/healthz\", timeout=2)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["tini", "--"]
CMD ["botarena", "serve"]
