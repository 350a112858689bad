import { civilZone } from '@linewarden/rules/automation'
import { selfTestKeys } from '@linewarden/rules/hazard'
import type { Origin, Verification } from '@linewarden/rules/workorder'
import {
  isTripKey,
  lastingProof,
  noTripMs,
  onlineShare,
  quietNeedsOf,
  showsUnderLoad,
  verifiedFrom,
  verify,
} from '@linewarden/rules/workorder'
import type { Kysely } from 'kysely'
import type { PlantDevice, PlantLine } from '../../plant/plant.ts'
import { linesBehind, reportingPeriodOf } from '../../plant/plant.ts'
import type { Schema } from '../../store/core/schema.ts'
import type { HazardRow } from '../../store/hazard/hazard.ts'
import type { SourceRow } from '../../store/hazard/looks.ts'
import { lookSources } from '../../store/hazard/looks.ts'
import type { OrderRow } from '../../store/workorder/order.ts'
import type { OriginFacts } from '../../store/workorder/verification.ts'
import { dataShare, lastTripOf, loadedDays, originsOf, originsOfHazard } from '../../store/workorder/verification.ts'
import { isTestable } from '../control/self-test-plans.ts'
import type { WorkOrderDeps } from './deps.ts'
import type { Proved } from './proof-looks.ts'
import { createLooks } from './proof-looks.ts'

/** However often a line reports, data are asked for in no shorter periods. */
const minPeriodMs = 60_000

/** What of a plant proves that an order was dealt with. */
export function createProof({ plant }: Pick<WorkOrderDeps, 'plant'>) {
  const { lookOf, selfTestLook } = createLooks(plant)
  return { verificationOf, verificationOfHazard }

  /** Of several alarms the one with the weakest proof. What is proved stays so: of that only what is back is looked for. */
  async function verificationOf(db: Kysely<Schema>, row: OrderRow, processedAt: number, now: number): Promise<Verification> {
    const origins = await originsOf(db, row.order_id)
    const looks = row.hazard_id === null ? [] : await lookSources(db, row.hazard_id)
    return weakest(db, row, { origins, looks }, processedAt, now)
  }

  /** Of a hazard that no order sees to: what counts is what came after it was last seen. */
  async function verificationOfHazard(db: Kysely<Schema>, row: HazardRow, now: number): Promise<Verification> {
    const [origins, looks] = [await originsOfHazard(db, row.hazard_id), await lookSources(db, row.hazard_id)]
    return weakest(db, row, { origins, looks }, row.last_seen.getTime(), now)
  }

  async function weakest(
    db: Kysely<Schema>,
    row: Proved,
    { origins, looks }: { readonly origins: readonly (OriginFacts | null)[]; readonly looks: readonly SourceRow[] },
    since: number,
    now: number,
  ): Promise<Verification> {
    const each: Verification[] = []
    for (const facts of origins) each.push(verify(await originOf(db, row, facts, since, now), since, now))
    for (const source of looks) each.push(verify(await lookOf(db, row, source), since, now))
    return lastingProof(row.verification, each.toSorted((a, b) => rankOf(a) - rankOf(b))[0] ?? { state: 'none' })
  }

  async function originOf(
    db: Kysely<Schema>,
    row: Proved,
    facts: OriginFacts | null,
    processedAt: number,
    now: number,
  ): Promise<Origin> {
    if (facts === null) return { kind: 'unknown' }
    const line = row.line_id === null ? undefined : plant.lines.get(row.line_id)
    if (facts.key === selfTestKeys.failed && line !== undefined && isTestable(line)) return selfTestLook(row)
    const isProvedBefore = row.verification?.state === 'verified'
    if (isTripKey(facts.key) && row.line_id !== null)
      return {
        kind: 'trip',
        causeRecorded: line !== undefined && line.lockoutCause === null,
        closedSince: line ? closedSince(line) : null,
        lastTripAt: await lastTripOf(db, row.line_id),
        dataShare: isProvedBefore ? null : await tripDataShare(db, line, processedAt, now),
      }
    const needs = quietNeedsOf(facts)
    const from = Math.max(verifiedFrom(processedAt, facts.returnedAt), now - needs.quietMs)
    const lines = line ? [line] : linesConcerned(row)
    const { active, lastRaisedAt, returnedAt } = facts
    // While it is there, and once it was proved, nothing is decided by what was reported.
    const isDecidedSo = isProvedBefore || active
    const reported = isDecidedSo ? null : await reportedShare(db, lines, from, now)
    const loaded = line && !isDecidedSo && showsUnderLoad(facts) ? await daysLoaded(db, line, facts, processedAt) : null
    return {
      ...{ kind: 'alarm', active, lastRaisedAt, returnedAt, dataShare: reported, needs },
      ...(loaded !== null && { loadedDays: loaded }),
    }
  }

  /** By the days of the project, each looked at once it is over. */
  function daysLoaded(db: Kysely<Schema>, line: PlantLine, facts: OriginFacts, processedAt: number): Promise<number | null> {
    const { dayAt } = civilZone(line.device.gateway.project.timeZone)
    return loadedDays(db, line.id, facts.eventId, dayAt(verifiedFrom(processedAt, facts.returnedAt)))
  }

  /** Asked once seven days are over: before, nothing is decided by it. */
  async function tripDataShare(db: Kysely<Schema>, line: PlantLine | undefined, processedAt: number, now: number) {
    const from = now - noTripMs
    return line === undefined || from < processedAt ? null : await reportedShare(db, [line], from, now)
  }

  /** Whoever reports only what changes proves by its link that nothing did. */
  async function reportedShare(
    db: Kysely<Schema>,
    lines: readonly PlantLine[],
    from: number,
    to: number,
  ): Promise<number | null> {
    const [first] = lines
    if (!first) return null
    const periodMs = reportingPeriodOf(first.device)
    if (periodMs === 0) return onlineShare(onlineSince(first.device), from, to)
    const ids = lines.map(({ id }) => id)
    return dataShare(db, ids, { from, to, periodMs: Math.max(minPeriodMs, periodMs) })
  }

  /** Of what concerns a whole device or gateway any of its lines shows that it is there. */
  function linesConcerned({ device_id, gateway_id }: Proved): PlantLine[] {
    const device = device_id === null ? undefined : plant.devices.get(device_id)
    if (device) return [...device.lines.values()]
    const gateway = gateway_id === null ? undefined : plant.gateways.get(gateway_id)
    return gateway ? linesBehind(gateway) : []
  }
}

/** Null: it is not closed, or is away and may have been opened: how it was reported last proves nothing. */
const closedSince = (line: PlantLine): number | null =>
  line.states.get('position') === 'closed' && onlineSince(line.device) !== null ? line.positionSince : null

/** Since when a device and its gateway are both online; null: one of them is not. */
function onlineSince(device: PlantDevice): number | null {
  const { gateway } = device
  if (device.link !== 'online' || gateway.link !== 'online' || device.linkSince === null || gateway.linkSince === null)
    return null
  return Math.max(device.linkSince, gateway.linkSince)
}

const ranks: Readonly<Record<Verification['state'], number>> = { contradicted: 0, noData: 1, running: 2, verified: 3, none: 4 }
const rankOf = (verification: Verification): number =>
  ranks[verification.state] + (verification.state === 'running' ? verification.haveMs / (verification.needMs + 1) : 0)
