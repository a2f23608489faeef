import { useNavigate } from "@tanstack/react-router";

/** Begins a conversation with an agent. */
export function useTalk() {
  const navigate = useNavigate();
  return (agent: string) => void navigate({ to: "/chat/new", search: { agent } });
}
