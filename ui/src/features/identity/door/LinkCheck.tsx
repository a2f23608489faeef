import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { http, type Schemas } from "@/api/client";
import { detailOf } from "@/api/problem";
import { ProblemAlert } from "@/components/ProblemAlert";
import { LoadingForm } from "@/components/states";
import { TextLink } from "@/components/TextLink";

import { Door } from "./Door";

type LinkFor = Schemas["LinkOut"];

interface Props {
  link: string;
  purposes: LinkFor["purpose"][];
  advice: ReactNode;
  children: (found: LinkFor) => ReactNode;
}

/** Looks at a one-time link before anything is typed, and says what to do when it is no good. */
export function LinkCheck({ link, purposes, advice, children }: Props) {
  const { data, error, isPending } = useQuery({
    queryKey: ["link", link],
    queryFn: async () => {
      const answer = await http.POST("/api/v1/auth/link", { body: { link } });
      if (answer.error) throw answer.error;
      return answer.data;
    },
    enabled: link !== "",
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  if (link && isPending) {
    return (
      <Door title="One moment">
        <LoadingForm />
      </Door>
    );
  }
  if (data && purposes.includes(data.purpose)) return children(data);
  return (
    <Door title="This link does not work">
      <ProblemAlert>{reason(link, error)}</ProblemAlert>
      {advice}
      <TextLink to="/login" size="sm">
        Go to the log-in page
      </TextLink>
    </Door>
  );
}

function reason(link: string, error: unknown): string {
  if (!link) return "The address has no secret after the #. Open the whole link, as you got it.";
  return error ? detailOf(error) : "This link is for something else.";
}
