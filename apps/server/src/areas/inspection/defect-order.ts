import type { orderOfDefect, Reply, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { reminderDaysRange, validDaysRange } from '@linewarden/rules/workorder'
import type { Actor } from '../../access/actor.ts'
import { lockedRound } from '../../store/inspection/round.ts'
import type { InspectionAccess } from './access.ts'
import { defectAt } from './defects.ts'
import type { InspectionDeps } from './deps.ts'
import { roundContent } from './round-state.ts'

/** One press makes an order of a defect: its place, its hazard and what was written of it. */
export function createDefectOrder({ database, clock, orders }: InspectionDeps, access: InspectionAccess) {
  return { order }

  async function order(
    actor: Actor,
    roundId: string,
    body: Request<typeof orderOfDefect>['body'],
  ): Promise<Reply<typeof orderOfDefect>> {
    const { project_id } = await access.seenRound(actor, roundId)
    const project = access.projectOf(project_id)
    if (!project) throw new Refusal('round not exists')
    const defect = await database.general.transaction().execute(async (trx) => {
      const row = await lockedRound(trx, roundId)
      if (!row) throw new Refusal('round not exists')
      return defectAt(trx, row, await roundContent(trx, row), { ...body, at: clock() })
    })
    const { hazardId, item, answer } = defect
    const { Order, Joined } = await orders.insert(actor, project, {
      ...{ HouseID: project.id, ActID: body.ActID, Type: 'repair', HazardID: hazardId, Priority: answer.level ?? 'medium' },
      ...{ Title: '', Description: answer.note.trim() || item.text.zh, PersonInCharge: body.PersonInCharge },
      ...{ ValidDays: validDaysRange.usual, ReminderDays: reminderDaysRange.usual, WorkingDaysOnly: false },
      ...(body.Dispatch !== undefined && { Dispatch: body.Dispatch }),
    })
    return { OrderID: Order.OrderID, Number: Order.Number, HazardID: hazardId, Joined }
  }
}
