import { SLOTS } from '@linewarden/equipment'
import { isAlarmKind } from '@linewarden/rules/alarm'
import { Quality } from '@linewarden/rules/monitor'
import type { Committed, ReadBack } from '../../plant/hub.ts'
import { devicesChanged, linkChanged, treeChanged } from '../../plant/live-topics.ts'
import type { Plant, PlantDevice, PlantLine } from '../../plant/plant.ts'
import { alarmKeyOf } from '../../plant/plant.ts'
import { eventTopic } from '../../store/alarm/event-record.ts'
import type { StoredEvent } from '../../store/alarm/event-write.ts'
import { applyMoved } from '../../store/alarm/moved.ts'
import type { Batch, ReportedStates } from '../../store/ingest/batch.ts'

/** Moves the plant to what the database has just committed, and says what changed. What it refused moves nothing and proves nothing, but for a trip. */
export function applyBatch(plant: Plant, batch: Batch, stored: readonly StoredEvent[]): Committed {
  const { refused } = batch
  const lines = new Set<PlantLine>()
  for (let row = 0; row < batch.count; row++) {
    const line = batch.lines[row]
    if (!line || batch.live[row] !== 1 || refused.has(row)) continue
    applyRow(batch, row, line)
    lines.add(line)
  }
  for (const [line, reported] of batch.states) {
    if (refused.has(reported)) {
      batch.positionInvalidated.add(line)
      continue
    }
    applyStates(line, reported)
    lines.add(line)
  }
  for (const [line, lockout] of batch.lockouts) {
    // A trip that was seen locks its line out, also while it cannot be stored: closing it again unasked is what may hurt.
    line.lockoutCause = lockout.cause
    if (!refused.has(lockout)) line.tripSequence = lockout.no ?? line.tripSequence
    lines.add(line)
  }
  for (const setting of batch.settings) {
    if (refused.has(setting)) continue
    setting.line.reported.set(setting.key, setting.value)
    lines.add(setting.line)
  }
  const devices = applyGateways(batch)
  for (const device of devices) for (const line of device.lines.values()) lines.add(line)
  for (const { row, draft } of stored) {
    const { line, device } = draft
    if (draft.act === 'raise') device?.openEvents.add(row.key)
    else device?.openEvents.delete(row.key)
    if (!line || draft.historical || draft.act === 'note') continue
    if (draft.act === 'raise' && isAlarmKind(row.kind)) {
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
  const moved = applyMoved(plant, batch.folding.moved)
  for (const line of moved.lines) lines.add(line)
  const gateways = [...new Set(batch.links.map(({ gateway }) => gateway))]
  const events = [
    ...stored.map(({ row, isNew, isNewUnfolded }) => eventTopic(plant, row, isNew, isNew || isNewUnfolded === true)),
    ...moved.live,
  ]
  return {
    lines: [...lines],
    withEvents: [...stored, ...batch.folding.moved].flatMap(({ row }) =>
      row.line_id === null ? [] : (plant.lines.get(row.line_id) ?? []),
    ),
    gateways,
    live: [...events, ...gateways.map(linkChanged), ...devicesChanged(devices), ...[...batch.trees].map(treeChanged)],
    reports: batch.reports.filter(({ line }) => !refused.has(batch.states.get(line) ?? line)),
    results: batch.results,
    readBacks: refused.size === 0 ? batch.readBacks : batch.readBacks.filter((each) => !isRefused(batch, each)),
    births: batch.births.filter((each) => !refused.has(each)),
    positionInvalidated: batch.positionInvalidated,
  }
}

function applyRow(batch: Batch, row: number, line: PlantLine): void {
  const mask = batch.mask[row] ?? 0
  const receivedAt = batch.receivedAt[row] ?? 0
  for (let slot = 0; slot < SLOTS; slot++) {
    if ((mask & (1 << slot)) === 0) continue
    line.values[slot] = batch.values[row * SLOTS + slot] ?? Number.NaN
    line.valuesReceivedAt[slot] = receivedAt
  }
  line.liveAt = batch.at[row] ?? line.liveAt
  line.liveReceivedAt = batch.receivedAt[row] ?? line.liveReceivedAt
  line.clockGood = ((batch.quality[row] ?? 0) & Quality.clock) === 0
}

function applyStates(line: PlantLine, { changed, positionAt, positionSince }: ReportedStates): void {
  // The first position ever reported is no operation.
  if (changed.has('position') && line.states.has('position')) line.lastOperationAt = positionAt
  for (const [key, value] of changed) line.states.set(key, value)
  if (positionAt !== null) line.positionAt = positionAt
  if (positionSince !== undefined) line.positionSince = positionSince
}

/** Answers the devices that came or went, also with their gateway. */
function applyGateways({ links, deviceLinks, births, signals, clocks, refused }: Batch): ReadonlySet<PlantDevice> {
  const moved = new Set<PlantDevice>()
  for (const change of links) {
    if (refused.has(change)) continue
    const { gateway, link, reason, at, bdSeq, reportingPeriodMs } = change
    if (gateway.link !== link) {
      gateway.linkSince = at
      for (const device of gateway.devices.values()) moved.add(device)
    }
    gateway.link = link
    gateway.linkReason = reason
    gateway.bdSeq = bdSeq ?? gateway.bdSeq
    gateway.reportingPeriodMs = reportingPeriodMs ?? gateway.reportingPeriodMs
  }
  if (!refused.has(deviceLinks))
    for (const [device, { link, reason, at }] of deviceLinks) {
      if (device.link !== link) device.linkSince = at
      device.link = link
      device.linkReason = reason
      moved.add(device)
    }
  for (const birth of births) {
    if (refused.has(birth)) continue
    const { gateway, model, firmware, keepsPeriod, receivedAt } = birth
    gateway.keepsPeriod = keepsPeriod
    gateway.model = model ?? gateway.model
    gateway.firmware = firmware ?? gateway.firmware
    if (firmware !== null) gateway.firmwareAt = receivedAt
  }
  for (const [gateway, synchronised] of clocks) gateway.clockSynchronised = synchronised
  if (!refused.has(signals)) for (const [gateway, signal] of signals) gateway.signal = signal
  return moved
}

/** A setting of a line, or how often a gateway reports, that the database did not take. */
const isRefused = ({ settings, links, refused }: Batch, { line, gateway, key, value }: ReadBack): boolean =>
  line
    ? settings.some((each) => each.line === line && each.key === key && each.value === value && refused.has(each))
    : links.some((each) => each.gateway === gateway && each.reportingPeriodMs === Math.round(value * 1000) && refused.has(each))
