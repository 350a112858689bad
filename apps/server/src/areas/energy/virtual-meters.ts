import type { insertVirtualMeter, List, Problem, Request, updateVirtualMeter, VirtualMeter } from '@linewarden/contract'
import { aboutNothing, Refusal, textOf } from '@linewarden/contract'
import { dateText, parseDate } from '@linewarden/rules/automation'
import { circleOfMeters, maxVirtualMeters, virtualProblem } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { VirtualMeterColumns, VirtualMeterRow } from '../../store/energy/virtual.ts'
import { saveVirtualMeter, virtualMetersOf } from '../../store/energy/virtual.ts'

export type VirtualMeters = ReturnType<typeof createVirtualMeters>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

type Fields = Request<typeof insertVirtualMeter>['body']
type Term = VirtualMeterRow['terms'][number]

/** Meters that are made of lines and of each other. */
export function createVirtualMeters({ database, plant, clock }: Deps) {
  return {
    async list(actor: Actor, project: PlantProject): Promise<List<VirtualMeter>> {
      const rows = await withRowSecurity(database, actor.scope, ({ general }) => virtualMetersOf(general, project.id))
      return { items: rows.map((row) => record(row, rows)), total: rows.length }
    },

    insert: (actor: Actor, project: PlantProject, body: Fields): Promise<VirtualMeter> => save(actor, project, body, null),

    update: (
      actor: Actor,
      project: PlantProject,
      { MeterID, Version, ...body }: Request<typeof updateVirtualMeter>['body'],
    ): Promise<VirtualMeter> => save(actor, project, body, { meterId: MeterID, version: Version }),
  }

  async function save(
    actor: Actor,
    project: PlantProject,
    body: Fields,
    of: { readonly meterId: number; readonly version: number } | null,
  ): Promise<VirtualMeter> {
    if (actor.shared) throw new Refusal('access denied')
    const terms = body.Terms.map(termOf)
    const columns = columnsOf(body, terms)
    const asked = { projectId: project.id, owner: project.ownerId, most: maxVirtualMeters }
    const saved = await saveVirtualMeter(
      database.general,
      { ...asked, meterId: of?.meterId ?? null, version: of?.version ?? 0, columns },
      (others) => refuseWrong(project, { body, terms, meterId: of?.meterId ?? 0 }, others),
      (before) => ({
        ...by(actor, clock(), before ? 'virtualMeter.edit' : 'virtualMeter.add', project.ownerId),
        ...{ subject: aboutNothing, target: `${project.name} · ${columns.name}` },
        before: before && auditedOf(before),
        after: auditedOf({ ...columns, terms }),
      }),
    )
    if (saved === 'noProject') throw new Refusal('project not exists')
    if (saved === 'gone') throw new Refusal('virtual meter not exists')
    if (saved === 'changed') throw new Refusal('changed meanwhile')
    if (saved === 'many') throw new Refusal('too many', { what: { zh: '虚拟表', en: 'virtual meters' }, most: maxVirtualMeters })
    return record(saved, await virtualMetersOf(database.general, project.id))
  }

  /** All of it at once, but of lines of other projects, of which nothing else is said. */
  function refuseWrong(
    project: PlantProject,
    { body, terms, meterId }: { readonly body: Fields; readonly terms: readonly Term[]; readonly meterId: number },
    others: readonly VirtualMeterRow[],
  ): void {
    const names = new Map(others.map((row) => [row.meter_id, row.name]))
    names.set(meterId, body.Name.trim())
    const problems: Problem[] = []
    const add = (Path: string, Text: Problem['Text']) => problems.push({ Path, Text })
    const isHere = ({ lineId, meterId: of }: Term) =>
      lineId === null ? of !== null && names.has(of) : of === null && plant.lines.get(lineId)?.device.gateway.project === project
    if (!terms.every(isHere))
      throw new Refusal('virtual meter wrong', { count: 1 }, [
        { Path: 'body.Terms', Text: textOf('virtual meter term not here') },
      ])
    if (terms.length === 0) add('body.Terms', textOf('virtual meter without terms'))
    if (new Set(terms.map(({ lineId, meterId: of }) => `${lineId} ${of}`)).size < terms.length)
      add('body.Terms', textOf('virtual meter term twice'))
    const [from, to] = [parseDate(body.From), body.To === null ? null : parseDate(body.To)]
    if (from === null || (body.To !== null && (to === null || to < from))) add('body.To', textOf('supply dates wrong'))
    const lower = body.Name.trim().toLowerCase()
    if (others.some(({ name }) => name.trim().toLowerCase() === lower)) add('body.Name', textOf('virtual meter name used'))
    const metersIn = (of: readonly Term[]) => of.flatMap((term) => term.meterId ?? [])
    const madeOf = new Map(others.map((row) => [row.meter_id, metersIn(row.terms)]))
    madeOf.set(meterId, metersIn(terms))
    const problem = others
      .map(({ meter_id }) => meter_id)
      .concat(meterId)
      .map((id) => virtualProblem(madeOf, id))
      .find((each) => each !== null)
    const path = circleOfMeters(madeOf, meterId)
    if (path) add('body.Terms', textOf('virtual meter circle', { path: path.map((id) => names.get(id)).join(' ← ') }))
    else if (problem) add('body.Terms', textOf('virtual meter too deep'))
    if (problems.length > 0) throw new Refusal('virtual meter wrong', { count: problems.length }, problems)
  }

  function record(row: VirtualMeterRow, all: readonly VirtualMeterRow[]): VirtualMeter {
    const nameOf = ({ lineId, meterId }: Term): string | null => {
      if (lineId === null) return all.find(({ meter_id }) => meter_id === meterId)?.name ?? null
      const line = plant.lines.get(lineId)
      return line?.device.gateway.project.id === row.project_id ? line.name : null
    }
    return {
      ...{ MeterID: row.meter_id, HouseID: row.project_id, Name: row.name, FloorsAtZero: row.floors_at_zero },
      Terms: row.terms.map((term) => ({
        ...{ LineID: term.lineId, MeterID: term.meterId, Factor: term.factor, Name: nameOf(term) },
      })),
      ...{ From: dateText(row.from_day), To: row.to_day === null ? null : dateText(row.to_day), Version: row.version },
    }
  }
}

const termOf = ({ LineID, MeterID, Factor }: Fields['Terms'][number]): Term => ({
  ...{ lineId: LineID, meterId: MeterID, factor: Factor },
})

const columnsOf = (body: Fields, terms: readonly Term[]): VirtualMeterColumns & { readonly name: string } => ({
  ...{ name: body.Name.trim(), terms: JSON.stringify(terms), floors_at_zero: body.FloorsAtZero },
  ...{ from_day: parseDate(body.From) ?? 0, to_day: body.To === null ? null : (parseDate(body.To) ?? 0) },
})

const auditedOf = (row: Omit<VirtualMeterColumns, 'terms'> & { readonly terms: readonly Term[] }) => ({
  ...{ name: row.name, terms: row.terms, floorsAtZero: row.floors_at_zero, from: dateText(row.from_day) },
  to: row.to_day == null ? null : dateText(row.to_day),
})
