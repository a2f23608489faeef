"""REST of identity."""

from fastapi import APIRouter

from bailiwick.identity.endpoints import auth, federation, identities, providers, tokens, users

router = APIRouter()
for part in (auth, federation, identities, users, tokens, providers):
    router.include_router(part.router)
