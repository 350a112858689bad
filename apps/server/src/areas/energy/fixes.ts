import type { EnergyFix as FixReply, insertFix, List, Request, undoFix } from '@linewarden/contract'
import { Refusal, textOf } from '@linewarden/contract'
import type { FixProblem } from '@linewarden/rules/energy'
import { fixProblem, maxFixesOfProject } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Plant, PlantLine, PlantProject } from '../../plant/plant.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy } from '../../store/core/row-security.ts'
import type { NewFix, StoredFix } from '../../store/energy/fixes.ts'
import { addFix, endFix, fixesOf, lineOfFix } from '../../store/energy/fixes.ts'
import { metersOf } from '../../store/energy/meters.ts'
import { lineSince, readQuarters } from '../../store/energy/read.ts'
import { invalid } from './asked.ts'
import { courseDays, usualCourse } from './usual-course.ts'

export type Fixes = ReturnType<typeof createFixes>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

type Fields = Request<typeof insertFix>['body']

/** Energy that somebody entered over quarters of a line, with a reason. */
export function createFixes({ database, plant, clock }: Deps) {
  return {
    async list(actor: Actor, project: PlantProject): Promise<List<FixReply>> {
      const lines = [...plant.lines.values()].filter(({ device }) => device.gateway.project === project)
      const ids = lines.map(({ id }) => id)
      const rows = await linesSeenBy(database, actor.scope, ids)((db) => fixesOf(db.general, ids, maxFixesOfProject))
      const items = rows.flatMap((row) => {
        const line = plant.lines.get(row.line_id)
        return line ? [recordOf(row, line, !actor.shared)] : []
      })
      return { items, total: items.length }
    },

    async insert(actor: Actor, project: PlantProject, body: Fields): Promise<FixReply> {
      if (actor.shared) throw new Refusal('access denied')
      const line = lineHere(project, body.LineID)
      const fix = await fixOf(actor, project, body)
      const saved = await addFix(database, placeOf(actor, project), fix, maxFixesOfProject, {
        ...by(actor, clock(), 'energyFix.add', project.ownerId),
        ...{ subject: aboutLine(line), target: line.name, after: auditedOf(fix) },
      })
      if (saved === 'noProject') throw new Refusal('project not exists')
      if (saved === 'many') throw new Refusal('too many', { what: { zh: '补量', en: 'entries' }, most: maxFixesOfProject })
      if (saved === 'overlaps') throw new Refusal('energy fix overlaps')
      return recordOf(saved, line, true)
    },

    async undo(actor: Actor, project: PlantProject, { FixID, Reason }: Request<typeof undoFix>['body']): Promise<FixReply> {
      if (actor.shared) throw new Refusal('access denied')
      const line = plant.lines.get((await lineOfFix(database.general, FixID)) ?? 0)
      if (line?.device.gateway.project !== project) throw new Refusal('energy fix not exists')
      const saved = await endFix(database, placeOf(actor, project), FixID, (before) => ({
        ...by(actor, clock(), 'energyFix.undo', project.ownerId),
        ...{
          subject: aboutLine(line),
          target: line.name,
          before: { fix: before.fix_id, wh: before.wh },
          after: { reason: Reason.trim() },
        },
      }))
      if (saved === 'noProject') throw new Refusal('project not exists')
      if (saved === 'gone') throw new Refusal('energy fix not exists')
      if (saved === 'changed') throw new Refusal('changed meanwhile')
      return recordOf(saved, line, true)
    },
  }

  function lineHere(project: PlantProject, lineId: number): PlantLine {
    const line = plant.lines.get(lineId)
    if (line?.device.gateway.project !== project) throw new Refusal('line not exists')
    return line
  }

  function placeOf(actor: Actor, project: PlantProject) {
    return { projectId: project.id, owner: project.ownerId, name: actor.userName, at: clock() }
  }

  async function fixOf(actor: Actor, project: PlantProject, body: Fields): Promise<NewFix> {
    const { LineID: lineId, From: from, To: to, Method: method, Kwh, StartKwh, EndKwh } = body
    if ((method === 'kwh') !== (Kwh !== null)) throw invalid('body.Kwh', textOf('energy fix kwh missing'))
    const hasRegisters = StartKwh !== null && EndKwh !== null
    if ((method === 'register') !== hasRegisters || (StartKwh === null) !== (EndKwh === null))
      throw invalid('body.EndKwh', textOf('energy fix registers missing'))
    const read = linesSeenBy(database, actor.scope, [lineId])
    const { since, meters } = await read(async (db) => ({
      since: await lineSince(db, lineId),
      meters: (await metersOf(db.general, [lineId])).get(lineId) ?? [],
    }))
    const meter = meters.find((each) => each.from <= from && (each.to === null || from < each.to))
    const risenKwh = hasRegisters ? (EndKwh - StartKwh) * (meter?.multiplier ?? 1) : (Kwh ?? 0)
    const wh = method === 'kwh' || method === 'register' ? Math.round(risenKwh * 1_000) : null
    const problem = fixProblem({ from, to }, { since, now: clock(), wh })
    if (problem !== null) throw invalid(fieldOf[problem], textOf(wordsOf[problem]))
    let course: readonly (number | null)[] | null = null
    if (method === 'profile') {
      const past = courseDays(project.timeZone, from)
      const quarters = await read((db) => readQuarters(db, lineId, past.from, past.to))
      course = usualCourse(project.timeZone, quarters, { from, to })
      if (course.every((each) => each === null)) throw invalid('body.Method', textOf('energy fix nothing usual'))
    }
    return {
      ...{ lineId, from, to, method, startKwh: StartKwh, endKwh: EndKwh, course, reason: body.Reason.trim() },
      wh: method === 'kwh' ? wh : null,
    }
  }
}

const fieldOf: Readonly<Record<FixProblem, string>> = {
  ...{ notQuarters: 'body.From', endsBeforeStart: 'body.To', tooLong: 'body.To', beforeData: 'body.From', future: 'body.To' },
  ...{ registerFalls: 'body.EndKwh', tooMuch: 'body.Kwh' },
}
const wordsOf = {
  notQuarters: 'energy fix not quarters',
  endsBeforeStart: 'energy fix ends before start',
  tooLong: 'energy fix too long',
  beforeData: 'energy fix before data',
  future: 'energy fix in future',
  registerFalls: 'energy fix register falls',
  tooMuch: 'energy fix too much',
} as const satisfies Readonly<Record<FixProblem, string>>

const auditedOf = ({ from, to, method, startKwh, endKwh, wh, reason }: NewFix) => ({
  ...{ from, to, method, startKwh, endKwh, wh, reason },
})

/** Guests see what was entered, and nobody: `isNamed` is false for them. */
const recordOf = (row: StoredFix, line: PlantLine, isNamed: boolean): FixReply => ({
  ...{ FixID: row.fix_id, LineID: row.line_id, Name: line.name, GatewayName: line.device.gateway.name },
  ...{ From: row.starts, To: row.ends, Method: row.method, StartKwh: row.start_kwh, EndKwh: row.end_kwh },
  ...{ Kwh: row.method === 'kwh' && row.wh !== null ? row.wh / 1_000 : null, Wh: row.wh, Reason: row.reason },
  ...{ TypedAt: row.typed_at.getTime(), TypedBy: isNamed ? row.typed_name : null },
  ...{ UndoneAt: row.undone_at?.getTime() ?? null, UndoneBy: isNamed ? row.undone_name : null },
  Version: row.undone_at === null ? 1 : 2,
})
