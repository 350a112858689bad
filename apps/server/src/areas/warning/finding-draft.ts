import { isAlarmKind } from '@linewarden/rules/alarm'
import type { Finding, WarningDetector } from '@linewarden/rules/warning'
import { levelPriority, shareOfLimit } from '@linewarden/rules/warning'
import type { Logger } from 'pino'
import { caught } from '../../lib/faults.ts'
import type { Hub } from '../../plant/hub.ts'
import type { Plant, PlantDevice, PlantGateway, PlantLine } from '../../plant/plant.ts'
import { alarmKeyOf } from '../../plant/plant.ts'
import { eventTopic } from '../../store/alarm/event-record.ts'
import type { Announced } from '../../store/alarm/event-write.ts'
import { applyMoved } from '../../store/alarm/moved.ts'
import type { EventDraft } from '../../store/ingest/batch.ts'
import type { RuleInForce } from './rules-in-force.ts'

/** Where something was found: a line, else a device as a whole, else a gateway. */
export interface FindingPlace {
  readonly gateway: PlantGateway
  readonly device?: PlantDevice
  readonly line: PlantLine | null
}

export const placeOfLine = (line: PlantLine): FindingPlace => ({ gateway: line.device.gateway, line })

const draft = ({ key, label }: WarningDetector, place: FindingPlace, point: string | null, at: number) =>
  ({ ...place, kind: 'warning', key, label, point, at, historical: false }) as const

/** The event of something that was found. */
export const findingDraft = (
  declaration: WarningDetector,
  place: FindingPlace,
  { level, point, evidence }: Finding,
  { priority }: Pick<RuleInForce, 'priority'>,
  at: number,
): EventDraft => ({
  ...draft(declaration, place, point, at),
  act: 'raise',
  priority: levelPriority(level, priority),
  value: evidence.value,
  // What a course will reach was not passed: beside the alarm it would look as if it was.
  limit: (shareOfLimit(declaration.key, evidence.value, evidence.limit) ?? 0) >= 1 ? evidence.limit : null,
  unit: evidence.unit,
})

/** It has returned. */
export const returnDraft = (declaration: WarningDetector, place: FindingPlace, point: string | null, at: number): EventDraft => ({
  ...draft(declaration, place, point, at),
  act: 'return',
  priority: declaration.priority,
  value: null,
  limit: null,
  unit: '',
})

/** Moves the plant to what was committed, and publishes it. */
export function showFindings(
  { plant, hub, log }: { readonly plant: Plant; readonly hub: Pick<Hub, 'publish'>; readonly log: Logger },
  { stored, moved, failed }: Announced,
): void {
  if (failed) caught(log, 'job', failed)
  if (stored.length === 0) return
  const lines = new Set<PlantLine>()
  for (const { row, draft } of stored) {
    const { line, device } = draft
    if (draft.act === 'raise') device?.openEvents.add(row.key)
    else device?.openEvents.delete(row.key)
    if (!line || !isAlarmKind(row.kind)) continue
    const key = alarmKeyOf(row.key, row.point)
    if (draft.act === 'raise')
      line.alarms.set(key, { eventId: row.event_id, key: row.key, kind: row.kind, priority: row.priority, point: row.point })
    else line.alarms.delete(key)
    lines.add(line)
  }
  const others = applyMoved(plant, moved)
  hub.publish({
    lines: [...lines, ...others.lines],
    withEvents: [...lines, ...others.withEvents],
    live: [
      ...stored.map(({ row, isNew, isNewUnfolded }) => eventTopic(plant, row, isNew, isNew || isNewUnfolded === true)),
      ...others.live,
    ],
  })
}
