import { api } from "@/api/client";
import { Listing } from "@/components/Listing";
import { Page } from "@/components/Page";
import { Empty } from "@/components/states";

import { SettingRow } from "./SettingRow";

/** The settings that change while the server runs. */
export function OfficePage() {
  const settings = api.useQuery("get", "/api/v1/settings");
  return (
    <Page
      title="Office"
      description="How this office works. A change is in force at once and goes into the change record."
    >
      <Listing
        label="Settings"
        query={settings}
        empty={<Empty title="There is nothing to set">Newer versions may bring settings.</Empty>}
      >
        {(setting) => <SettingRow key={setting.name} setting={setting} />}
      </Listing>
    </Page>
  );
}
