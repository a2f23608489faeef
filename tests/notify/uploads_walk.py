"""The part of the walk that is about uploaded files."""

from bailiwick.files import previews
from notify.walking import Told, Walk, part, told_by
from support.office import user_id
from support.uploading import linked

ONE = "/files/{file_id}"
UPLOAD = "/files/uploads/{upload_id}"


@part(
    "POST /files",
    f"PATCH {ONE}",
    f"DELETE {ONE}",
    "POST /files/uploads",
    f"PATCH {UPLOAD}",
    f"DELETE {UPLOAD}",
    tells="file.uploaded file.changed file.deleted file.accessed file.previewed",
)
async def uploads(walk: Walk) -> None:
    owner = await walk.office.owner()
    me = await user_id(owner)

    def tells(type: str, id: str, by: str | None = me, **more: object) -> Told:
        return Told(type, {f"user:{me}"}, by, id, None, {"fileId": id, **more})

    form = {"file": ("canary.txt", b"canary")}
    file, told = await walk(owner, "POST /files", files=form)
    id = file["file_id"]
    assert told == [tells("file.uploaded", id)]
    change = {"description": "canary"}
    assert (await walk(owner, f"PATCH {ONE}", id, json=change))[1] == [tells("file.changed", id)]
    assert (await walk(owner, f"PATCH {ONE}", id, json=change))[1] == []
    await previews.make(walk.office.product, id)
    rows = [told_by(row) for row in await walk.rows()]
    assert rows[-1] == tells("file.previewed", id, None)
    link = (await linked(owner, file)).json()["download_url"]
    assert (await owner.get(link)).status_code == 200
    had = told_by((await walk.rows())[-1])
    assert (had.type, had.audience, had.actor) == ("file.accessed", {f"user:{me}"}, me)
    walk.types |= {"file.previewed", had.type}
    assert (await walk(owner, f"DELETE {ONE}", id))[1] == [tells("file.deleted", id)]
    begin = {"title": "canary.txt", "size": 6}
    begun, told = await walk(owner, "POST /files/uploads", json=begin)
    assert told == []
    sent = {"content": b"canary", "headers": {"Upload-Offset": "0"}}
    done, told = await walk(owner, f"PATCH {UPLOAD}", begun["upload_id"], **sent)
    assert told == [tells("file.uploaded", done["file"]["file_id"])]
    begun, _ = await walk(owner, "POST /files/uploads", json=begin)
    assert (await walk(owner, f"DELETE {UPLOAD}", begun["upload_id"]))[1] == []
