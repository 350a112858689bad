import type { EventRecord } from '@linewarden/contract'
import type { Priority } from '@linewarden/equipment'
import type { IncidentKind } from '@linewarden/rules/alarm'
import { evidenceWhen, isFleeting } from '@linewarden/rules/alarm'
import type { Selectable } from 'kysely'
import type { LiveTopic } from '../../plant/live-topics.ts'
import { toEquipment } from '../../plant/live-topics.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Schema } from '../core/schema.ts'
import type { Seen } from './event-filter.ts'
import { isFoldedFor } from './event-filter.ts'

/** An event as the API and the live socket show it. */
export function eventRecord(row: Selectable<Schema['event']>, plant: Plant): EventRecord {
  const gateway = gatewayOf(plant, row)
  const line = row.line_id === null ? undefined : plant.lines.get(row.line_id)
  const device = line?.device ?? (row.device_id === null ? undefined : plant.devices.get(row.device_id))
  return {
    EventID: row.event_id,
    Kind: row.kind,
    Priority: row.priority,
    Key: row.key,
    Label: { zh: row.label_zh, en: row.label_en },
    Point: row.point,
    Value: row.value,
    Limit: row.limit_value,
    Unit: row.unit,
    State: row.state,
    HouseID: row.project_id,
    DeviceID: row.gateway_id,
    LineID: row.line_id,
    ControllerID: device?.controllerId ?? null,
    LineNo: line?.lineNo ?? null,
    Where: {
      HouseName: (gateway?.project ?? plant.projects.get(row.project_id))?.name || null,
      GatewayName: gateway?.name || null,
      LineName: (line?.name ?? device?.name) || null,
    },
    RaisedAt: row.raised_at.getTime(),
    LastRaisedAt: (row.raised_again_at ?? row.raised_at).getTime(),
    Raises: row.raises,
    AddTime: row.stored_at.getTime(),
    AcknowledgedAt: row.acknowledged_at?.getTime() ?? null,
    AcknowledgedBy: row.acknowledged_by,
    AcknowledgedUntil: row.acknowledged_until?.getTime() ?? null,
    ReturnedAt: row.returned_at?.getTime() ?? null,
    Shelved: row.shelved_until && {
      Until: row.shelved_until.getTime(),
      By: row.shelved_by ?? '',
      Reason: row.shelved_reason ?? '',
    },
    Suppressed: row.suppressed,
    IncidentID: (row.folded ? null : row.root_of) ?? row.incident_id,
    Role: row.folded ? 'child' : row.root_of === null ? null : 'root',
    Announced: row.announced,
    SeriesID: row.series_id ?? row.event_id,
    Occurrences: row.occurrences ?? row.raises,
    IsNewest: !row.superseded,
    Chatter: row.chatter_since && row.chatter_at ? { Since: row.chatter_since.getTime(), Last: row.chatter_at.getTime() } : null,
    Fleeting: isFleeting({
      raisedAt: (row.raised_again_at ?? row.raised_at).getTime(),
      returnedAt: row.returned_at?.getTime() ?? null,
      acknowledgedAt: row.acknowledged_at?.getTime() ?? null,
    }),
    Evidence: evidenceStateOf(row),
    Historical: row.historical,
    ...(row.order_id !== null && { OrderID: row.order_id }),
  }
}

function evidenceStateOf(row: Selectable<Schema['event']>): EventRecord['Evidence'] {
  if (row.line_id === null || row.state === null || evidenceWhen(row.priority) === 'never') return 'none'
  return row.evidence_minute !== null && row.evidence_due === null ? 'ready' : 'pending'
}

/** Undefined: it concerns the project as a whole, or its gateway was taken out. */
const gatewayOf = (plant: Plant, { gateway_id }: Pick<Selectable<Schema['event']>, 'gateway_id'>) =>
  gateway_id === null ? undefined : plant.gateways.get(gateway_id)

/** An event for whoever does not see the root that shows for it: it stands by itself. */
const unfolded = <R extends Selectable<Schema['event']>>(row: R): R => ({
  ...row,
  incident_id: null,
  folded: false,
  suppressed: row.suppressed === 'incident' ? null : row.suppressed,
})

/** Of an incident whose root a person is shown, as far as they see it. */
export interface RootOf {
  readonly incident_id: string
  readonly kind: IncidentKind
  readonly present: number
  readonly priority: Priority
  /** The newest announcement before they were counted. */
  readonly mark: string
}

/** The same of a person who asks, with what roots show for. */
export const recordFor = (
  row: Selectable<Schema['event']>,
  plant: Plant,
  seen: Seen | null,
  roots: ReadonlyMap<string, RootOf>,
): EventRecord => {
  const root = row.root_of === null ? undefined : roots.get(row.root_of)
  return {
    ...eventRecord(row.folded && !isFoldedFor(seen, row) ? unfolded(row) : row, plant),
    Incident: root
      ? {
          ...{ IncidentID: root.incident_id, Kind: root.kind, Children: root.present, Priority: root.priority },
          Mark: root.mark,
        }
      : null,
  }
}

/**
 * An event as it is published live. Whoever sees the equipment hears its alarms, whatever else they may do. `isNewUnfolded`: whether it is new
 * to whoever does not see the root that shows for it.
 */
export const eventTopic = (plant: Plant, row: Selectable<Schema['event']>, isNew: boolean, isNewUnfolded = isNew): LiveTopic => {
  const message = { t: 'event', event: eventRecord(row, plant), isNew } as const
  const [gateway, root] = [gatewayOf(plant, row), gatewayOf(plant, { gateway_id: row.root_gateway_id })]
  return {
    to: toEquipment(gateway, row.project_id),
    needs: null,
    message: row.folded
      ? (viewer) =>
          viewer.sees(row.project_id) || (root && viewer.seesGateway(root))
            ? message
            : { ...message, event: eventRecord(unfolded(row), plant), isNew: isNewUnfolded }
      : message,
  }
}
