import { createHash } from 'node:crypto'
import type { MessageKey } from '@linewarden/contract'
import { basePath, Refusal } from '@linewarden/contract'
import { networkOf } from '@linewarden/rules/account'
import { pushTimely } from '@linewarden/rules/push'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Limits } from '../../lib/limits.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import type { StoredPush } from '../../store/push/push.ts'
import { acceptPush, pushById } from '../../store/push/push.ts'
import { secretMatches } from '../../store/site/gateway-secret.ts'
import type { Seal } from '../account/secrets.ts'
import { ctwingTime } from './forms/ctwing.ts'
import { oneNetSigned, readOneNetPush } from './forms/onenet.ts'
import type { createRefusals } from './refusals.ts'

const bodyLimit = 262_144
const maxEchoed = 512

export interface WebhookDeps {
  readonly database: Database
  readonly plant: Plant
  readonly seal: Seal
  readonly refusals: ReturnType<typeof createRefusals>
  readonly clock: () => number
  /** Something was put into the inbox. */
  readonly arrived: () => void
}

interface Target {
  readonly PushID: string
  readonly Key?: string
}

/**
 * Where platforms push to. A push is answered as soon as it stands in the inbox; what it says is read afterwards. Whoever cannot prove to be
 * the platform learns nothing, not even whether there is such a subscription.
 */
export function mountPushWebhook(app: FastifyInstance, deps: WebhookDeps): void {
  const { database, plant, seal, refusals, clock, arrived } = deps
  const perPush = new Limits(1_000, 100)
  const wrongPerNetwork = new Limits(30, 1)

  app.get<{ Params: Target; Querystring: Record<string, unknown> }>(`${basePath}/push/:PushID`, async (request, reply) => {
    const push = await found(request)
    const { msg, nonce, signature } = request.query
    const isText = typeof msg === 'string' && typeof nonce === 'string' && typeof signature === 'string'
    const token = push?.platform === 'onenet' ? seal.open(push.secret) : null
    const right = isText && msg.length <= maxEchoed && oneNetSigned(token ?? '', { msg, nonce, signature })
    if (!push || token === null || !right) throw await refused(request, push, 'push signature wrong')
    return reply.type('text/plain; charset=utf-8').send(msg)
  })

  for (const path of [`${basePath}/push/:PushID`, `${basePath}/push/:PushID/:Key`])
    app.post<{ Params: Target }>(path, { bodyLimit }, async (request) => {
      const push = await found(request)
      const proven = push && prove(push, request)
      if (!proven) throw await refused(request, push, 'push signature wrong')
      const now = clock()
      if (!push.enabled) throw await refused(request, push, 'push disabled')
      if (!perPush.take(String(push.push_id), now)) throw await refused(request, push, 'push too fast')
      if (proven === 'malformed') throw await refused(request, push, 'body malformed')
      if (!pushTimely(proven.time, now)) throw await refused(request, push, 'push too old')
      const key = createHash('sha256').update(proven.signed).digest()
      const isNew = await acceptPush(database, push.push_id, key, request.rawBody ?? '', new Date(now))
      if (!isNew) {
        // The platform did not hear the answer, or somebody replays it: it is answered as received, and nothing is done again.
        return (await refused(request, push, 'push duplicate')).envelope()
      }
      arrived()
      return { Code: 1, Message: '' }
    })

  async function found(request: FastifyRequest<{ Params: Target }>): Promise<StoredPush | undefined> {
    const { PushID } = request.params
    return /^[1-9]\d{0,8}$/.test(PushID) ? pushById(database.general, Number(PushID)) : undefined
  }

  /**
   * What proves that it is the platform, and what of the message that covers; null when it does not. The same signed bytes are the same
   * message: OneNET gives each a nonce, so that two equal reports are two.
   */
  function prove(
    push: StoredPush,
    request: FastifyRequest<{ Params: Target }>,
  ): { signed: string; time: number | null } | 'malformed' | null {
    if (push.platform === 'onenet') {
      const pushed = readOneNetPush(request.body)
      const token = seal.open(push.secret)
      return pushed && token !== null && oneNetSigned(token, pushed)
        ? { signed: pushed.nonce + pushed.msg, time: pushed.time }
        : null
    }
    if (!secretMatches(Buffer.from(request.params.Key ?? ''), push.secret)) return null
    const time = ctwingTime(request.body)
    if (time === null) return 'malformed'
    return { signed: request.rawBody ?? '', time }
  }

  async function refused(request: FastifyRequest, push: StoredPush | undefined, key: MessageKey): Promise<Refusal> {
    // Platforms push from addresses that others push from too, so only what is wrong is throttled: a flood of it is neither noted nor logged.
    if (key === 'push signature wrong' && !wrongPerNetwork.take(networkOf(request.ip), clock()))
      return new Refusal('push too fast')
    if (push) {
      const { push_id: pushId, project_id: projectId, platform } = push
      const tenant = plant.projects.get(projectId)?.ownerId ?? null
      await refusals.note({ pushId, projectId, tenant, platform, key, address: request.ip })
    }
    return new Refusal(key)
  }
}
