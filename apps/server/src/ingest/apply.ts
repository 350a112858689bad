import { SLOTS } from '@linewarden/equipment'
import { Quality } from '@linewarden/rules'
import { eventRecord } from '../live/event-record.ts'
import type { Committed } from '../live/hub.ts'
import type { Plant, PlantLine } from '../live/plant.ts'
import { alarmKeyOf } from '../live/plant.ts'
import type { StoredEvent } from '../store/commit.ts'
import type { Batch } from './batch.ts'

/** Moves the plant to what the database has just committed, and says what changed. */
export function applyBatch(plant: Plant, batch: Batch, stored: readonly StoredEvent[]): Committed {
  const lines = new Set<PlantLine>()
  for (let row = 0; row < batch.count; row++) {
    const line = batch.lines[row]
    if (!line || batch.live[row] !== 1) continue
    applyRow(batch, row, line)
    lines.add(line)
  }
  for (const [line, { changed, positionAt }] of batch.states) {
    // The first position ever reported is no operation.
    if (changed.has('position') && line.states.has('position')) line.lastOperationAt = positionAt
    for (const [key, value] of changed) line.states.set(key, value)
    if (positionAt !== null) line.positionAt = positionAt
    lines.add(line)
  }
  for (const [line, { cause, no }] of batch.latches) {
    line.tripLatched = cause
    line.tripLatches = no ?? line.tripLatches
  }
  for (const { line } of batch.settings) lines.add(line)
  for (const { gateway, link, reason, at, bdSeq } of batch.links) {
    if (gateway.link !== link) gateway.linkSince = at
    gateway.link = link
    gateway.linkReason = reason
    gateway.bdSeq = bdSeq ?? gateway.bdSeq
  }
  for (const { gateway, model, firmware, receivedAt } of batch.births) {
    gateway.model = model ?? gateway.model
    gateway.firmware = firmware ?? gateway.firmware
    if (firmware !== null) gateway.firmwareAt = receivedAt
  }
  for (const [gateway, signal] of batch.signals) gateway.signal = signal
  for (const { row, draft } of stored) {
    const { line } = draft
    if (!line || draft.historical || draft.act === 'note') continue
    if (draft.act === 'raise' && row.kind !== 'journal') {
      line.alarms.set(alarmKeyOf(row.key, row.point), {
        eventId: row.event_id,
        key: row.key,
        kind: row.kind,
        priority: row.priority,
        point: row.point,
      })
    } else line.alarms.delete(alarmKeyOf(row.key, row.point))
    lines.add(line)
  }
  return {
    lines: [...lines],
    gateways: [...new Set(batch.links.map(({ gateway }) => gateway))],
    events: stored.map(({ row, draft }) => ({
      event: eventRecord(row, plant),
      isNew: draft.act === 'raise',
      projectId: row.project_id,
    })),
    reports: batch.reports,
    results: batch.results,
    readBacks: batch.readBacks,
    births: batch.births,
    lostSight: batch.lostSight,
    trees: [...batch.trees],
  }
}

function applyRow(batch: Batch, row: number, line: PlantLine): void {
  const mask = batch.mask[row] ?? 0
  for (let slot = 0; slot < SLOTS; slot++) {
    if ((mask & (1 << slot)) !== 0) line.values[slot] = batch.values[row * SLOTS + slot] ?? Number.NaN
  }
  line.liveAt = batch.at[row] ?? line.liveAt
  line.liveReceivedAt = batch.receivedAt[row] ?? line.liveReceivedAt
  line.clockGood = ((batch.quality[row] ?? 0) & Quality.clock) === 0
}
