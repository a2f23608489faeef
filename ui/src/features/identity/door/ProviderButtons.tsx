import { Button, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";

import { http, type Schemas } from "@/api/client";
import { detailOf } from "@/api/problem";
import { ProblemAlert } from "@/components/ProblemAlert";

interface Props {
  providers: Schemas["ProviderChoice"][];
  next: string;
}

/** One button for each provider; it leads to the provider's own page. */
export function ProviderButtons({ providers, next }: Props) {
  const begin = useMutation({
    meta: { inForm: true },
    mutationFn: async (id: string) => {
      const answer = await http.GET("/api/v1/auth/providers/{provider_id}/initiate", {
        params: { path: { provider_id: id }, query: { returnTo: next } },
      });
      if (answer.error) throw answer.error;
      window.location.assign(answer.data.authorizeUrl);
    },
  });
  if (providers.length === 0) return null;
  return (
    <Stack gap="xs">
      <ProblemAlert>{begin.error && detailOf(begin.error)}</ProblemAlert>
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          variant="default"
          fullWidth
          loading={begin.isPending && begin.variables === id}
          onClick={() => begin.mutate(id)}
        >
          Continue with {name}
        </Button>
      ))}
    </Stack>
  );
}
