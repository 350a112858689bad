import type { FastifyInstance } from 'fastify'
import type { PushDeps } from './inbox.ts'
import { startInbox } from './inbox.ts'
import { createRefusals } from './refusals.ts'
import { createSubscriptions } from './subscriptions.ts'
import { mountPushWebhook } from './webhook.ts'

export type Push = ReturnType<typeof createPush>

/** Subscriptions at operators' platforms: who may push for a project, and the way from there into ingest. */
export function createPush(deps: PushDeps) {
  const refusals = createRefusals(deps)
  const inbox = startInbox(deps)
  return {
    ...createSubscriptions({ ...deps, flushRefusals: refusals.flush }),

    mountWebhook: (app: FastifyInstance) => mountPushWebhook(app, { ...deps, refusals, arrived: inbox.poke }),

    /** Resolves when everything accepted so far is processed. */
    drained: inbox.drained,

    async close(): Promise<void> {
      await inbox.close()
      await refusals.close()
    },
  }
}
