import { Anchor, type AnchorProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ReactNode, Ref } from "react";

interface Props extends Omit<AnchorProps, "href"> {
  ref?: Ref<HTMLAnchorElement>;
  children?: ReactNode;
}

/** A link in text to another page of ours. */
export const TextLink = createLink((props: Props) => <Anchor {...props} />);
