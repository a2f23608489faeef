import { notifications } from "@mantine/notifications";

/** Short news at the edge of the screen. */
export const notify = {
  done: (message: string) => notifications.show({ message, autoClose: 3000 }),
  failed: (message: string) =>
    notifications.show({ title: "That did not work", message, color: "red", autoClose: 10_000 }),
};
