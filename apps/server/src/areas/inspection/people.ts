import type { inspectionPeople, Reply } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { permits } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { takersOf } from '../../store/workorder/people.ts'
import type { InspectionDeps } from './deps.ts'

/** Who can be assigned to rounds. */
export const createInspectionPeople = ({ database, clock, actorNow }: InspectionDeps) => ({
  async people(actor: Actor, project: PlantProject): Promise<Reply<typeof inspectionPeople>> {
    if (actor.shared) throw new Refusal('access denied')
    const takers = await takersOf(database.general, project.ownerId, clock())
    const people = await Promise.all(takers.map(async (taker) => ({ taker, person: await actorNow(taker.accountId) })))
    const items = people.flatMap(({ taker, person }) =>
      person && !person.shared && person.sees(project.id) && permits('hazard.patrol', person)
        ? [{ AccountID: taker.accountId, Name: taker.name, JobName: taker.jobName }]
        : [],
    )
    return { items, total: items.length }
  },
})
