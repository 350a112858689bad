import type { countWarnings, queryWarnings, Reply, Request, Warning } from '@linewarden/contract'
import { Refusal, sparkDays } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { AlarmState } from '@linewarden/rules/alarm'
import { isUnacknowledged, openAlarmStates, unacknowledgedStates } from '@linewarden/rules/alarm'
import type { WarningLevel } from '@linewarden/rules/warning'
import { ruleTexts, shareOfLimit } from '@linewarden/rules/warning'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { eventRecord } from '../../store/alarm/event-record.ts'
import type { KeptRationale } from '../../store/alarm/rationale.ts'
import { rationalesInForce } from '../../store/alarm/rationale.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { featuresOf } from '../../store/warning/feature.ts'
import type { FindingFilter, FindingRow } from '../../store/warning/finding.ts'
import {
  countFindings,
  findingById,
  findingIds,
  findingsByIds,
  listFindings,
  newestFindings,
} from '../../store/warning/finding.ts'
import { eventFilterOf } from '../alarm/filter.ts'
import { inForce } from '../alarm/rationale.ts'
import { createCoverage } from './coverage.ts'
import type { WarningDeps } from './deps.ts'
import { dayText, localDay, sparkOf } from './line-facts.ts'

type Asked = Omit<Request<typeof queryWarnings>['body'], 'Page' | 'Size'>

const newestShown = 10
const acknowledgedStates = openAlarmStates.filter((state) => !isUnacknowledged(state))

export type Findings = ReturnType<typeof createFindings>

/** What detectors found: events of theirs, with their proof. */
export function createFindings(deps: WarningDeps) {
  const { database, plant, clock } = deps
  const { coverage } = createCoverage(deps)
  return {
    findingOf,
    findingIdsOf,
    findingsOf,
    findingRecords,

    async count(actor: Actor): Promise<Reply<typeof countWarnings>> {
      const filter = await filterOf(actor, null, {})
      const { counts, newest } = await withRowSecurity(database, actor.scope, async (db) => ({
        counts: await countFindings(db, filter, clock()),
        newest: await newestFindings(db, filter, newestShown),
      }))
      const { Shelved: _, ...about } = countsOf(counts)
      return { ...about, Newest: newest.map((row) => eventRecord(row, plant)) }
    },

    async query(
      actor: Actor,
      project: PlantProject | null,
      { Page = 1, Size = 10, ...asked }: Request<typeof queryWarnings>['body'],
    ): Promise<Reply<typeof queryWarnings>> {
      const filter = await filterOf(actor, project, asked)
      const place = await filterOf(actor, project, placeOf(asked))
      const page = { now: clock(), page: Page, size: Size }
      const { listed, counts } = await withRowSecurity(database, actor.scope, async (db) => ({
        listed: await listFindings(db, filter, page),
        counts: await countFindings(db, place, page.now),
      }))
      return {
        items: await findingRecords(actor, listed.rows),
        total: listed.total,
        about: { ...countsOf(counts), ...(await coverage(actor, project, asked)) },
      }
    },
  }

  /** One finding that somebody sees, as if there were no other events. */
  async function findingOf(actor: Actor, eventId: string): Promise<FindingRow> {
    const row = await findingById(database, eventId)
    if (!row || !sees(actor, row)) throw new Refusal('warning not exists')
    return row
  }

  function sees(actor: Actor, row: FindingRow): boolean {
    if (actor.sees(row.project_id)) return true
    const gateway = row.gateway_id === null ? undefined : plant.gateways.get(row.gateway_id)
    return gateway !== undefined && actor.seesGateway(gateway)
  }

  /** The numbers of so many findings, in the order of the list. */
  async function findingIdsOf(actor: Actor, project: PlantProject | null, asked: Asked, most: number) {
    const filter = await filterOf(actor, project, asked)
    return withRowSecurity(database, actor.scope, (db) => findingIds(db, filter, { now: clock(), most }))
  }

  async function findingsOf(actor: Actor, ids: readonly string[]) {
    return findingRecords(actor, await withRowSecurity(database, actor.scope, (db) => findingsByIds(db, ids)))
  }

  async function filterOf(actor: Actor, project: PlantProject | null, asked: Asked): Promise<FindingFilter> {
    const { Levels, Acknowledged, Open = true, ...rest } = asked
    const events = await eventFilterOf(deps, actor, project, { ...rest, States: statesOf(Open, Acknowledged) })
    return { events, levels: Levels ?? null }
  }

  /** Findings as the API shows them, each with its last weeks. */
  async function findingRecords(actor: Actor, rows: readonly FindingRow[]): Promise<Warning[]> {
    const lines = rows.flatMap(({ line_id }) => (line_id === null ? [] : (plant.lines.get(line_id) ?? [])))
    const ids = [...new Set(lines.map(({ id }) => id))]
    const now = clock()
    const latest = Math.ceil(now / dayMs)
    const features =
      ids.length === 0
        ? []
        : await withRowSecurity(database, actor.scope, (db) => featuresOf(db, ids, latest - sparkDays - 2, latest), ids)
    const written = rows.length === 0 ? [] : await rationalesInForce(database)
    const byLine = Map.groupBy(features, ({ line_id }) => line_id)
    return rows.map((row) => {
      const line = row.line_id === null ? undefined : plant.lines.get(row.line_id)
      const today = localDay(line?.device.gateway.project.timeZone ?? 'UTC', now)
      return { ...findingRecord(row, written), Spark: sparkOf(row, line, byLine.get(line?.id ?? 0) ?? [], today) }
    })
  }

  function findingRecord(row: FindingRow, written: readonly KeptRationale[]): Omit<Warning, 'Spark'> {
    const { value, limit } = row.evidence
    const place = { projectId: row.project_id, ownerId: plant.projects.get(row.project_id)?.ownerId ?? null }
    return {
      Event: eventRecord(row, plant),
      Level: row.level,
      Evidence: evidenceRecord(row),
      Share: shareOfLimit(row.key, value, limit),
      Advice: adviceOf(row, inForce(row.key, place, written)),
    }
  }
}

/** In a list it is one sentence: what somebody wrote, else that of the rule; the whole answer stands beside the alarm. */
function adviceOf({ key, label_zh, label_en }: FindingRow, { origin, texts }: ReturnType<typeof inForce>): Warning['Advice'] {
  const written = origin === 'builtIn' ? undefined : texts?.action
  return written ?? ruleTexts[key]?.advice ?? { zh: label_zh, en: label_en }
}

const placeOf = ({ HouseID, CityID, DeviceID, ControllerID, LineID }: Asked): Asked => ({
  ...(HouseID !== undefined && { HouseID }),
  ...(CityID !== undefined && { CityID }),
  ...(DeviceID !== undefined && { DeviceID }),
  ...(ControllerID !== undefined && { ControllerID }),
  ...(LineID !== undefined && { LineID }),
})

function statesOf(open: boolean, acknowledged: boolean | undefined): AlarmState[] {
  if (!open) return acknowledged === false ? [] : ['normal']
  if (acknowledged === undefined) return [...openAlarmStates]
  return acknowledged ? [...acknowledgedStates] : [...unacknowledgedStates]
}

function countsOf(counts: Awaited<ReturnType<typeof countFindings>>) {
  const sum = (which: (each: (typeof counts)[number]) => boolean) =>
    counts.filter(which).reduce((total, { findings }) => total + findings, 0)
  const of = (level: WarningLevel) => sum((each) => each.level === level)
  return {
    Alarm: of('alarm'),
    Warning: of('warning'),
    Notice: of('notice'),
    Unacknowledged: sum(({ state, shelved }) => isUnacknowledged(state) && !shelved),
    Shelved: sum(({ shelved }) => shelved),
  }
}

const evidenceRecord = ({ evidence, evidence_day, rule_version }: FindingRow): Warning['Evidence'] => ({
  Value: evidence.value,
  Limit: evidence.limit,
  NextLimit: evidence.nextLimit ?? null,
  Unit: evidence.unit,
  Baseline: evidence.baseline,
  Spread: evidence.spread,
  Slope: evidence.slope,
  ToLimit: evidence.toLimit && {
    Lo: evidence.toLimit.lo,
    Mid: evidence.toLimit.mid,
    Hi: evidence.toLimit.hi,
    Confidence: evidence.toLimit.confidence,
  },
  Used: evidence.used,
  AsOf: evidence_day === null ? null : dayText(evidence_day),
  RuleVersion: rule_version,
})
