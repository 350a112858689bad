import type { EventGroup, groupEvents, Reply, Request } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { GroupRow } from '../../store/alarm/event-groups.ts'
import { groupedEvents } from '../../store/alarm/event-groups.ts'
import { newestOf } from '../../store/alarm/event-list.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { AlarmDeps } from './deps.ts'
import { eventFilterOf } from './filter.ts'

/** Open events in groups, so that a flood from one cabinet is one row. */
export function createGroups(deps: AlarmDeps) {
  const { database, plant } = deps
  return {
    async groups(
      actor: Actor,
      project: PlantProject | null,
      { By, Page = 1, Size = 10, ...asked }: Request<typeof groupEvents>['body'],
    ): Promise<Reply<typeof groupEvents>> {
      const filter = await eventFilterOf(deps, actor, project, { ...asked, Open: true })
      const about = await newestOf(database)
      const { rows, total } = await withRowSecurity(database, actor.scope, (db) =>
        groupedEvents(db, filter, { by: By, page: Page, size: Size }),
      )
      return { items: rows.map((row) => groupRecord(row, plant)), total, about }
    },
  }
}

function groupRecord(row: GroupRow, plant: Plant): EventGroup {
  const gateway = row.gateway_id === null ? undefined : plant.gateways.get(row.gateway_id)
  const project = row.project_id === null ? undefined : plant.projects.get(row.project_id)
  return {
    HouseID: row.project_id,
    DeviceID: row.gateway_id,
    Where: { HouseName: project?.name || null, GatewayName: gateway?.name || null, LineName: null },
    Key: row.key,
    Label: row.label_zh === null || row.label_en === null ? null : { zh: row.label_zh, en: row.label_en },
    Kind: row.kind,
    Priority: row.priority,
    Total: row.total,
    Unacknowledged: row.unacknowledged,
    LastRaisedAt: row.last_raised_at.getTime(),
  }
}
