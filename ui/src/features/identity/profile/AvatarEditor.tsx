import { Button, FileButton, Group } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";

import { api, http } from "@/api/client";
import { notify } from "@/components/notify";
import { useRefresh } from "@/live/useRefresh";

import { PersonAvatar } from "../PersonAvatar";
import { useMe } from "../useMe";

const KINDS = "image/png,image/jpeg,image/webp";
const MAX_BYTES = 2 * 1024 * 1024;

/** One's picture: upload, replace, remove. */
export function AvatarEditor() {
  const me = useMe();
  const refresh = useRefresh();
  const onSuccess = () => refresh("user");
  const upload = useMutation({ mutationFn: send, onSuccess });
  const remove = api.useMutation("delete", "/api/v1/users/me/avatar", { onSuccess });

  const choose = (file: File | null) => {
    if (!file) return;
    if (file.size > MAX_BYTES)
      notify.failed("The picture is larger than 2 MB. Choose a smaller one.");
    else upload.mutate(file);
  };
  return (
    <Group gap="md">
      <PersonAvatar person={me} size={64} version={me.avatarVersion} />
      <Group gap="xs">
        <FileButton onChange={choose} accept={KINDS} inputProps={{ "aria-label": "Picture file" }}>
          {(props) => (
            <Button {...props} variant="default" size="xs" loading={upload.isPending}>
              {me.hasAvatar ? "Replace" : "Upload a picture"}
            </Button>
          )}
        </FileButton>
        {me.hasAvatar && (
          <Button
            variant="subtle"
            size="xs"
            loading={remove.isPending}
            onClick={() => remove.mutate({})}
          >
            Remove
          </Button>
        )}
      </Group>
    </Group>
  );
}

async function send(file: File) {
  const { error } = await http.PUT("/api/v1/users/me/avatar", {
    // The generated type knows binary bodies as strings.
    body: file as unknown as string,
    bodySerializer: (body) => body as unknown as BodyInit,
    headers: { "Content-Type": file.type },
  });
  if (error) throw error;
}
