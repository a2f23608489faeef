"""Servers' lists of models, as their documentation shows them, on loopback."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "canary-key-of-the-list"
Documents = Mapping[str, Any]  # by method and path with its query; a number is a status

OPENAI: Documents = {
    "GET /v1/models": {
        "object": "list",
        "data": [
            {"id": "gpt-5.4-mini", "object": "model", "created": 1, "owned_by": "system"},
            {"id": "gpt-nobody-knows", "object": "model", "created": 1, "owned_by": "system"},
            {"id": "text-embedding-3-small", "object": "model", "created": 1, "owned_by": "system"},
        ],
    }
}
ANTHROPIC: Documents = {
    "GET /v1/models?limit=100": {
        "data": [{"type": "model", "id": "claude-haiku-4-5", "display_name": "Claude Haiku 4.5"}],
        "has_more": True,
        "first_id": "claude-haiku-4-5",
        "last_id": "claude-haiku-4-5",
    },
    "GET /v1/models?limit=100&after_id=claude-haiku-4-5": {
        "data": [
            {
                "type": "model",
                "id": "claude-next",
                "display_name": "Claude Next",
                "max_input_tokens": 300_000,
                "max_tokens": 64_000,
            }
        ],
        "has_more": False,
        "first_id": "claude-next",
        "last_id": "claude-next",
    },
}
GOOGLE: Documents = {
    "GET /v1beta/models?pageSize=200": {
        "models": [
            {
                "name": "models/gemini-next",
                "displayName": "Gemini Next",
                "inputTokenLimit": 1_048_576,
                "outputTokenLimit": 65_536,
                "supportedGenerationMethods": ["generateContent", "countTokens"],
            }
        ],
        "nextPageToken": "two/2",
    },
    "GET /v1beta/models?pageSize=200&pageToken=two%2F2": {
        "models": [
            {"name": "models/embedding-001", "supportedGenerationMethods": ["embedContent"]},
            {"name": "models/gemma-next", "supportedGenerationMethods": ["generateContent"]},
        ]
    },
}
MISTRAL: Documents = {
    "GET /v1/models": {
        "object": "list",
        "data": [
            {
                "id": "mistral-next",
                "object": "model",
                "max_context_length": 131_072,
                "capabilities": {"completion_chat": True, "function_calling": True},
            },
            {"id": "mistral-embed", "capabilities": {"completion_chat": False}},
        ],
    }
}
OLLAMA: Documents = {
    "GET /api/tags": {"models": [{"name": "smollm2:360m", "model": "smollm2:360m", "size": 1}]},
    "POST /api/show": {
        "model_info": {"general.architecture": "llama", "llama.context_length": 8192},
        "capabilities": ["completion", "tools"],
    },
}
VLLM: Documents = {
    "GET /v1/models": {
        "object": "list",
        "data": [
            {
                "id": "Qwen/Qwen3-8B",
                "object": "model",
                "owned_by": "vllm",
                "root": "Qwen/Qwen3-8B",
                "max_model_len": 40_960,
            }
        ],
    }
}
LLAMA_CPP: Documents = {
    "GET /v1/models": {
        "object": "list",
        "data": [
            {
                "id": "SmolLM2-1.7B-Instruct-Q4_K_M.gguf",
                "object": "model",
                "owned_by": "llamacpp",
                "meta": {"n_vocab": 49_152, "n_ctx_train": 8192, "n_params": 1_711_376_384},
            }
        ],
    },
    "GET /props": {"default_generation_settings": {"n_ctx": 4096}, "total_slots": 1},
}
LM_STUDIO: Documents = {
    "GET /v1/models": {
        "object": "list",
        "data": [
            {"id": "qwen2.5-7b-instruct", "object": "model", "owned_by": "organization_owner"},
            {"id": "nomic-embed-text", "object": "model", "owned_by": "organization_owner"},
        ],
    },
    "GET /api/v0/models": {
        "object": "list",
        "data": [
            {
                "id": "qwen2.5-7b-instruct",
                "type": "llm",
                "state": "loaded",
                "max_context_length": 32_768,
                "loaded_context_length": 4096,
            },
            {"id": "nomic-embed-text", "type": "embeddings", "max_context_length": 2048},
        ],
    },
}
OPENROUTER: Documents = {
    "GET /v1/models": {
        "data": [
            {
                "id": "acme/next-1",
                "name": "Acme: Next 1",
                "context_length": 262_144,
                "pricing": {"prompt": "0.0000005", "completion": "0.000002", "request": "0"},
                "top_provider": {"context_length": 262_144, "max_completion_tokens": 32_768},
            },
            {
                "id": "openrouter/auto",
                "context_length": 2_000_000,
                "pricing": {"prompt": "-1", "completion": "-1"},
            },
        ]
    }
}
LITELLM: Documents = {
    "GET /v1/models": {
        "data": [{"id": "house-model", "object": "model", "owned_by": "openai"}],
        "object": "list",
    },
    "GET /model/info": {
        "data": [
            {
                "model_name": "house-model",
                "litellm_params": {"model": "openai/gpt-next"},
                "model_info": {
                    "max_input_tokens": 100_000,
                    "max_output_tokens": 8000,
                    "input_cost_per_token": 1e-06,
                    "output_cost_per_token": 3e-06,
                },
            }
        ]
    },
}
AZURE: Documents = {
    "GET /openai/v1/models": {
        "object": "list",
        "data": [
            {"id": "gpt-5.4-mini-2026-03-17", "capabilities": {"chat_completion": True}},
            {"id": "text-embedding-3-small", "capabilities": {"chat_completion": False}},
        ],
    }
}
AZURE_OLD: Documents = {
    "GET /openai/deployments?api-version=2023-03-15-preview": {
        "object": "list",
        "data": [{"id": "our-deployment", "model": "gpt-5.4-mini", "status": "succeeded"}],
    }
}


@dataclass
class ListServer:
    """What it was asked: each request's line, and its headers."""

    url: str
    documents: Documents
    asked: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


@contextmanager
def serving_list(documents: Documents) -> Iterator[ListServer]:
    """Serve documents; whatever else is asked for is not there."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            line = f"{self.command} {self.path}"
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            made.asked.append(line)
            made.headers.append({name.lower(): value for name, value in self.headers.items()})
            found = documents.get(line, 404)
            status, body = (found, {"error": KEY}) if isinstance(found, int) else (200, found)
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            if status in (302, 307):
                self.send_header("Location", f"{made.url}/elsewhere")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_GET  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made = ListServer(f"http://127.0.0.1:{server.server_port}", documents)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
