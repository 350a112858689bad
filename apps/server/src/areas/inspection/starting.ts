import type { InspectionRound, Request, startRound } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { roundAfter } from '@linewarden/rules/inspection'
import type { Kysely } from 'kysely'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { Schema } from '../../store/core/schema.ts'
import { planById } from '../../store/inspection/plan.ts'
import type { RoundRow } from '../../store/inspection/round.ts'
import { roundById } from '../../store/inspection/round.ts'
import { actOnRound, insertStarted } from '../../store/inspection/round-write.ts'
import type { Claim } from '../../store/jobs/due-work.ts'
import type { InspectionAccess } from './access.ts'
import type { InspectionDeps } from './deps.ts'
import type { RoundOf } from './new-round.ts'
import { askedColumns, plannedRound, roundOfPlan } from './new-round.ts'
import type { OnlineRounds } from './online.ts'
import type { createPlans } from './plans.ts'
import { stateRefusal } from './round-words.ts'
import type { createRoundList } from './rounds.ts'
import { monthOf } from './rounds.ts'
import type { Asks } from './stops.ts'
import { asksOf } from './stops.ts'

type Body = Request<typeof startRound>['body']

interface Beside {
  readonly plans: Pick<ReturnType<typeof createPlans>, 'asked'>
  readonly list: Pick<ReturnType<typeof createRoundList>, 'record'>
  readonly online: OnlineRounds
}

/** Who starts a round: one that was planned or returned, one of a plan between due dates, or one without a plan. */
export function createStarting(deps: InspectionDeps, access: InspectionAccess, { plans, list, online }: Beside) {
  const { database, plant, clock } = deps
  return {
    async start(actor: Actor, project: PlantProject, body: Body): Promise<InspectionRound> {
      if (actor.shared) throw new Refusal('access denied')
      const before = await roundById(database.general, body.RoundID)
      // Of whoever does not see it, the id is only one that is taken.
      if (before && (before.project_id !== project.id || !access.sees(actor, before))) throw new Refusal('round id used')
      await (before ? again(actor, before) : anew(actor, project, body))
      access.published({ round_id: body.RoundID, project_id: project.id })
      return list.record(actor, body.RoundID)
    },
  }

  async function again(actor: Actor, found: RoundRow): Promise<void> {
    if (!access.mayInspect(actor, found.assignees)) throw new Refusal('round not yours')
    let walk: Claim | null = null
    const acted = await actOnRound(database, found.round_id, async (row, trx) => {
      if (row.state === 'started') return null
      if (row.state === 'planned' && row.lapses_at !== null && row.lapses_at.getTime() <= clock())
        throw new Refusal('round lapsed')
      if (roundAfter(row.state, 'start') === null) throw stateRefusal(row.state)
      const columns = {
        ...(row.state === 'planned' && (await askedNow(trx, row))),
        ...{ state: 'started' as const, inspector_id: actor.accountId, inspector_name: access.nameOf(actor), reason: '' },
        ...(row.started_at === null && { started_at: new Date(clock()) }),
      }
      const audit = auditOf(actor, row)
      if (row.kind === 'onSite') return { columns, audit }
      const claimed = await online.claimed(trx, row)
      walk = claimed.claim
      return { columns: { ...columns, ...claimed.columns }, audit }
    })
    if (acted === 'gone') throw new Refusal('round not exists')
    if (acted === 'walking') throw new Refusal('round under way')
    if (acted === 'done' && walk !== null) void online.carry(walk)
  }

  /** A round asks what its plan asks when it is started. */
  async function askedNow(trx: Kysely<Schema>, row: RoundRow) {
    const plan = row.plan_id === null ? undefined : await planById(trx, row.plan_id)
    if (!plan) return {}
    const { isEmpty, columns } = askedColumns(plant, row.project_id, asksOf(plan))
    if (isEmpty) throw new Refusal('round empty')
    return columns
  }

  async function anew(actor: Actor, project: PlantProject, body: Body): Promise<void> {
    const { of, asks } = await wanted(actor, project, body)
    if (!access.mayInspect(actor, of.assignees)) throw new Refusal('round not yours')
    const { isEmpty, columns } = askedColumns(plant, project.id, asks)
    if (isEmpty) throw new Refusal('round empty')
    const at = clock()
    const round = {
      ...plannedRound(project, body.RoundID, of, columns, at),
      ...{ state: 'started' as const, started_at: new Date(at) },
      ...{ inspector_id: actor.accountId, inspector_name: access.nameOf(actor) },
    }
    const audit = auditOf(actor, { round_id: body.RoundID, project_id: project.id, number: of.name })
    const number = { owner: project.ownerId, month: monthOf(project.timeZone, at) }
    let walk: Claim | null = null
    const done = await insertStarted(database, { round, number, audit }, async (trx) => {
      if (of.kind === 'onSite') return {}
      const claimed = await online.claimed(trx, { ...round, stops: JSON.parse(columns.stops) })
      walk = claimed.claim
      return claimed.columns
    })
    if (done === 'walking') throw new Refusal('round under way')
    // The same start came twice at one moment: the other one made it.
    if (done === 'done' && walk !== null) void online.carry(walk)
  }

  async function wanted(
    actor: Actor,
    project: PlantProject,
    { PlanID, Without }: Body,
  ): Promise<{ readonly of: RoundOf; readonly asks: Asks }> {
    if (PlanID !== undefined) {
      const plan = await access.seenPlan(actor, PlanID)
      if (plan.project_id !== project.id) throw new Refusal('inspection plan not exists')
      return { of: roundOfPlan(plan), asks: asksOf(plan) }
    }
    if (!Without) throw new Refusal('round not exists')
    const { Name, Kind, Signature, PhotoOn, FourEyes = true, LeftOut } = Without
    return {
      of: {
        ...{ planId: null, name: Name.trim(), kind: Kind, signature: Signature, photoOn: PhotoOn },
        ...{ fourEyes: FourEyes, assignees: [] },
      },
      asks: { ...plans.asked(project, Without), leftOut: LeftOut },
    }
  }

  function auditOf(actor: Actor, row: Pick<RoundRow, 'round_id' | 'project_id' | 'number'>) {
    return {
      ...access.auditOf(actor, 'inspectionRound.start', row.project_id),
      ...{ subject: { kind: 'inspectionRound', id: row.round_id } as const, target: row.number },
    }
  }
}
