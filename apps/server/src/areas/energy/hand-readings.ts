import type { HandReading, insertHandReading, List, Request, undoHandReading } from '@linewarden/contract'
import { Refusal, textOf } from '@linewarden/contract'
import { civilZone } from '@linewarden/rules/automation'
import { handReadingProblem, maxFixesOfProject } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Plant, PlantLine, PlantProject } from '../../plant/plant.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy } from '../../store/core/row-security.ts'
import type { StoredHandReading } from '../../store/energy/hand-readings.ts'
import { addHandReading, endHandReading, handReadingsOf, lineOfHandReading } from '../../store/energy/hand-readings.ts'
import { metersOf } from '../../store/energy/meters.ts'
import { readingsSince, registersAt } from '../../store/energy/registers.ts'
import { invalid } from './asked.ts'
import { within } from './line-registers.ts'

export type HandReadings = ReturnType<typeof createHandReadings>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

/** Registers that somebody read off at the cabinet: they count as readings do. */
export function createHandReadings({ database, plant, clock }: Deps) {
  return {
    async list(actor: Actor, project: PlantProject): Promise<List<HandReading>> {
      const ids = [...plant.lines.values()].filter(({ device }) => device.gateway.project === project).map(({ id }) => id)
      const rows = await linesSeenBy(database, actor.scope, ids)((db) => handReadingsOf(db.general, ids, maxFixesOfProject))
      const items = rows.flatMap((row) => {
        const line = plant.lines.get(row.line_id)
        return line ? [recordOf(row, line, !actor.shared)] : []
      })
      return { items, total: items.length }
    },

    async insert(actor: Actor, project: PlantProject, body: Request<typeof insertHandReading>['body']): Promise<HandReading> {
      if (actor.shared) throw new Refusal('access denied')
      const line = plant.lines.get(body.LineID)
      if (line?.device.gateway.project !== project) throw new Refusal('line not exists')
      await mustFit(actor, line, body)
      const reading = { lineId: line.id, read: { at: body.At, kwh: body.Kwh }, reason: body.Reason.trim() }
      const saved = await addHandReading(database, placeOf(actor, project), reading, maxFixesOfProject, {
        ...by(actor, clock(), 'energyFix.reading', project.ownerId),
        ...{ subject: aboutLine(line), target: line.name, after: { at: body.At, kwh: body.Kwh, reason: reading.reason } },
      })
      if (saved === 'noProject') throw new Refusal('project not exists')
      if (saved === 'many')
        throw new Refusal('too many', { what: { zh: '抄表读数', en: 'read registers' }, most: maxFixesOfProject })
      if (saved === 'there') throw new Refusal('hand reading exists')
      return recordOf(saved, line, true)
    },

    async undo(
      actor: Actor,
      project: PlantProject,
      { ReadingID, Reason }: Request<typeof undoHandReading>['body'],
    ): Promise<HandReading> {
      if (actor.shared) throw new Refusal('access denied')
      const line = plant.lines.get((await lineOfHandReading(database.general, ReadingID)) ?? 0)
      if (line?.device.gateway.project !== project) throw new Refusal('hand reading not exists')
      const saved = await endHandReading(database, placeOf(actor, project), ReadingID, (before) => ({
        ...by(actor, clock(), 'energyFix.undoReading', project.ownerId),
        ...{ subject: aboutLine(line), target: line.name },
        ...{ before: { at: before.at, kwh: before.kwh }, after: { reason: Reason.trim() } },
      }))
      if (saved === 'noProject') throw new Refusal('project not exists')
      if (saved === 'gone') throw new Refusal('hand reading not exists')
      if (saved === 'changed') throw new Refusal('changed meanwhile')
      return recordOf(saved, line, true)
    },
  }

  function placeOf(actor: Actor, project: PlantProject) {
    return { projectId: project.id, owner: project.ownerId, name: actor.userName, at: clock() }
  }

  /** Between what was read before and after it, of the same meter. */
  async function mustFit(
    actor: Actor,
    line: PlantLine,
    { At, Kwh }: { readonly At: number; readonly Kwh: number },
  ): Promise<void> {
    const { since, beside, meters } = await linesSeenBy(database, actor.scope, [line.id])(async (db) => ({
      since: await readingsSince(db, line.id),
      beside: (await registersAt(db, [line.id], [At])).get(line.id)?.[0] ?? { before: null, after: null },
      meters: (await metersOf(db.general, [line.id])).get(line.id) ?? [],
    }))
    const meter = meters.find(({ from, to }) => from <= At && (to === null || At < to))
    const problem = handReadingProblem({ at: At, kwh: Kwh }, meter ? within(beside, meter) : beside, { since, now: clock() })
    if (problem === null) return
    if (problem.problem === 'future') throw invalid('body.At', textOf('energy fix in future'))
    if (problem.problem === 'beforeReadings') throw invalid('body.At', textOf('hand reading before readings'))
    const zone = civilZone(line.device.gateway.project.timeZone)
    const { problem: kind, read } = problem
    const at = new Date(zone.wallAt(read.at)).toISOString().slice(0, 16).replace('T', ' ')
    throw invalid('body.Kwh', textOf(kind === 'below' ? 'hand reading below' : 'hand reading above', { kwh: read.kwh, at }))
  }
}

/** Guests see what was read, and not by whom: `isNamed` is false for them. */
const recordOf = (row: StoredHandReading, line: PlantLine, isNamed: boolean): HandReading => ({
  ...{ ReadingID: row.value_id, LineID: row.line_id, Name: line.name, GatewayName: line.device.gateway.name },
  ...{ At: row.at, Kwh: row.kwh, Reason: row.reason },
  ...{ TypedAt: row.typed_at.getTime(), TypedBy: isNamed ? row.typed_name : null },
  ...{ UndoneAt: row.undone_at?.getTime() ?? null, UndoneBy: isNamed ? row.undone_name : null },
  Version: row.undone_at === null ? 1 : 2,
})
