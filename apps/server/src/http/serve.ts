import type { Call, FileReply, MessageKey, Success } from '@linewarden/contract'
import { attendedHeader, basePath, bodyLimitOf, mayMoveEquipment, Refusal, refusalLogged } from '@linewarden/contract'
import { isUse, keyMayCall, mayCall, mayWrite } from '@linewarden/rules/account'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../access/actor.ts'
import { accountNameOf } from '../access/actor.ts'
import { seesGroup } from '../access/seen.ts'
import type { SessionCheck } from '../access/session-check.ts'
import { withoutPeople } from '../access/without-people.ts'
import { isWritten } from '../audit/audited.ts'
import type { RefusedAttempts } from '../audit/refused-attempts.ts'
import { Limits } from '../lib/limits.ts'
import type { Plant } from '../plant/plant.ts'
import type { SessionKey } from '../store/account/session.ts'
import { ofAccount } from '../store/audit/subject.ts'
import type { Claim } from './authenticate.ts'
import { authenticate, claimOf } from './authenticate.ts'
import { validatorOf } from './compile.ts'
import type { Context, Handler, Serve } from './context.ts'

export interface ServeOptions {
  readonly app: FastifyInstance
  readonly accounts: SessionCheck
  readonly plant: Plant
  readonly clock: () => number
  readonly refused: Pick<RefusedAttempts, 'note'>
  /** Told before the answer leaves, of calls whose refusals belong in the log, unless it stands there already. */
  readonly onRefused: (call: Call, actor: Actor, request: FastifyRequest, refusal: Refusal) => Promise<void>
}

/**
 * Mounts contract calls. For each request, in this order: signature and replay, session, permission, schema, scope, handler. Whoever is
 * refused at one step learns nothing of the next.
 */
export function serving(options: ServeOptions): Serve {
  const { app, accounts, clock } = options
  // Of one network so many claims of sessions that there are not, and so many a second from then on: each asks the database.
  const deps = { accounts, anonymous: new Limits(300, 50), wrong: new Limits(60, 5), refused: options.refused }
  // Whoever asks for one foreign device after the other is a count in the log: each by itself would fill it.
  const noteReading = (call: Call, actor: Actor, { key: why }: Refusal, address: string) => {
    const { tenant, platform } = actor
    // To whoever sees everything only a permission is denied: what is not found is not there.
    if (!isBeyond.has(why) || (platform && why !== 'access denied')) return
    options.refused.note({
      action: 'session.denied',
      why,
      address,
      about: ofAccount(accountNameOf(actor)),
      tenant,
      call: call.name,
    })
  }
  const machines = new Limits(300, 20)
  /** A machine waits its turn, so that no loop in it keeps people waiting, and makes the calls that are a machine's. */
  const ofKey = (call: Call, key: SessionKey) => {
    if (!machines.take(key.keyId, clock())) throw new Refusal('too many requests')
    if (!keyMayCall(call, key)) throw new Refusal('key may not')
  }
  return (call, handler) => {
    const check = {
      params: validatorOf('params', call.params),
      query: validatorOf('query', call.query),
      body: validatorOf('body', call.body),
    }
    const isPublic = call.permission === 'public'
    app.route({
      method: call.method,
      url: basePath + call.path,
      config: { call },
      schema: { hide: false },
      bodyLimit: bodyLimitOf(call),
      onRequest: async (request) => {
        request.claim = await claimOf(request, deps, isPublic, clock())
      },
      handler: async (request, answering) => {
        const signed = await authenticate(request, claimIn(request), deps, isPublic, clock())
        const actor =
          signed && (await accounts.actorOf(signed.accountId, signed.sessionId, request.ip, signed.provedAt, signed.key))
        if (!isPublic && !actor) throw new Refusal('session expired')
        const answer = async () => {
          if (actor?.key) ofKey(call, actor.key)
          if (actor && !(mayCall(call, actor) && mayWrite(call, actor))) throw new Refusal('access denied')
          const prerequisite = actor && prerequisiteOf(call, actor)
          if (prerequisite) throw new Refusal(prerequisite)
          if (signed?.provedAt === null && mayMoveEquipment(call)) throw new Refusal('password needed')
          const problems = [
            ...check.params(request.params),
            ...check.query(request.query),
            ...(call.body || request.body !== undefined ? check.body(request.body) : []),
          ]
          if (problems.length > 0) throw new Refusal('invalid parameter', {}, problems)
          return run(
            call,
            handler,
            {
              params: request.params,
              query: request.query,
              body: request.body,
              address: request.ip,
              attended: attendedOf(request),
              actor,
              get gone() {
                return goneOf(answering)
              },
              ...targetOf(options.plant, call, request, actor),
            },
            actor?.shared === true || actor?.key != null,
          )
        }
        const answered = await answer().catch(async (failure) => {
          const error = wasQuicker(failure) ? new Refusal('changed meanwhile') : failure
          if (actor && error instanceof Refusal) {
            if (!refusalLogged(call)) noteReading(call, actor, error, request.ip)
            else if (!isWritten(error)) await options.onRefused(call, actor, request, error)
          }
          throw error
        })
        if (signed && isUse(call, attendedOf(request))) await accounts.touch(signed)
        return call.file ? sendFile(request, answering, call.file, answered as FileReply) : answered
      },
    })
  }
}

/** What is refused to whoever asks for what they may not see, which is not told apart from what is not there. */
const isBeyond: ReadonlySet<MessageKey> = new Set([
  'access denied',
  'key may not',
  'device not exists',
  'gateway not exists',
  'project not exists',
  'group not exists',
])

function claimIn({ claim }: FastifyRequest): Claim {
  if (!claim) throw new Refusal('authorization missing')
  return claim
}

/** Of two who wrote the same name, or onto what was being removed, at the same moment the database let the other pass: unique, foreign key. */
const wasQuicker = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '23505' || error.code === '23503')

// The one place where a checked request becomes the typed context of its handler: schema and scope have just been verified.
async function run<C extends Call>(
  call: C,
  handler: Handler<C>,
  context: object,
  isWithoutPeople: boolean,
): Promise<Success<unknown> | FileReply> {
  const answer: unknown = await handler(context as Context<C>)
  if (call.file) return answer as FileReply
  const reply = isWithoutPeople ? withoutPeople(answer) : answer
  if (call.datas) {
    const { items, total, about } = reply as { items: readonly unknown[]; total: number; about?: unknown }
    return { Code: 1, Message: '', Datas: items, Total: total, ...(call.about && { About: about }) }
  }
  return { Code: 1, Message: '', ...(call.data && { Data: reply }) }
}

/**
 * Answers a file that somebody sent here once: it is only ever of the type that was found in it, whoever opens its address, and a browser keeps it
 * for nobody else and asks each time whether it may still be read.
 */
function sendFile({ headers }: FastifyRequest, reply: FastifyReply, types: readonly string[], { type, bytes, tag }: FileReply) {
  if (!types.includes(type)) throw new Error(`a call answers ${type}, which it does not say`)
  reply
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
    .header('X-Content-Type-Options', 'nosniff')
    .header('Cache-Control', 'private, no-cache')
    .header('ETag', `"${tag}"`)
  if (headers['if-none-match'] === `"${tag}"`) return reply.code(304).send()
  return reply
    .type(type)
    .header('Content-Disposition', `attachment; filename="${tag.slice(0, 16)}.${type.split('/').at(-1)}"`)
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

/** Aborted when the connection closes before the answer has left. */
function goneOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const close = () => {
    if (!raw.writableFinished) gone.abort()
  }
  // It may have closed while the caller's rights were looked up.
  if (raw.destroyed) close()
  else raw.once('close', close)
  return gone.signal
}

/** Whether somebody is at the console that asks; null: the caller does not say. */
function attendedOf({ headers }: FastifyRequest): boolean | null {
  const attended = headers[attendedHeader.toLowerCase()]
  return attended === 'yes' ? true : attended === 'no' ? false : null
}

/** What somebody has to do before anything else: first the password, so that the second factor is that person's own. */
function prerequisiteOf(call: Call, { mustChangePassword, mustEnrol }: Actor): MessageKey | null {
  if (mustChangePassword) return call.changingPassword ? null : 'password must change'
  return mustEnrol && !call.enrolling ? 'second factor required' : null
}

const givenIn = (request: FastifyRequest): Record<string, unknown> => ({
  ...(request.query as object),
  ...(request.body as object | undefined),
  ...(request.params as object),
})

/** What the call touches; outside the actor's tenant it does not exist. */
function targetOf(plant: Plant, { scope }: Call, request: FastifyRequest, actor: Actor | null): object {
  const given = givenIn(request)
  const gatewayOf = (id: unknown) => {
    const gateway = plant.gateways.get(Number(id))
    if (!gateway || !actor?.seesGateway(gateway)) throw new Refusal('gateway not exists')
    return gateway
  }
  const lineOf = (device: unknown, lineNo: unknown) => {
    const line = plant.lineAt(String(device), Number(lineNo))
    if (!line || !actor?.seesGateway(line.device.gateway)) throw new Refusal('device not exists')
    return line
  }
  const projectOf = (id: unknown, part = false) => {
    const project = plant.projects.get(Number(id))
    if (!project || !(part ? actor?.seesPart(project.id) : actor?.sees(project.id))) throw new Refusal('project not exists')
    return project
  }
  const groupOf = (id: unknown) => {
    const group = plant.cities.get(Number(id))
    if (!group || !actor || !seesGroup(actor, plant, group)) throw new Refusal('group not exists')
    return group
  }
  if ('optional' in scope && scope.optional && given[scope.id] === undefined) return { [scope.kind]: null }
  switch (scope.kind) {
    case 'line':
      return { line: lineOf(given[scope.device], scope.line === undefined ? 0 : given[scope.line]) }
    case 'lines': {
      const named = given[scope.id] as readonly { ControllerID: string; LineNo: number }[]
      return { lines: [...new Set(named.map(({ ControllerID, LineNo }) => lineOf(ControllerID, LineNo)))] }
    }
    case 'controller': {
      const device = plant.deviceByControllerId.get(String(given[scope.id]))
      if (!device || !actor?.seesGateway(device.gateway)) throw new Refusal('device not exists')
      return { device }
    }
    case 'device': {
      const device = plant.deviceByControllerId.get(String(given[scope.id]))
      if (!device || !actor?.seesGateway(device.gateway) || !device.family.calls.includes(scope.spec))
        throw new Refusal('device not exists')
      return { device }
    }
    case 'gateway':
      return { gateway: gatewayOf(given[scope.id]) }
    case 'project':
      return { project: projectOf(given[scope.id], scope.part) }
    case 'group':
      return { group: groupOf(given[scope.id]) }
    case 'projects':
      return { projects: idsIn(given[scope.id]).map((id) => projectOf(id)), group: groupOf(given[scope.group]) }
    case 'gateways':
      return { gateways: idsIn(given[scope.id]).map(gatewayOf), project: projectOf(given[scope.project]) }
    default:
      return {}
  }
}

const idsIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? [...new Set(value)] : [])
