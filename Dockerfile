# The HTTP service with the offline pipeline: no key, no model hub, no torch.
#   docker build -t grapheval . && docker run --rm -p 127.0.0.1:8000:8000 grapheval
FROM python:3.12-slim AS build
WORKDIR /src
RUN python -m venv /opt/grapheval
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY shared/grapheval shared/grapheval
COPY langchain_grapheval langchain_grapheval
COPY llamaindex_grapheval llamaindex_grapheval
RUN /opt/grapheval/bin/pip install --no-cache-dir -c constraints.txt ".[local,serve,mcp]"

FROM python:3.12-slim
COPY --from=build /opt/grapheval /opt/grapheval
ENV PATH=/opt/grapheval/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
USER 65534:65534
WORKDIR /tmp
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
# Inside the container every address is its own; what can be reached from outside is what -p publishes. Port and names
# are fixed, so that no page can use it under a name of its own; another name is one more --allow-host.
ENTRYPOINT ["grapheval", "serve", "--host", "0.0.0.0", "--allow-host", "localhost", "--allow-host", "127.0.0.1"]
