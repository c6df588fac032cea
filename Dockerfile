# The HTTP server in a container, and as a Hugging Face Space: docs/http.md has the recipe.
FROM python:3.11-slim AS build
WORKDIR /build
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY releaseops_mcp releaseops_mcp
RUN python -m venv /venv \
 && /venv/bin/pip install --no-cache-dir --constraint constraints.txt '.[postgres]'

FROM python:3.11-slim
RUN useradd --create-home --uid 1000 arena
COPY --from=build /venv /venv
WORKDIR /home/arena
COPY server.py ./
USER 1000
# A Space names itself in SPACE_HOST, RELEASEOPS_ALLOWED_HOSTS names other hosts; without either, only
# http://localhost reaches a published port.
ENV PATH="/venv/bin:$PATH" \
    PYTHONUNBUFFERED=1 \
    HOST=0.0.0.0 \
    PORT=7860 \
    SPACE_HOST=localhost
EXPOSE 7860
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "import os, urllib.request as web; web.urlopen('http://127.0.0.1:' + os.environ['PORT'] + '/health', timeout=4)"]
CMD ["python", "server.py"]
