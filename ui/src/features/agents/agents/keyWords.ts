import type { Schemas } from "@/api/client";

export type KeyName = Schemas["CredentialIn"]["keyName"];

interface Words {
  name: KeyName;
  label: string;
  about: string;
  /** What is no more once it is forgotten. */
  lost: string;
}

export const KEYS: [Words, ...Words[]] = [
  {
    name: "api_key",
    label: "API key",
    about: "not set: its model’s own key is used",
    lost: "The agent uses its model’s own key from then on, and its own address is forgotten too. It cannot be brought back: you would have to set it again.",
  },
  {
    name: "api_base",
    label: "Address of the model",
    about: "not set: its model’s own address is used",
    lost: "The agent’s own key goes to the model’s usual address from then on.",
  },
];
