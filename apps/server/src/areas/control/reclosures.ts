import type { Reclosure, Request, setReclosure } from '@linewarden/contract'
import { Refusal, reclosureOperation } from '@linewarden/contract'
import type { Reclosing, ReclosureRule } from '@linewarden/rules/control'
import {
  afterCorrection,
  afterFailedTry,
  afterOrderedTrip,
  afterTrip,
  lockedOut,
  mayReclose,
  notReclosing,
  reclosureResetMs,
} from '@linewarden/rules/control'
import type { Logger } from 'pino'
import type { Actor } from '../../access/actor.ts'
import { by, tenantOfLine } from '../../audit/audited.ts'
import type { Runner } from '../../jobs/runner.ts'
import { every } from '../../lib/every.ts'
import { Mutex } from '../../lib/serial.ts'
import type { Hub } from '../../plant/hub.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import { appendRefusal } from '../../store/audit/append.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import { commandById } from '../../store/control/command.ts'
import type { StoredReclosure } from '../../store/control/reclosure.ts'
import * as stored from '../../store/control/reclosure.ts'
import type { Database } from '../../store/core/database.ts'
import type { Claim } from '../../store/jobs/due-work.ts'
import { claimInstant, endWork, isHeld } from '../../store/jobs/due-work.ts'
import { type Gate, nameOf, type Order } from './gate.ts'
import { type Opening, watchOpenings } from './openings.ts'
import { brokenRules, notPermitted, reclosureRecord } from './reclosure-records.ts'
import { minStaggerMs, type Stagger } from './stagger.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly gate: Pick<Gate, 'operate' | 'redeemGrant'>
  readonly stagger: Stagger
  readonly runner: Runner
  /** Settings of a line that an order may have changed, without the equipment having said so. */
  readonly unconfirmed: (line: PlantLine) => ReadonlySet<string>
  readonly actorNow: (actor: { accountId: string; sessionId: string; address: string }) => Promise<Actor | null>
  readonly clock: () => number
  readonly log: Logger
}

/** What a try is called among due work. */
const reclosing = 'reclosing'
const tickEveryMs = 500
/** A try is due in its moment: what comes later than this, because the server was away, is missed and never run late. */
const lateMs = 5_000
/** Tries of one project are planned this far apart: the minimum stagger and a tick, so that none waits itself late. */
const apartMs = minStaggerMs + tickEveryMs

type Outcome = 'ordered' | 'refused' | 'missed' | 'superseded'

/** Lines that close by themselves after a passing disturbance of the supply: through the gate, with the rights of whoever set it. */
export async function createReclosures({ database, plant, hub, gate, stagger, runner, unconfirmed, actorNow, clock, log }: Deps) {
  const settings = new Map((await stored.allReclosures(database)).map((each) => [each.lineId, each] as const))
  /** Tries that are in the line of turns. */
  const asked = new Set<number>()
  /** One step after the other, whoever takes it: two never write one line's state at once. */
  const steps = new Mutex()
  const openings = watchOpenings({
    hub,
    wants: (lineId) => settings.get(lineId)?.enabled === true,
    told(opening, cause) {
      const at = clock()
      later(() => step(opening.lineId, (setting) => afterOpening(opening, cause, setting, at)))
    },
  })
  const loop = every(tickEveryMs, tick, { log })
  runner.register({ kind: reclosing, takeOver: (claim) => steps.run(() => takeOver(claim)) })

  return {
    of: (line: PlantLine): Reclosure => record(line),

    async set(actor: Actor, line: PlantLine, body: Request<typeof setReclosure>['body']): Promise<Reclosure> {
      const rules = broken(line, body.DelaysS)
      const now = clock()
      const audit = {
        ...by(actor, now, 'reclosure.set', tenantOfLine(line)),
        subject: aboutLine(line),
        after: { enabled: body.Enabled, delaysS: body.DelaysS },
      }
      if (body.Enabled && rules.length > 0) throw notPermitted(rules)
      if (body.Enabled) await gate.redeemGrant(actor, body.Grant ?? null, reclosureOperation(nameOf(line), body.DelaysS))
      const next = {
        lineId: line.id,
        enabled: body.Enabled,
        delaysS: body.DelaysS,
        accountId: actor.accountId,
        actor: actor.userName,
        version: body.Version,
      }
      // In its turn: a try that is being made neither overlooks it nor writes over it.
      await steps.run(async () => {
        const saved = await stored.saveReclosure(database, next, audit)
        if (!saved) throw new Refusal('changed meanwhile')
        settings.set(line.id, saved)
        openings.forget(line.id)
      })
      return record(line)
    },

    /** A command ended: a try that came to nothing counts; whoever closed the line begins anew; whoever tripped it ends the tries. */
    settled(command: StoredCommand): void {
      if (!settings.has(command.lineId) || !(command.action === 'close' || command.action === 'trip')) return
      // Whatever cause is still told of an opening that a person ordered, it starts nothing.
      if (command.action === 'trip') openings.forget(command.lineId)
      later(() => step(command.lineId, (setting) => afterCommand(command, setting, clock())))
    },

    async close(): Promise<void> {
      const over = loop.close()
      openings.close()
      await over
      await steps.settled()
    },
  }

  /** Each line takes a turn of its own: whoever switches one off does not wait for all the others. */
  function tick(): void {
    const now = clock()
    for (const { lineId, enabled, state } of settings.values()) {
      if (!enabled || state.nextAt === null || now < state.nextAt || asked.has(lineId)) continue
      asked.add(lineId)
      later(() => attempt(lineId).finally(() => asked.delete(lineId)))
    }
  }

  async function attempt(lineId: number): Promise<void> {
    const known = settings.get(lineId)
    const line = plant.lines.get(lineId)
    const now = clock()
    const dueAt = known?.enabled ? known.state.nextAt : null
    if (!line || dueAt === null || now < dueAt) return
    const projectId = line.device.gateway.project.id
    const isLate = now - dueAt > lateMs
    if (!isLate && stagger.waitMs(projectId, minStaggerMs) > 0) return
    const work = { workId: crypto.randomUUID(), kind: reclosing, key: String(lineId), dueAt }
    const claim = await claimInstant(database.control, work, runner.holder)
    // Another server may have it, or have moved it: what is stored counts.
    const setting = await reload(lineId)
    if (!claim) return
    if (!isLate) stagger.begins(projectId)
    await runner.carry(claim, () =>
      ended(claim, async () => {
        if (!setting?.enabled || setting.state.nextAt !== dueAt) return 'superseded'
        if (!isLate) return closeAgain(setting, line, claim, now)
        await missed(setting, line)
        return 'missed'
      }),
    )
  }

  /** The try itself: stored as begun first, under the id of its command. */
  async function closeAgain(setting: StoredReclosure, line: PlantLine, claim: Claim, now: number): Promise<Outcome> {
    const { project } = line.device.gateway
    const begun = await move(setting, { ...setting.state, nextAt: null }, { lastTryAt: now, lastTryId: claim.workId })
    if (!begun) return 'superseded'
    try {
      const actor = begun.accountId === null ? null : await actorNow({ accountId: begun.accountId, sessionId: '', address: '' })
      if (!(await isHeld(database.control, claim))) {
        // Taken over while the rights were read: whoever has it now says what came of it.
        await reload(line.id)
        return 'superseded'
      }
      if (!actor?.seesGateway(line.device.gateway)) await denied(begun, line)
      // Last thing before the gate: what the line reported since it tripped, and while the rights were read, counts.
      else if (!mayReclose(line.states.get('trip.cause') ?? null)) await move(begun, notReclosing)
      else if (broken(line, begun.delaysS).length > 0) await forbidden(begun, line)
      else if (clock() - claim.dueAt > lateMs) await missed(begun, line)
      else {
        await gate.operate(orderOf(begun, line, actor, claim))
        return 'ordered'
      }
      return 'refused'
    } catch (error) {
      // A command that was stored all the same counts when it ends, and one that was taken over for whoever has it now.
      const command = await commandById(database.control, claim.workId)
      if (!command && (await isHeld(database.control, claim))) await failed(begun)
      else await reload(line.id)
      if (!(error instanceof Refusal)) throw error
      return 'refused'
    } finally {
      // The stagger counts from the sending.
      stagger.begins(project.id)
    }
  }

  /** What broke off is let go as it is: whoever takes it over finds in what is stored how far it came. */
  async function ended(claim: Claim, work: () => Promise<Outcome>): Promise<void> {
    try {
      await endWork(database.control, claim, await work(), clock())
    } finally {
      runner.letGo(claim.workId)
    }
  }

  /**
   * Whoever made this try is gone. A command that was stored is followed by its dispatcher, which tells what became of it. A try that
   * was begun and left none came to nothing: it is never made late.
   */
  async function takeOver(claim: Claim): Promise<void> {
    const lineId = Number(claim.key)
    const [setting, line] = [await reload(lineId), plant.lines.get(lineId)]
    const command = await commandById(database.control, claim.workId)
    const open = setting?.enabled === true && setting.state.attempts > 0 && setting.state.lockedOutAt === null
    const cameToNothing = open && (setting.state.nextAt ?? claim.dueAt) === claim.dueAt && !command
    const isThis = setting?.state.nextAt === claim.dueAt || setting?.lastTryId === claim.workId
    if (line && cameToNothing && isThis) await missed(setting, line)
    await endWork(database.control, claim, command ? 'ordered' : 'missed', clock())
    runner.letGo(claim.workId)
  }

  async function reload(lineId: number): Promise<StoredReclosure | null> {
    const setting = await stored.reclosureOfLine(database, lineId)
    if (setting) settings.set(lineId, setting)
    return setting
  }

  /** The line no longer keeps the policy: it is not closed, and the record says why, whatever is set afterwards. */
  async function forbidden(setting: StoredReclosure, line: PlantLine): Promise<void> {
    const refusal = notPermitted(broken(line, setting.delaysS))
    await move(setting, lockedOut(setting.state, 'policy_broken', clock()))
    await writeDown(setting, line, refusal)
  }

  /** Its moment passed while the server was away or busy: it is not made late. */
  async function missed(setting: StoredReclosure, line: PlantLine): Promise<void> {
    await writeDown(setting, line, new Refusal('reclosure missed'))
    await failed(setting)
  }

  /** Whoever set it lost the rights: it never comes to the gate, which would have written it down. */
  async function denied(setting: StoredReclosure, line: PlantLine): Promise<void> {
    await writeDown(setting, line, new Refusal('access denied'))
    await failed(setting)
  }

  async function writeDown({ actor, state }: StoredReclosure, line: PlantLine, refused: Refusal): Promise<void> {
    const { Message: refusal, Text: why } = refused.envelope()
    await appendRefusal(database.control, {
      at: clock(),
      actor,
      address: '',
      tenant: tenantOfLine(line),
      action: 'line.close',
      subject: aboutLine(line),
      after: { source: 'reclosure', attempt: state.attempts, refusal, why },
      outcome: 'refused',
    })
  }

  async function failed(setting: StoredReclosure): Promise<void> {
    const state = afterFailure(setting, clock())
    if (state) await move(setting, state)
  }

  /** What happened to a line, added to what is stored of it: of two servers the second adds it to what the first has stored. */
  async function step(lineId: number, next: (setting: StoredReclosure) => Reclosing | null): Promise<void> {
    for (;;) {
      const setting = await reload(lineId)
      const state = setting && next(setting)
      if (!setting || !state || (await move(setting, state))) return
    }
  }

  /** Stored first, then known, and only over what it was made of. Null: something else stands there by now, and is known from here on. */
  async function move(
    before: StoredReclosure,
    state: Reclosing,
    begun: Partial<StoredReclosure> = {},
  ): Promise<StoredReclosure | null> {
    const { lineId } = before
    const line = plant.lines.get(lineId)
    const nextAt = line && state.nextAt !== null ? freeMoment(line, state.nextAt) : state.nextAt
    const next: StoredReclosure = { ...before, ...begun, state: { ...state, nextAt } }
    const isStored = await stored.saveReclosing(database, next, before)
    if (isStored) settings.set(lineId, next)
    else await reload(lineId)
    if (line) hub.publish({ lines: [line] })
    return isStored ? next : null
  }

  /** A disturbance opens many lines at once: their tries follow one another. */
  function freeMoment({ id, device }: PlantLine, wanted: number): number {
    const { project } = device.gateway
    const taken = [...settings.values()]
      .flatMap(({ lineId, state }) =>
        state.nextAt !== null && lineId !== id && plant.lines.get(lineId)?.device.gateway.project === project ? state.nextAt : [],
      )
      .sort((a, b) => a - b)
    return taken.reduce((free, each) => (Math.abs(each - free) < apartMs ? each + apartMs : free), wanted)
  }

  function later(work: () => Promise<void>): void {
    void steps.run(work).catch((error) => log.error({ err: error }, 'a step of automatic re-closing failed'))
  }

  function broken(line: PlantLine, delaysS: readonly number[]): readonly ReclosureRule[] {
    return brokenRules(line, delaysS, unconfirmed(line))
  }

  function record(line: PlantLine): Reclosure {
    return reclosureRecord(line, settings.get(line.id), unconfirmed(line))
  }
}

/** The newest cause told of an opening counts; a try that was counted for it stays counted. Null: it changes nothing. */
function afterOpening(
  opening: Opening,
  cause: string,
  { enabled, state, lastTryAt, delaysS }: StoredReclosure,
  at: number,
): Reclosing | null {
  if (!enabled || state.lockedOutAt !== null) return null
  const recovered = lastTryAt === null || at - lastTryAt > reclosureResetMs
  const before = opening.before ?? (recovered ? notReclosing : state)
  if (opening.before === null || state.attempts <= before.attempts) {
    opening.before = before
    return afterTrip(before, cause, delaysS, at)
  }
  const corrected = afterCorrection(state, cause, at)
  if (corrected !== null) opening.before = { ...state, nextAt: null }
  return corrected
}

/** What a command that has ended makes of the tries of its line; null: nothing. */
function afterCommand({ action, source, state }: StoredCommand, setting: StoredReclosure, now: number): Reclosing | null {
  if (action === 'trip') return afterOrderedTrip(setting.state, now)
  if (source !== 'reclosure') return state === 'verified' ? notReclosing : null
  // Of "unknown" nobody can say whether it closed: it is not tried again.
  if (state === 'unknown') return lockedOut(setting.state, 'outcome_unknown', now)
  return state === 'verified' ? null : afterFailure(setting, now)
}

/** Of a setting that was switched off or made anew meanwhile no try is counted. */
const afterFailure = ({ enabled, state, delaysS }: StoredReclosure, now: number): Reclosing | null =>
  enabled && state.attempts > 0 ? afterFailedTry(state, delaysS, now) : null

const orderOf = ({ state }: StoredReclosure, line: PlantLine, actor: Actor, claim: Claim): Order => ({
  line,
  action: 'close',
  actor,
  source: 'reclosure',
  // In both languages: each reader is shown their part of it.
  reason: { zh: `自动重合闸第 ${state.attempts} 次`, en: `auto-reclose, attempt ${state.attempts}` },
  // One try is one command, under one id: whoever takes the try over finds by it what became of it.
  commandId: claim.workId,
  claim,
  notAfter: claim.dueAt + lateMs,
  grant: null,
  grantRedeemed: true,
  deadlineMs: null,
})
