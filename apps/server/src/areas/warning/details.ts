import type { lineWarnings, Reply, Request, warningDetails } from '@linewarden/contract'
import { dayMs, hourMs } from '@linewarden/equipment'
import type { CalendarDay } from '@linewarden/rules/automation'
import type { LineHours, LineKind } from '@linewarden/rules/warning'
import {
  contact,
  contactDays,
  daySeries,
  defaultParams,
  detectors,
  leakageDrift,
  leakageStep,
  learningDays,
} from '@linewarden/rules/warning'
import type { Actor } from '../../access/actor.ts'
import type { PlantLine, PlantProject } from '../../plant/plant.ts'
import { daysOfOwners, daysOfProjects } from '../../store/automation/calendar.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { FeatureRow, HoursOfDay } from '../../store/warning/feature.ts'
import { explanationOf, featuresOf, hoursOfDays, lookAt, openFindingsOf } from '../../store/warning/feature.ts'
import type { FindingRow } from '../../store/warning/finding.ts'
import { contactSeries } from './contact-series.ts'
import type { WarningDeps } from './deps.ts'
import type { Findings } from './findings.ts'
import { leakageSeries } from './leakage-series.ts'
import { clockOf, dayText, kindOfLine, localDay, shownDay } from './line-facts.ts'
import { restSlots } from './night-window.ts'
import type { IsRestDay } from './rest-days.ts'
import { restDays } from './rest-days.ts'
import type { RulesInForce } from './rules-in-force.ts'

/** Days that the pictures of a finding go back, and their hours. */
const [drawnDays, drawnHours] = [63, 34]
const leakageKeys: readonly string[] = [leakageStep.key, leakageDrift.key]

/** What the proof of a finding is drawn from, and what is kept of a line. */
export function createDetails({ database, plant, clock }: WarningDeps, rules: RulesInForce, findings: Findings) {
  return {
    async details(actor: Actor, eventId: string): Promise<Reply<typeof warningDetails>> {
      const row = await findings.findingOf(actor, eventId)
      const line = row.line_id === null ? undefined : plant.lines.get(row.line_id)
      const explained = await withRowSecurity(database, actor.scope, (db) => explanationOf(db, row.event_id))
      return {
        Warning: (await findings.findingRecords(actor, [row]))[0] as Reply<typeof warningDetails>['Warning'],
        Explained: explained ? explanationRecord(explained) : null,
        ...(line ? await drawn(actor, row, line) : { Contact: null, Leakage: null, Series: [] }),
      }
    },

    async ofLine(
      actor: Actor,
      line: PlantLine,
      { Days = 35 }: Request<typeof lineWarnings>['query'],
    ): Promise<Reply<typeof lineWarnings>> {
      const today = localDay(line.device.gateway.project.timeZone, clock())
      const { features, look, open } = await withRowSecurity(
        database,
        actor.scope,
        async (db) => ({
          features: await featuresOf(db, [line.id], today - Days + 1, today),
          look: await lookAt(db, line.id),
          open: await openFindingsOf(db, line.id),
        }),
        [line.id],
      )
      const kind = kindOfLine(line)
      const place = { project: line.device.gateway.project, family: line.device.family.key, lineId: line.id }
      return {
        LineID: line.id,
        TripMa: kind.tripMa,
        RatedA: kind.ratedA,
        DaysLearnt: look ? Math.max(0, today - look.learnt_from) : 0,
        LearningDays: learningDays,
        Points: kind.currentPoints.map((point) => pointOf(line, point)),
        Terminals: kind.terminalPoints.map((point) => pointOf(line, point)),
        Days: features.map((row) => featureRecord(row)),
        Rules: detectors.map((detector) => {
          const rule = rules.of(detector, place)
          const outcome = look?.outcomes[detector.key]
          const why = outcome?.is === 'notEvaluated' ? outcome : null
          return {
            Key: detector.key,
            Label: detector.label,
            Enabled: rule.enabled,
            Version: rule.version,
            EventID: open.find(({ key }) => key === detector.key)?.event_id ?? null,
            NotEvaluated: why?.reason ?? null,
            Have: why?.have ?? null,
            Need: why?.need ?? null,
          }
        }),
      }
    },
  }

  async function drawn(actor: Actor, row: FindingRow, line: PlantLine) {
    const { project } = line.device.gateway
    // What was evaluated late is drawn as it was then: as if it had been raised when its day had ended.
    const raisedAt = row.day === null ? row.raised_at.getTime() : clockOf(project.timeZone).moment((row.day + 1) * dayMs)
    const raisedDay = localDay(project.timeZone, raisedAt)
    const ended = row.returned_at?.getTime() ?? clock()
    const today = Math.max(raisedDay, localDay(project.timeZone, ended))
    const kind = kindOfLine(line)
    const isContact = row.key === contact.key
    const hoursFrom = isContact ? today - contactDays - 1 : raisedDay - drawnHours
    const needsHours = isContact || leakageKeys.includes(row.key)
    const { features, days, look } = await withRowSecurity(
      database,
      actor.scope,
      async (db) => ({
        features: await featuresOf(db, [line.id], Math.min(raisedDay, today) - drawnDays, today),
        days: needsHours ? await hoursOfDays(db, line.id, hoursFrom, today) : [],
        look: await lookAt(db, line.id),
      }),
      [line.id],
    )
    const entered = needsHours ? await daysEntered(database, project) : []
    const hours = hoursOf(days, kind, clockOf(project.timeZone).local, restDays(project, entered))
    const until = features.at(-1)?.day ?? today
    return {
      Contact: isContact ? contactSeries(row, { line, kind, hours, features, until, params: paramsOfContact(line) }) : null,
      Leakage: leakageKeys.includes(row.key)
        ? leakageSeries(row, { kind, hours, features, today: until, raisedAt, raisedDay, learntFrom: look?.learnt_from ?? null })
        : null,
      Series: seriesOf(row, kind, features),
    }
  }

  function paramsOfContact(line: PlantLine) {
    const place = { project: line.device.gateway.project, family: line.device.family.key, lineId: line.id }
    return { ...defaultParams(contact), ...rules.of(contact, place).params }
  }
}

const explanationRecord = ({
  from_day,
  reason,
  actor,
  at,
  ...undone
}: NonNullable<Awaited<ReturnType<typeof explanationOf>>>) => ({
  ...{ From: dayText(from_day), Reason: reason, By: actor, At: at.getTime() },
  Undone:
    undone.undone_at === null
      ? null
      : { Reason: undone.undone_reason ?? '', By: undone.undone_by ?? '', At: undone.undone_at.getTime() },
})

/** The figure a day of a detector that has neither picture of its own. */
function seriesOf({ key, point, evidence }: FindingRow, kind: LineKind, features: readonly FeatureRow[]) {
  const series = daySeries(key)
  if (!series || key === contact.key || leakageKeys.includes(key)) return []
  return [
    {
      Label: series.label,
      Unit: series.unit,
      Limit: evidence.unit === series.unit ? evidence.limit : null,
      Days: features.map((row) => ({ Day: dayText(row.day), Value: series.of(shownDay(row), kind, point) })),
    },
  ]
}

const pointOf = (line: PlantLine, key: string) => {
  const point = line.device.family.points.find((each) => each.key === key)
  return { Point: key, Label: point?.label ?? { zh: key, en: key }, Unit: point?.unit ?? '' }
}

const featureRecord = (row: FeatureRow): Reply<typeof lineWarnings>['Days'][number] => ({
  Day: dayText(row.day),
  FloorMa: row.leak_floor_ma,
  PeakMa: row.leak_peak_ma,
  Hours: row.hours,
  CoveragePercent: 100 * row.coverage,
  UsualPeakA: [...row.i95_a],
  PeakA: [...row.peak_a],
  ContactK: [...row.excess_k],
})

/** Stored hours as detectors read them. */
function hoursOf(days: readonly HoursOfDay[], kind: LineKind, local: (at: number) => number, isRestDay: IsRestDay): LineHours {
  const [phases, terminals] = [kind.currentPoints.length, kind.terminalPoints.length]
  const lengthOf = ({ residualMa, maxA }: HoursOfDay) => residualMa?.length ?? (phases > 0 ? Math.floor(maxA.length / phases) : 0)
  const total = days.reduce((sum, each) => sum + lengthOf(each), 0)
  const columns = (wide: number) => Array.from({ length: wide }, () => new Float32Array(total).fill(Number.NaN))
  const hours: LineHours = {
    ...{ hour: new Int32Array(total), day: new Int32Array(total), slot: new Uint8Array(total), counts: new Uint8Array(total) },
    ...{ squareA2: columns(phases), maxA: columns(phases), terminalC: columns(terminals) },
    residualMa: new Float32Array(total).fill(Number.NaN),
  }
  let at = 0
  for (const each of days) {
    const length = lengthOf(each)
    const put = (wide: readonly Float32Array[], stored: Float32Array) => {
      if (stored.length !== wide.length * length) return
      for (const [nth, column] of wide.entries()) column.set(stored.subarray(nth * length, (nth + 1) * length), at)
    }
    const firstSlot = isRestDay(each.day) ? restSlots : 0
    for (let i = 0; i < length; i++) {
      hours.hour[at + i] = each.firstHour + i
      hours.day[at + i] = each.day
      hours.counts[at + i] = (each.counts >> i) & 1
      const hourOfDay = Math.floor((local((each.firstHour + i) * hourMs) % (24 * hourMs)) / hourMs)
      hours.slot[at + i] = firstSlot + hourOfDay
    }
    put(hours.squareA2, each.squareA2)
    put(hours.maxA, each.maxA)
    put(hours.terminalC, each.terminalC)
    if (each.residualMa) hours.residualMa.set(each.residualMa, at)
    at += length
  }
  return hours
}

/** What the project enters goes before what its owner does. */
async function daysEntered(
  { general }: WarningDeps['database'],
  { id, ownerId }: Pick<PlantProject, 'id' | 'ownerId'>,
): Promise<readonly CalendarDay[]> {
  const ofOwner = (await daysOfOwners(general, [ownerId])).get(ownerId) ?? []
  return [...ofOwner, ...((await daysOfProjects(general, [id])).get(id) ?? [])]
}
