import type {
  insertMeter,
  List,
  Meter as MeterReply,
  MetersOfLine,
  Problem,
  Request,
  removeMeter,
  updateMeter,
} from '@linewarden/contract'
import { Refusal, textOf } from '@linewarden/contract'
import { civilZone } from '@linewarden/rules/automation'
import type { Meter, MeterProblem, TypedMeter } from '@linewarden/rules/energy'
import {
  correctedAt,
  isDoubt,
  maxMetersOfLine,
  meterProblems,
  plainMeter,
  replacedAt,
  withoutMeter,
} from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Plant, PlantLine, PlantProject } from '../../plant/plant.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy } from '../../store/core/row-security.ts'
import type { StoredMeter } from '../../store/energy/meters.ts'
import { linesDue, linesMetered, meterReadings, metersOf, saveMeters, versionOf } from '../../store/energy/meters.ts'
import { invalid } from './asked.ts'

export type Meters = ReturnType<typeof createMeters>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

type Db = Parameters<typeof meterReadings>[0]
type Fields = Pick<
  Request<typeof updateMeter>['body'],
  'Serial' | 'Multiplier' | 'AccuracyPercent' | 'RegisterMaxKwh' | 'StartRegisterKwh'
>

/** The meters of lines one after the other, as somebody entered them. */
export function createMeters({ database, plant, clock }: Deps) {
  return {
    async list(actor: Actor, project: PlantProject): Promise<List<MetersOfLine>> {
      const lines = [...plant.lines.values()].filter(({ device }) => device.gateway.project === project)
      const items = await replies(actor, lines)
      return { items, total: items.length }
    },

    insert(actor: Actor, project: PlantProject, body: Request<typeof insertMeter>['body']): Promise<MetersOfLine> {
      const { From, FormerEndKwh, Anyway = false } = body
      return save(actor, project, body, 'meter.replace', async (before, trx) => {
        if (before.length >= maxMetersOfLine) throw new Refusal('too many', { what: metersName, most: maxMetersOfLine })
        const next = { ...typedOf(body), endRegisterKwh: null }
        const after = From > clock() ? null : replacedAt(before, From, { endRegisterKwh: FormerEndKwh, next })
        if (after === null) throw invalid('body.From', textOf('meter time wrong'))
        const place = after.findIndex(({ from }) => from === From)
        await refuseWrong(trx, body.LineID, Anyway, project, [
          { meter: after[place - 1], endField: 'FormerEndKwh', only: 'end' },
          { meter: after[place], endField: 'EndRegisterKwh', only: 'all' },
        ])
        return after
      })
    },

    update(actor: Actor, project: PlantProject, body: Request<typeof updateMeter>['body']): Promise<MetersOfLine> {
      const { MeterID, From, EndRegisterKwh, Anyway = false } = body
      return save(actor, project, body, 'meter.correct', async (before, trx) => {
        const all: readonly Meter[] = before.length === 0 ? [plainMeter] : before
        const place = MeterID === null && before.length === 0 ? 0 : before.findIndex(({ id }) => id === MeterID)
        if (place < 0) throw new Refusal('meter not exists')
        if ((place === 0) !== (From === null))
          throw invalid('body.From', textOf(place === 0 ? 'meter first' : 'meter time wrong'))
        const next = { ...typedOf(body), endRegisterKwh: EndRegisterKwh }
        const from = From ?? Number.NEGATIVE_INFINITY
        const after = from > clock() ? null : correctedAt(all, place, next, from)
        if (after === null) throw invalid('body.From', textOf('meter time wrong'))
        await refuseWrong(trx, body.LineID, Anyway, project, [{ meter: after[place], endField: 'EndRegisterKwh', only: 'all' }])
        return after
      })
    },

    remove(actor: Actor, project: PlantProject, body: Request<typeof removeMeter>['body']): Promise<MetersOfLine> {
      return save(actor, project, body, 'meter.remove', (before) => {
        const place = before.findIndex(({ id }) => id === body.MeterID)
        if (place < 0) throw new Refusal('meter not exists')
        const after = withoutMeter(before, place)
        if (after === null) throw new Refusal('meter remove first')
        return Promise.resolve(after)
      })
    },
  }

  async function save(
    actor: Actor,
    project: PlantProject,
    { LineID, Version, Reason }: { readonly LineID: number; readonly Version: number; readonly Reason: string },
    action: 'meter.replace' | 'meter.correct' | 'meter.remove',
    plan: (before: readonly StoredMeter[], trx: Db) => Promise<readonly Meter[]>,
  ): Promise<MetersOfLine> {
    if (actor.shared) throw new Refusal('access denied')
    const line = plant.lines.get(LineID)
    if (line?.device.gateway.project !== project) throw new Refusal('line not exists')
    const at = clock()
    const asked = { projectId: project.id, owner: project.ownerId, lineId: LineID, version: Version, at }
    const saved = await saveMeters(
      database.general,
      { ...asked, reason: Reason.trim(), name: actor.userName },
      plan,
      (before, after) => ({
        ...by(actor, at, action, project.ownerId),
        subject: aboutLine(line),
        target: line.name,
        before: { meters: before.map(auditedOf) },
        after: { meters: after.map(auditedOf), reason: Reason.trim() },
      }),
    )
    if (saved === 'noProject') throw new Refusal('project not exists')
    if (saved === 'changed') throw new Refusal('changed meanwhile')
    return (await replies(actor, [line]))[0] ?? replyOf(line, { since: null, own: [], isDue: false, isNamed: true })
  }

  /** Those of these lines that count energy, or that have a meter. */
  async function replies(actor: Actor, lines: readonly PlantLine[]): Promise<MetersOfLine[]> {
    const ids = lines.map(({ id }) => id)
    const { metered, meters } = await linesSeenBy(
      database,
      actor.scope,
      ids,
    )(async (db) => ({ metered: await linesMetered(db.general, ids), meters: await metersOf(db.general, ids) }))
    const due = await linesDue(database.general, ids)
    return lines.flatMap((line) => {
      const since = metered.get(line.id) ?? null
      const own = meters.get(line.id) ?? []
      return since === null && own.length === 0
        ? []
        : replyOf(line, { since, own, isDue: due.has(line.id), isNamed: !actor.shared })
    })
  }
}

interface OfLine {
  readonly since: number | null
  readonly own: readonly StoredMeter[]
  readonly isDue: boolean
  readonly isNamed: boolean
}

const replyOf = (line: PlantLine, { since, own, isDue, isNamed }: OfLine): MetersOfLine => ({
  ...{ LineID: line.id, Name: line.name, GatewayName: line.device.gateway.name, Since: since, Version: versionOf(own) },
  ...{ Meters: own.map((meter) => recordOf(meter, isNamed)), Due: isDue },
})

const metersName = { zh: '表计', en: 'meters of a line' }

interface Checked {
  readonly meter: Meter | undefined
  readonly endField: 'EndRegisterKwh' | 'FormerEndKwh'
  /** Of a meter that was there before only its end is typed now. */
  readonly only: 'end' | 'all'
}

/** Everything at once; what is doubtful is stored where somebody says that it is right. */
async function refuseWrong(
  trx: Db,
  lineId: number,
  anyway: boolean,
  { timeZone }: PlantProject,
  checked: readonly Checked[],
): Promise<void> {
  const problems: Problem[] = []
  let isWrong = false
  for (const { meter, endField, only } of checked) {
    if (!meter) continue
    for (const problem of meterProblems(meter, await meterReadings(trx, lineId, meter))) {
      if ((only === 'end' && problem.problem !== 'endBelow') || (anyway && isDoubt(problem))) continue
      isWrong ||= !isDoubt(problem)
      problems.push(problemOf(problem, endField, timeZone))
    }
  }
  if (problems.length > 0) throw new Refusal(isWrong ? 'meter wrong' : 'meter doubtful', { count: problems.length }, problems)
}

function problemOf(problem: MeterProblem, endField: string, timeZone: string): Problem {
  const read = ({ kwh, at }: { readonly kwh: number; readonly at: number }) => ({
    kwh: String(Number(kwh.toFixed(3))),
    at: minuteText(timeZone, at),
  })
  switch (problem.problem) {
    case 'multiplierWrong':
      return { Path: 'body.Multiplier', Text: textOf('meter multiplier wrong') }
    case 'noEnd':
      return { Path: `body.${endField}`, Text: textOf('meter without end') }
    case 'maxTooLow':
      return { Path: 'body.RegisterMaxKwh', Text: textOf('meter max too low', read(problem.last)) }
    case 'endBelow':
      return { Path: `body.${endField}`, Text: textOf('meter end below', read(problem.last)) }
    case 'startAbove':
      return { Path: 'body.StartRegisterKwh', Text: textOf('meter start above', read(problem.first)) }
  }
}

/** On the project's clock. */
const minuteText = (timeZone: string, at: number): string =>
  new Date(civilZone(timeZone).wallAt(at)).toISOString().slice(0, 16).replace('T', ' ')

const typedOf = (fields: Fields): Omit<TypedMeter, 'endRegisterKwh'> => ({
  ...{ serial: fields.Serial.trim(), multiplier: fields.Multiplier, accuracyPercent: fields.AccuracyPercent },
  ...{ registerMaxKwh: fields.RegisterMaxKwh, startRegisterKwh: fields.StartRegisterKwh },
})

const atOrNull = (at: number): number | null => (Number.isFinite(at) ? at : null)

const auditedOf = (meter: Meter) => ({
  ...{ from: atOrNull(meter.from), to: meter.to, serial: meter.serial, multiplier: meter.multiplier },
  ...{ accuracyPercent: meter.accuracyPercent, registerMaxKwh: meter.registerMaxKwh },
  ...{ startRegisterKwh: meter.startRegisterKwh, endRegisterKwh: meter.endRegisterKwh },
})

/** Guests see the meters, and nobody: `isNamed` is false for them. */
const recordOf = (meter: StoredMeter, isNamed: boolean): MeterReply => ({
  ...{ MeterID: meter.id, From: atOrNull(meter.from), To: meter.to, Serial: meter.serial, Multiplier: meter.multiplier },
  ...{ AccuracyPercent: meter.accuracyPercent, RegisterMaxKwh: meter.registerMaxKwh },
  ...{ StartRegisterKwh: meter.startRegisterKwh, EndRegisterKwh: meter.endRegisterKwh, Reason: meter.reason },
  ...{ TypedAt: meter.typedAt, TypedBy: isNamed ? meter.typedName : null },
})
