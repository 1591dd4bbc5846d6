# The server, installed from its wheel and nothing else: docker build -t botarena . && docker run -p 8000:8000 botarena

FROM python:3.12-slim AS build
WORKDIR /source
RUN pip install --no-cache-dir build
COPY pyproject.toml README.md LICENSE ./
COPY games games
COPY client_sdk client_sdk
COPY server server
COPY maps maps
RUN python -m build --wheel --outdir /wheel

FROM python:3.12-slim
COPY --from=build /wheel /wheel
RUN pip install --no-cache-dir "$(echo /wheel/botarena-*.whl)[postgres]" \
    && useradd --system --uid 10001 --no-create-home botarena \
    && mkdir /data \
    && chown botarena /data
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
CMD ["botarena", "serve"]
