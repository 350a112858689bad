import { randomUUID } from 'node:crypto'
import { minuteMs } from '@linewarden/equipment'
import { civilZone, dateText } from '@linewarden/rules/automation'
import { roundAfter, windowOf } from '@linewarden/rules/inspection'
import { Loop } from '../../lib/every.ts'
import { openHazard } from '../../store/hazard/hazard.ts'
import { windowDaysOf } from '../../store/inspection/next-due.ts'
import type { PlanRow } from '../../store/inspection/plan.ts'
import { plansDue } from '../../store/inspection/plan.ts'
import type { RoundRow } from '../../store/inspection/round.ts'
import { actOnRound, lapsingRounds, makeDueRound, roundsToWalk } from '../../store/inspection/round-write.ts'
import type { InspectionAccess } from './access.ts'
import type { InspectionDeps } from './deps.ts'
import { askedColumns, plannedRound, roundOfPlan } from './new-round.ts'
import type { OnlineRounds } from './online.ts'
import { monthOf } from './rounds.ts'
import { asksOf } from './stops.ts'

const everyMs = minuteMs
/** A server that was away for long makes so many rounds of a plan at a time, and the next look goes on. */
const maxAtOnce = 60

const system = { userName: 'system', address: '' }

/** Makes the round of each due date once, on however many servers, and lets lapse what nobody started in its window. */
export function createDueRounds(deps: InspectionDeps, access: InspectionAccess, online: Pick<OnlineRounds, 'beginDue'>) {
  const { database, plant, clock, log } = deps
  const loop = new Loop(everyMs, look, {
    log,
    failed: 'due inspection rounds could not be made; it is tried again',
    spaced: true,
    unref: true,
  })
  return {
    start: () => void loop.start(),
    look: loop.tick,
    close: () => loop.close(),
  }

  async function look(): Promise<void> {
    for (const planId of await plansDue(database.general, clock())) await tried({ plan: planId }, () => makeOf(planId))
    for (const roundId of await lapsingRounds(database.general, clock())) await tried({ round: roundId }, () => lapse(roundId))
    for (const roundId of await roundsToWalk(database.general, clock()))
      await tried({ round: roundId }, () => online.beginDue(roundId))
  }

  /** What is wrong with one keeps none of the others from its turn. */
  async function tried(what: object, work: () => Promise<unknown>): Promise<void> {
    if (loop.isClosed) return
    try {
      await work()
    } catch (error) {
      log.error({ err: error, ...what }, 'an inspection round could not be looked after; it is tried again')
    }
  }

  async function makeOf(planId: number): Promise<void> {
    for (let times = 0; times < maxAtOnce && !loop.isClosed; times++) if (!(await madeNext(planId))) return
  }

  async function madeNext(planId: number): Promise<boolean> {
    let made: Pick<RoundRow, 'round_id' | 'project_id'> | null = null
    const isMade = await makeDueRound(database, planId, clock(), (plan, day) => {
      const next = roundOf(plan, day)
      made = next.round
      return next
    })
    if (isMade && made !== null) access.published(made)
    return isMade
  }

  function roundOf(plan: PlanRow, day: number) {
    const project = access.projectOf(plan.project_id)
    if (!project) throw new Error(`plan ${plan.plan_id} stands in no project`)
    const { lapsesAt } = windowOf(day, windowDaysOf(plan), civilZone(project.timeZone), plan.kind === 'online')
    const { columns } = askedColumns(plant, project.id, asksOf(plan))
    return {
      round: {
        ...plannedRound(project, randomUUID(), roundOfPlan(plan), columns, clock()),
        ...{ due_day: day, from_day: day - plan.before_days, to_day: day + plan.after_days, lapses_at: new Date(lapsesAt) },
      },
      number: { owner: project.ownerId, month: monthOf(project.timeZone, clock()) },
    }
  }

  async function lapse(roundId: string): Promise<void> {
    let found: RoundRow | null = null
    const acted = await actOnRound(database, roundId, async (row, trx) => {
      found = row
      const isOver = row.lapses_at !== null && row.lapses_at.getTime() <= clock()
      if (!isOver || roundAfter(row.state, 'lapse') === null) return null
      await openHazard(trx, lapsedHazard(row))
      return {
        columns: { state: 'lapsed', decided_at: row.lapses_at },
        audit: {
          ...access.auditOf(system, 'inspectionRound.lapse', row.project_id),
          ...{ subject: { kind: 'inspectionRound', id: row.round_id }, target: row.number },
          after: { due: row.due_day === null ? null : dateText(row.due_day) },
        },
        movesDue: true,
      }
    })
    if (acted === 'done' && found !== null) access.published(found)
  }
}

/** Of the project as a whole, once for each plan; each round that lapses counts it up. */
const lapsedHazard = (row: RoundRow) => ({
  ...{ projectId: row.project_id, gatewayId: null, deviceId: null, lineId: null, place: '' },
  ...{ key: `patrol.lapsed.${row.plan_id}`, level: 'low' as const, source: 'patrol' as const, sourceId: row.round_id },
  label: { zh: `巡检逾期未做：${row.name}`, en: `Inspection round not done: ${row.name}` },
  at: row.lapses_at?.getTime() ?? 0,
})
