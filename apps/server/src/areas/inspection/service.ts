import type { answerRound, Reply, Request } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { createInspectionAccess } from './access.ts'
import { createAnswering } from './answering.ts'
import { createCodes } from './codes.ts'
import { createDeciding } from './deciding.ts'
import { createDefectOrder } from './defect-order.ts'
import type { InspectionDeps } from './deps.ts'
import { createDueRounds } from './due.ts'
import { createFinishing } from './finishing.ts'
import { createOnlineRounds } from './online.ts'
import { createRoundLines } from './online-lines.ts'
import { createPackage } from './package.ts'
import { createInspectionPeople } from './people.ts'
import { createRoundPhotos } from './photos.ts'
import { createPlans } from './plans.ts'
import { createRoundCalendar } from './round-calendar.ts'
import { createRoundList } from './rounds.ts'
import { createStarting } from './starting.ts'

export type Inspection = ReturnType<typeof createInspection>

/** Inspection rounds, from the plan that makes them to the sheet that is signed. */
export function createInspection(deps: InspectionDeps) {
  const access = createInspectionAccess(deps)
  const plans = createPlans(deps, access)
  const rounds = createRoundList(deps, access)
  const codes = createCodes(deps, access)
  const online = createOnlineRounds(deps, access)
  const { answer } = createAnswering(deps, access)
  const due = createDueRounds(deps, access, online)
  due.start()
  return {
    ...{ plans, rounds, codes },
    ...createInspectionPeople(deps),
    ...createStarting(deps, access, { plans, list: rounds, online }),
    ...createRoundPhotos(deps, access),
    ...createFinishing(deps, access, { list: rounds, online }),
    ...createDeciding(deps, access, rounds),
    ...createDefectOrder(deps, access),
    calendar: createRoundCalendar(deps, access),
    package: createPackage(deps, access, { list: rounds }),
    lines: createRoundLines(deps, access),
    async answer(actor: Actor, roundId: string, body: Request<typeof answerRound>['body']): Promise<Reply<typeof answerRound>> {
      return { ...(await answer(actor, roundId, body)), Round: await rounds.record(actor, roundId) }
    },
    /** One look at what is due and what lapses. */
    look: due.look,
    async close() {
      // What is due begins walks: none begins behind their end.
      await due.close()
      await online.close()
    },
  }
}
