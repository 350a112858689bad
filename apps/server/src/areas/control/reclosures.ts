import type { Reclosure, Request, setReclosure } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Reclosing } from '@linewarden/rules'
import {
  afterFailedTry,
  afterOrderedTrip,
  afterTrip,
  effectiveSetting,
  notReclosing,
  reclosureDelaysS,
  reclosurePolicy,
  reclosureResetMs,
} from '@linewarden/rules'
import type { Logger } from 'pino'
import type { Actor } from '../../http/context.ts'
import type { Committed, Hub } from '../../live/hub.ts'
import type { Plant, PlantLine } from '../../live/plant.ts'
import { appendAudit } from '../../store/audit.ts'
import type { StoredCommand } from '../../store/command.ts'
import type { Database } from '../../store/database.ts'
import type { StoredReclosure } from '../../store/reclosure.ts'
import * as stored from '../../store/reclosure.ts'
import { by } from '../audited.ts'
import { type Gate, targetOf } from './gate.ts'

export type Reclosures = Awaited<ReturnType<typeof createReclosures>>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly gate: Gate
  readonly actorNow: (actor: { accountId: string; sessionId: string; address: string }) => Promise<Actor | null>
  readonly clock: () => number
  readonly log: Logger
}

const tickEveryMs = 500
/** A try is due in its moment: what comes later than this, because the server was away, is missed and never run late. */
const lateMs = 5_000

/** Lines that close by themselves after a passing disturbance of the supply: through the gate, with the rights of whoever set it. */
export async function createReclosures({ database, plant, hub, gate, actorNow, clock, log }: Deps) {
  const settings = new Map((await stored.allReclosures(database)).map((each) => [each.lineId, each] as const))
  /** Lines that have just opened and whose cause is not reported yet. */
  const opened = new Map<number, number>()
  const positionOf = new Map([...plant.lines.values()].map((line) => [line.id, line.states.get('position')] as const))
  let turn: Promise<unknown> = Promise.resolve()
  const unsubscribe = hub.subscribe(listen)
  const timer = setInterval(() => inTurn(tick), tickEveryMs)

  return {
    of: (line: PlantLine): Reclosure => record(line),

    async set(actor: Actor, line: PlantLine, body: Request<typeof setReclosure>['body']): Promise<Reclosure> {
      const broken = policyOf(line, body.DelaysS).filter(({ met }) => !met)
      const now = clock()
      const audit = {
        ...by(actor, now),
        action: 'reclosure.set',
        target: targetOf(line),
        after: { enabled: body.Enabled, delaysS: body.DelaysS },
      }
      if (body.Enabled && broken.length > 0) {
        await appendAudit(database.control, { ...audit, outcome: 'refused' })
        const why = {
          zh: broken.map(({ what, why: text }) => (text ?? what).zh).join('；'),
          en: broken.map(({ what, why: text }) => (text ?? what).en).join('; '),
        }
        throw new Refusal('reclosure not permitted', { why })
      }
      if (body.Enabled) await gate.takeGrant(actor, body.Grant ?? null, `reclosure:${targetOf(line)}`)
      const saved = await stored.saveReclosure(
        database,
        {
          lineId: line.id,
          enabled: body.Enabled,
          delaysS: body.DelaysS,
          accountId: actor.accountId,
          actor: actor.userName,
          version: body.Version,
        },
        audit,
      )
      if (!saved) throw new Refusal('changed meanwhile')
      settings.set(line.id, saved)
      return record(line)
    },

    /** A command ended: a try that came to nothing counts; whoever closed the line begins anew; whoever tripped it ends the tries. */
    settled(command: StoredCommand): void {
      const setting = settings.get(command.lineId)
      if (!setting || !(command.action === 'close' || command.action === 'trip')) return
      inTurn(async () => {
        if (command.action === 'trip') {
          // Read in its turn: a try that was refused meanwhile has put the next one in.
          const { state } = settings.get(setting.lineId) ?? setting
          return move(setting.lineId, afterOrderedTrip(state, clock()))
        }
        if (command.source !== 'reclosure') {
          if (command.state === 'verified') await move(setting.lineId, notReclosing)
          return
        }
        // Of "unknown" nobody can say whether it closed: it is not tried again.
        if (command.state === 'unknown') await move(setting.lineId, { ...setting.state, nextAt: null, lockedOutAt: clock() })
        else if (command.state !== 'verified') await failed(setting.lineId)
      })
    },

    async close(): Promise<void> {
      clearInterval(timer)
      unsubscribe()
      await turn
    },
  }

  function listen({ reports = [], lines = [] }: Committed): void {
    for (const { line, state, value } of reports) {
      if (state !== 'position') continue
      if (positionOf.get(line.id) === 'closed' && value === 'open' && settings.get(line.id)?.enabled) opened.set(line.id, clock())
      if (value === 'closed') opened.delete(line.id)
      positionOf.set(line.id, value)
    }
    if (opened.size === 0) return
    for (const line of lines) {
      const cause = line.states.get('trip.cause') ?? null
      if (!opened.has(line.id) || cause === null || cause === 'none') continue
      opened.delete(line.id)
      const at = clock()
      inTurn(() => tripped(line.id, cause, at))
    }
  }

  async function tripped(lineId: number, cause: string, at: number): Promise<void> {
    const setting = settings.get(lineId)
    if (!setting?.enabled) return
    const recovered = setting.lastTryAt === null || at - setting.lastTryAt > reclosureResetMs
    await move(
      lineId,
      afterTrip(recovered && setting.state.lockedOutAt === null ? notReclosing : setting.state, cause, setting.delaysS, at),
    )
  }

  async function tick(): Promise<void> {
    const now = clock()
    for (const { lineId, enabled, state } of [...settings.values()]) {
      if (!enabled || state.nextAt === null || now < state.nextAt) continue
      if (now - state.nextAt > lateMs) await failed(lineId)
      else await attempt(lineId, now)
    }
  }

  async function attempt(lineId: number, now: number): Promise<void> {
    const setting = settings.get(lineId)
    const line = plant.lines.get(lineId)
    if (!setting || !line) return
    await move(lineId, { ...setting.state, nextAt: null }, now)
    const actor = setting.accountId === null ? null : await actorNow({ accountId: setting.accountId, sessionId: '', address: '' })
    try {
      if (!actor?.seesGateway(line.device.gateway)) throw new Refusal('access denied')
      await gate.operate({
        line,
        action: 'close',
        actor,
        source: 'reclosure',
        reason: `自动重合闸第 ${setting.state.attempts} 次 / automatic re-closing, try ${setting.state.attempts}`,
        commandId: crypto.randomUUID(),
        grant: null,
        grantTaken: true,
        deadlineMs: null,
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await failed(lineId)
    }
  }

  async function failed(lineId: number): Promise<void> {
    const setting = settings.get(lineId)
    if (setting) await move(lineId, afterFailedTry(setting.state, setting.delaysS, clock()))
  }

  /** Stored first, then known. */
  async function move(lineId: number, state: Reclosing, lastTryAt?: number): Promise<void> {
    const before = settings.get(lineId)
    if (!before) return
    const next: StoredReclosure = { ...before, state, lastTryAt: lastTryAt ?? before.lastTryAt }
    await stored.saveReclosing(database, next)
    settings.set(lineId, next)
    const line = plant.lines.get(lineId)
    if (line) hub.publish({ lines: [line] })
  }

  function inTurn(work: () => Promise<void>): void {
    turn = turn.then(work).catch((error) => log.error({ err: error }, 'a step of automatic re-closing failed'))
  }

  function record(line: PlantLine): Reclosure {
    const setting = settings.get(line.id)
    const state = setting?.state ?? notReclosing
    const delaysS = setting?.delaysS ?? reclosureDelaysS
    return {
      Enabled: setting?.enabled ?? false,
      DelaysS: [...delaysS],
      Version: setting?.version ?? 0,
      Actor: setting?.actor ?? null,
      Attempts: state.attempts,
      NextAt: state.nextAt,
      LockedOutAt: state.lockedOutAt,
      Policy: policyOf(line, delaysS).map(({ key, met, what, why }) => ({
        Key: key,
        Met: met,
        What: { ...what },
        Why: why && { ...why },
      })),
    }
  }
}

function policyOf(line: PlantLine, delaysS: readonly number[]) {
  const { family, model } = line.device
  const setting = family.settings.find(({ key }) => key === 'leakage.trip')
  return reclosurePolicy(delaysS, {
    switches: family.actions.some(({ key }) => key === 'close'),
    residualMa: setting
      ? effectiveSetting(setting, line.reported.get('leakage.trip') ?? null, model, line.ratedCurrentA)
      : 'absent',
  })
}
