import { Page } from "@/components/Page";
import { FirstSteps } from "@/features/demo/FirstSteps";
import { Lately } from "@/features/gate/activity/Lately";
import { WaitingForYou } from "@/features/gate/approvals/WaitingForYou";
import { useMe } from "@/features/identity/useMe";

import { CheckUp } from "./home/CheckUp";
import { NextSteps } from "./home/NextSteps";
import { StatusCard } from "./home/StatusCard";

/** Where one arrives: what waits, what was done, how the office is, and what to do next. */
export function HomePage() {
  const me = useMe();
  const firstName = me.name.trim().split(/\s+/)[0] ?? me.name;
  return (
    <Page title="Home" heading={`${greeting(new Date().getHours())}, ${firstName}`}>
      <FirstSteps />
      <WaitingForYou />
      <Lately />
      {me.isAdmin && <CheckUp />}
      <NextSteps isAdmin={me.isAdmin} />
      <StatusCard />
    </Page>
  );
}

function greeting(hour: number): string {
  if (hour >= 5 && hour < 12) return "Good morning";
  return hour >= 12 && hour < 18 ? "Good afternoon" : "Good evening";
}
