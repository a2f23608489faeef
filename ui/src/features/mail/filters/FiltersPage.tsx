import { Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconPlus } from "@tabler/icons-react";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";

import { api } from "@/api/client";
import { Page } from "@/components/Page";
import { SortableRows } from "@/components/SortableRows";
import { Empty, Loaded, Loading } from "@/components/states";
import { useDialog } from "@/routes/useDialog";

import { FilterDialog } from "./FilterDialog";
import { FilterRow } from "./FilterRow";
import { useDirectors } from "./useDirectors";
import { filtersOf, useFilters } from "./useFilters";

const DESCRIPTION =
  "Mail that fits a filter is given to its director, who reads it and decides what is to be done. The filters are asked from the top; each director gets a mail once.";

/** Which mail is given to which director. */
export function FiltersPage() {
  const { workspace } = useSearch({ from: "/shell/mail/filters" });
  const { dialog } = useSearch({ strict: false });
  const navigate = useNavigate();
  const workspaces = api.useQuery("get", "/api/v1/workspaces").data?.items ?? [];
  const here = workspaces.find(({ id }) => id === workspace) ?? workspaces[0];
  const workspaceId = here?.id ?? "";
  const mayWrite = here !== undefined && here.role !== "read";
  const filters = useQuery(filtersOf(workspaceId));
  const directors = useDirectors(workspaceId);
  const { enable, remove, move } = useFilters(workspaceId);
  const [making, { open, close }] = useDialog();
  const items = filters.data?.items ?? [];
  const edited = items.find(({ id }) => id === dialog);
  const add = mayWrite && (directors?.length ?? 0) > 0 && (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      New filter
    </Button>
  );
  return (
    <Page title="Filters" description={DESCRIPTION} actions={items.length > 0 && add}>
      {workspaces.length > 1 && (
        <NativeSelect
          mb="sm"
          w="fit-content"
          aria-label="Workspace"
          data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
          value={workspaceId}
          onChange={(event) =>
            void navigate({ to: "/mail/filters", search: { workspace: event.currentTarget.value } })
          }
          data-filter
        />
      )}
      <Loaded query={filters} loading={<Loading rows={3} />}>
        {() =>
          items.length === 0 ? (
            <None hasDirectors={directors === undefined || directors.length > 0} add={add} />
          ) : (
            <SortableRows
              label="Filters"
              noun="filter"
              items={items}
              onMove={(from, to) => move(items, from, to)}
            >
              {items.map((filter, place) => (
                <FilterRow
                  key={filter.id}
                  filter={filter}
                  place={place}
                  isLast={place === items.length - 1}
                  mayChange={mayWrite}
                  onEnable={(enabled) => enable(filter, enabled)}
                  onMove={(to) => move(items, place, to)}
                  onRemove={() => remove(filter, items)}
                />
              ))}
            </SortableRows>
          )
        }
      </Loaded>
      <FilterDialog
        opened={mayWrite && directors !== undefined && (making || edited !== undefined)}
        onClose={close}
        workspaceId={workspaceId}
        directors={directors ?? []}
        filter={edited}
      />
    </Page>
  );
}

function None({ hasDirectors, add }: { hasDirectors: boolean; add: React.ReactNode }) {
  if (hasDirectors) {
    return (
      <Empty title="No mail is given to anyone" action={add}>
        Make a filter, such as From: client[0-9]+@domain\.com, and choose who takes care of what
        fits.
      </Empty>
    );
  }
  const make = (
    <Button component={Link} to="/agents" size="xs">
      Go to Agents
    </Button>
  );
  return (
    <Empty title="There is no director who could take mail" action={make}>
      A director is an agent who takes a task apart and hands the parts to others. Make one first.
    </Empty>
  );
}
