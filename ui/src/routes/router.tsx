import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";

import { onSignedOut } from "@/api/client";
import { queryClient, whoAmI } from "@/api/queries";
import { Loading } from "@/components/states";

import { accountPages } from "./accounts";
import { agentPages } from "./agents";
import { chatPages } from "./chat";
import { Broken, Missing, PageBroken } from "./fallbacks";
import { gatePages } from "./gate";
import { ownPath, signedIn } from "./guard";
import { inboxPages } from "./inbox";
import { libraryPages } from "./library";
import { mailPages } from "./mail";
import { postPages } from "./post";
import { promptPages } from "./prompts";
import { resultPages } from "./results";
import { runPages } from "./runs";
import { settingsPages } from "./settings";
import { taskPages } from "./tasks";
import { text } from "./text";

export const root = createRootRoute({ notFoundComponent: Missing, errorComponent: Broken });

const setup = createRoute({
  getParentRoute: () => root,
  path: "/setup",
  component: lazyRouteComponent(() => import("@/features/identity/door/SetupPage"), "SetupPage"),
});

const welcome = createRoute({
  getParentRoute: () => root,
  path: "/welcome",
  component: lazyRouteComponent(
    () => import("@/features/identity/door/WelcomePage"),
    "WelcomePage",
  ),
});

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  // Given as undefined, a bad path replaces what the address says; left out, it would not.
  validateSearch: (search): { next?: string } => ({ next: ownPath(search.next) }),
  component: lazyRouteComponent(() => import("@/features/identity/door/LoginPage"), "LoginPage"),
});

const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  validateSearch: (search): { dialog?: string } =>
    typeof search.dialog === "string" ? { dialog: search.dialog } : {},
  beforeLoad: signedIn,
  component: lazyRouteComponent(() => import("./Shell"), "Shell"),
});

const home = createRoute({
  getParentRoute: () => shell,
  path: "/",
  component: lazyRouteComponent(() => import("@/features/operations/HomePage"), "HomePage"),
});

/** For those who build pages: every shared component in its states. Not part of what is shipped. */
const gallery = createRoute({
  getParentRoute: () => root,
  path: "/gallery",
  component: import.meta.env.DEV
    ? lazyRouteComponent(() => import("@/gallery/GalleryPage"), "GalleryPage")
    : Missing,
});

const chat = createRoute({
  getParentRoute: () => shell,
  path: "/chat",
  component: lazyRouteComponent(() => import("@/features/chat/ChatPage"), "ChatPage"),
});

/** Leads to the conversation that a session is a part of, or shows one that is none. */
const session = createRoute({
  getParentRoute: () => shell,
  path: "/sessions/$sessionId",
  component: lazyRouteComponent(() => import("@/features/chat/SessionPage"), "SessionPage"),
});

const prompts = createRoute({
  getParentRoute: () => shell,
  path: "/prompts",
  component: lazyRouteComponent(
    () => import("@/features/agents/prompts/PromptsPage"),
    "PromptsPage",
  ),
});

const memory = createRoute({
  getParentRoute: () => shell,
  path: "/memory",
  validateSearch: (search): { workspace?: string; q?: string } => ({
    workspace: text(search.workspace),
    q: text(typeof search.q === "number" ? String(search.q) : search.q),
  }),
  component: lazyRouteComponent(() => import("@/features/memory/MemoryPage"), "MemoryPage"),
});

const reference = createRoute({
  getParentRoute: () => shell,
  path: "/docs",
  component: lazyRouteComponent(
    () => import("@/features/operations/reference/ReferencePage"),
    "ReferencePage",
  ),
});

const settings = createRoute({
  getParentRoute: () => shell,
  path: "/settings",
  component: lazyRouteComponent(() => import("./SettingsLayout"), "SettingsLayout"),
});

const settingsIndex = createRoute({
  getParentRoute: () => settings,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/settings/profile", replace: true });
  },
});

const atTheGate = gatePages(shell);
const ofAgents = agentPages(shell);
const amongPrompts = promptPages(prompts);
const inSettings = settingsPages(settings);
const inConversation = chatPages(chat);
const ofRuns = runPages(shell);
const ofTasks = taskPages(shell);
const ofMail = mailPages(shell);
const ofResults = resultPages(shell);
const ofInbox = inboxPages(shell);
const ofLibrary = libraryPages(shell);
const ofPost = postPages(shell);
const ofAccounts = accountPages(settings);

export const router = createRouter({
  routeTree: root.addChildren([
    setup,
    welcome,
    login,
    ...(import.meta.env.DEV ? [gallery] : []),
    shell.addChildren([
      home,
      ...atTheGate,
      session,
      chat.addChildren(inConversation),
      ...ofAgents,
      ...ofRuns,
      ...ofTasks,
      ...ofMail,
      ...ofResults,
      ...ofLibrary,
      ...ofPost,
      ...ofInbox,
      memory,
      reference,
      prompts.addChildren(amongPrompts),
      settings.addChildren([settingsIndex, ...inSettings, ...ofAccounts]),
    ]),
  ]),
  defaultPreload: "intent",
  defaultPendingComponent: Loading,
  defaultErrorComponent: PageBroken,
  scrollRestoration: true,
});

onSignedOut(() => {
  // Where nobody was known to be signed in, the guard of the page sees to it.
  if (!queryClient.getQueryData(whoAmI().queryKey)) return;
  const left = router.navigate({ to: "/login", search: { next: router.state.location.href } });
  void left.then(() => queryClient.clear());
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
