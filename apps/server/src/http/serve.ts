import type { Call, Success } from '@linewarden/contract'
import { basePath, Refusal } from '@linewarden/contract'
import { permits } from '@linewarden/rules'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Accounts } from '../areas/account/service.ts'
import type { Plant } from '../live/plant.ts'
import { authenticate } from './authenticate.ts'
import { validatorOf } from './compile.ts'
import type { Actor, Context, Handler, Serve } from './context.ts'

export interface ServeOptions {
  readonly app: FastifyInstance
  readonly accounts: Accounts
  readonly plant: Plant
  readonly clock: () => number
}

/**
 * Mounts contract calls. For each request, in this order: signature and replay, session, permission, schema, scope, handler. Whoever is
 * refused at one step learns nothing of the next.
 */
export function serving(options: ServeOptions): Serve {
  const { app, accounts, clock } = options
  return (call, handler) => {
    const check = {
      params: validatorOf('params', call.params),
      query: validatorOf('query', call.query),
      body: validatorOf('body', call.body),
    }
    app.route({
      method: call.method,
      url: basePath + call.path,
      config: { call },
      schema: { hide: false },
      handler: async (request) => {
        const isPublic = call.permission === 'public'
        const signed = await authenticate(request, accounts, isPublic, clock())
        const actor = signed && (await accounts.actorOf(signed.accountId, signed.sessionId, request.ip))
        if (!isPublic && !actor) throw new Refusal('session expired')
        if (actor && !permits(call.permission, actor)) throw new Refusal('access denied')
        const problems = [
          ...check.params(request.params),
          ...check.query(request.query),
          ...(call.body || request.body !== undefined ? check.body(request.body) : []),
        ]
        if (problems.length > 0) throw new Refusal('invalid parameter', {}, problems)
        const context = {
          params: request.params,
          query: request.query,
          body: request.body,
          address: request.ip,
          actor,
          ...targetOf(options.plant, call, request, actor),
        }
        const reply = await run(call, handler, context)
        if (signed && call.keepsAlive !== false) await accounts.touch(signed.sessionId, signed.lastUsedAt)
        return reply
      },
    })
  }
}

// The one place where a checked request becomes the typed context of its handler: schema and scope have just been verified.
async function run<C extends Call>(call: C, handler: Handler<C>, context: object): Promise<Success<unknown>> {
  const reply: unknown = await handler(context as Context<C>)
  if (call.datas) {
    const { items, total } = reply as { items: readonly unknown[]; total: number }
    return { Code: 1, Message: '', Datas: items, Total: total }
  }
  return { Code: 1, Message: '', ...(call.data && { Data: reply }) }
}

/** What the call touches; outside the actor's tree it does not exist. */
function targetOf(plant: Plant, { scope }: Call, request: FastifyRequest, actor: Actor | null): object {
  const given = {
    ...(request.query as object),
    ...(request.body as object | undefined),
    ...(request.params as object),
  } as Record<string, unknown>
  const sees = (projectId: number) => actor?.sees(projectId) === true
  switch (scope.kind) {
    case 'line': {
      const line = plant.lineAt(String(given[scope.device]), Number(given[scope.line]))
      if (!line || !sees(line.device.gateway.project.id)) throw new Refusal('device not exists')
      return { line }
    }
    case 'gateway': {
      if (given[scope.id] === undefined && scope.optional) return { gateway: null }
      const gateway = plant.gateways.get(Number(given[scope.id]))
      if (!gateway || !sees(gateway.project.id)) throw new Refusal('gateway not exists')
      return { gateway }
    }
    case 'project': {
      if (given[scope.id] === undefined && scope.optional) return { project: null }
      const project = plant.projects.get(Number(given[scope.id]))
      if (!project || !sees(project.id)) throw new Refusal('project not exists')
      return { project }
    }
    default:
      return {}
  }
}
