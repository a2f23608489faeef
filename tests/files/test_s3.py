"""Contents in a store that speaks S3."""

from datetime import timedelta

import pytest
from pydantic import SecretStr

from bailiwick import config
from bailiwick.config import Settings
from bailiwick.errors import BadConfiguration
from bailiwick.files import previews, service
from bailiwick.kit import clock
from support.office import API, opened_office
from support.s3_server import KEY_ID, REGION, SECRET, serving_bucket
from support.uploading import linked, png, send, sent

pytestmark = pytest.mark.req("FILE-04")


@pytest.mark.parametrize("key", [None, SecretStr("ab" * 32)])
async def test_files_live_in_a_bucket_and_come_back_whole_and_in_part(
    sqlite_settings: Settings, key: SecretStr | None, monkeypatch: pytest.MonkeyPatch
):
    content = b"RIFF\x00\x00\x00\x00WAVE" + b"canary" * 60_000
    with serving_bucket() as bucket:
        where = {"s3_url": bucket.url, "s3_region": REGION, "data_key": key}
        where |= {"s3_key_id": KEY_ID, "s3_secret": SecretStr(SECRET)}
        async with opened_office(sqlite_settings.model_copy(update=where)) as office:
            owner = await office.owner()
            file = await sent(owner, "a.wav", content)
            again = await sent(owner, "b.wav", content)
            assert (len(bucket.objects), bucket.asked.count("PUT")) == (1, 1), "stored once"
            assert list(office.product.blobs.names()) == []
            assert not list(office.product.blobs.folder.glob("*")), "nothing is left here"
            assert (b"canary" in b"".join(bucket.objects.values())) == (key is None)
            url = (await linked(owner, file)).json()["download_url"]
            assert (await owner.get(url)).content == content
            for start, end in ((0, 0), (65_535, 65_536), (100_000, 300_000), (360_000, 360_011)):
                part = await owner.get(url, headers={"Range": f"bytes={start}-{end}"})
                assert part.content == content[start : end + 1], (start, end)
            photo = await sent(owner, "a.png", png())
            assert await previews.make(office.product, photo["file_id"]) == "generated"
            path = f"{API}/files/{photo['file_id']}"
            seen = (await owner.get(f"{path}/preview")).json()["preview"]
            assert (await owner.get(seen["thumbnail_url"])).content[:4] == b"RIFF"
            for id in (file["file_id"], again["file_id"]):
                await owner.delete(f"{API}/files/{id}")
            await service.forget_unused(office.product)
            assert len(bucket.objects) == 3, "what is fresh is spared"
            late = clock.now() + timedelta(days=2)
            monkeypatch.setattr("bailiwick.files.service.clock.now", lambda: late)
            await service.forget_unused(office.product)
            assert len(bucket.objects) == 2
        assert bucket.refused == []


async def test_a_store_that_refuses_or_is_away_is_told_in_words(sqlite_settings: Settings):
    with serving_bucket() as bucket:
        where = {"s3_url": bucket.url, "s3_region": REGION, "s3_key_id": KEY_ID}
        wrong = where | {"s3_secret": SecretStr("another")}
        async with opened_office(sqlite_settings.model_copy(update=wrong)) as office:
            refused = await send(await office.owner(), "a.txt", b"words")
            assert refused.status_code == 503
            assert "BAILIWICK_S3_URL" in refused.json()["detail"]
            assert "another" not in refused.text
        assert bucket.objects == {}
        assert set(bucket.refused) == {"another signature"}
    right = where | {"s3_secret": SecretStr(SECRET)}
    async with opened_office(sqlite_settings.model_copy(update=right)) as office:
        owner = office.browser()
        body = {"email": "olive@example.com", "password": "four unrelated garden words"}
        await owner.post(f"{API}/auth/login", json=body)
        away = await send(owner, "a.txt", b"words")
        assert away.status_code == 503
        assert not list(office.product.blobs.folder.glob("*")), "nothing is left here"


@pytest.mark.parametrize(
    "url", ["s3://bucket", "https://s3.example.com", "https://u:p@s3.example.com/b", "http://x/b?c"]
)
def test_an_address_that_is_no_bucket_is_refused(url: str):
    named = {"BAILIWICK_S3_URL": url, "BAILIWICK_S3_KEY_ID": "a", "BAILIWICK_S3_SECRET": "b"}
    with pytest.raises(BadConfiguration, match="BAILIWICK_S3_URL"):
        config.load(named)
    with pytest.raises(BadConfiguration, match="BAILIWICK_S3_SECRET"):
        config.load({"BAILIWICK_S3_URL": "https://s3.example.com/bucket"})
