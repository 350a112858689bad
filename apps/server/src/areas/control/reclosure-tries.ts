import { Refusal } from '@linewarden/contract'
import { lockedOut, mayReclose, notReclosing } from '@linewarden/rules/control'
import type { Actor } from '../../access/actor.ts'
import { tenantOfLine } from '../../audit/audited.ts'
import type { Runner } from '../../jobs/runner.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import { appendRefusal } from '../../store/audit/append.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import { commandById } from '../../store/control/command.ts'
import type { StoredReclosure } from '../../store/control/reclosure.ts'
import type { Database } from '../../store/core/database.ts'
import type { Claim } from '../../store/jobs/due-work.ts'
import { claimInstant, endWork, hasLease } from '../../store/jobs/due-work.ts'
import type { Gate, Order } from './gate.ts'
import { brokenRules, notPermitted } from './reclosure-records.ts'
import type { ReclosureStates } from './reclosure-states.ts'
import { afterFailure } from './reclosure-steps.ts'
import { minStaggerMs, type Stagger } from './stagger.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly gate: Pick<Gate, 'operate'>
  readonly stagger: Stagger
  readonly runner: Runner
  readonly states: ReclosureStates
  /** Settings of a line that an order may have changed, without the equipment having reported so. */
  readonly unconfirmed: (line: PlantLine) => ReadonlySet<string>
  readonly actorNow: (actor: { accountId: string; sessionId: string; address: string }) => Promise<Actor | null>
  readonly clock: () => number
}

/** What a try is called among due work. */
export const reclosing = 'reclosing'
/** A try is due in its moment: what comes later than this, because the server was away, is missed and never run late. */
const lateMs = 5_000

type Outcome = 'ordered' | 'refused' | 'missed' | 'superseded'

/** The tries that are due: each claimed by one server, and made through the gate with the rights of whoever set it. */
export class ReclosureTries {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async attempt(lineId: number): Promise<void> {
    const { plant, stagger, states, clock } = this.#deps
    const known = states.of(lineId)
    const line = plant.lines.get(lineId)
    const now = clock()
    const dueAt = known?.enabled ? known.state.nextAt : null
    if (!line || dueAt === null || now < dueAt) return
    const projectId = line.device.gateway.project.id
    const isLate = now - dueAt > lateMs
    const turn = isLate ? null : await stagger.take(projectId, minStaggerMs)
    if (typeof turn === 'number') return
    try {
      await this.#claimed(lineId, line, dueAt, isLate)
    } finally {
      turn?.()
    }
  }

  /** Claims the try and makes it, in the turn of its project. */
  async #claimed(lineId: number, line: PlantLine, dueAt: number, isLate: boolean): Promise<void> {
    const { database, runner, states, clock } = this.#deps
    const work = { workId: crypto.randomUUID(), kind: reclosing, key: String(lineId), dueAt }
    const claim = await claimInstant(database.control, work, runner.holder)
    // Another server may have it, or have moved it: what is stored counts.
    const setting = await states.reload(lineId)
    if (!claim) return
    await runner.carry(claim, () =>
      this.#ended(claim, async () => {
        if (!setting?.enabled || setting.state.nextAt !== dueAt) return 'superseded'
        if (!isLate) return this.#closeAgain(setting, line, claim, clock())
        await this.#missed(setting, line)
        return 'missed'
      }),
    )
  }

  /**
   * Whoever made this try is gone. A command that was stored is followed by its dispatcher, which tells what became of it. A try that
   * was begun and left none came to nothing: it is never made late.
   */
  async takeOver(claim: Claim): Promise<void> {
    const { database, plant, runner, states, clock } = this.#deps
    const lineId = Number(claim.key)
    const [setting, line] = [await states.reload(lineId), plant.lines.get(lineId)]
    const command = await commandById(database.control, claim.workId)
    const open = setting?.enabled === true && setting.state.attempts > 0 && setting.state.lockedOutAt === null
    const cameToNothing = open && (setting.state.nextAt ?? claim.dueAt) === claim.dueAt && !command
    const isThis = setting?.state.nextAt === claim.dueAt || setting?.lastTryId === claim.workId
    if (line && cameToNothing && isThis) await this.#missed(setting, line)
    await endWork(database.control, claim, command ? 'ordered' : 'missed', clock())
    runner.letGo(claim.workId)
  }

  /** The try itself: stored as begun first, under the id of its command. */
  async #closeAgain(setting: StoredReclosure, line: PlantLine, claim: Claim, now: number): Promise<Outcome> {
    const { database, gate, stagger, states, unconfirmed, actorNow, clock } = this.#deps
    const { project } = line.device.gateway
    const begun = await states.move(setting, { ...setting.state, nextAt: null }, { lastTryAt: now, lastTryId: claim.workId })
    if (!begun) return 'superseded'
    try {
      const actor = begun.accountId === null ? null : await actorNow({ accountId: begun.accountId, sessionId: '', address: '' })
      if (!(await hasLease(database.control, claim))) {
        // Taken over while the rights were read: whoever has it now says what came of it.
        await states.reload(line.id)
        return 'superseded'
      }
      if (!actor?.seesGateway(line.device.gateway)) await this.#denied(begun, line)
      // Last thing before the gate: what the line reported since it tripped, and while the rights were read, counts.
      else if (!mayReclose(line.states.get('trip.cause') ?? null)) await states.move(begun, notReclosing)
      else if (brokenRules(line, begun.delaysS, unconfirmed(line)).length > 0) await this.#forbidden(begun, line)
      else if (clock() - claim.dueAt > lateMs) await this.#missed(begun, line)
      else {
        await gate.operate(orderOf(begun, line, actor, claim))
        return 'ordered'
      }
      return 'refused'
    } catch (error) {
      // A command that was stored all the same counts when it ends, and one that was taken over for whoever has it now.
      const command = await commandById(database.control, claim.workId)
      if (!command && (await hasLease(database.control, claim))) await this.#failed(begun)
      else await states.reload(line.id)
      if (!(error instanceof Refusal)) throw error
      return 'refused'
    } finally {
      // The stagger counts from the sending.
      stagger.begins(project.id)
    }
  }

  /** What broke off is let go as it is: whoever takes it over finds in what is stored how far it came. */
  async #ended(claim: Claim, work: () => Promise<Outcome>): Promise<void> {
    const { database, runner, clock } = this.#deps
    try {
      await endWork(database.control, claim, await work(), clock())
    } finally {
      runner.letGo(claim.workId)
    }
  }

  /** The line no longer keeps the policy: it is not closed, and the record says why, whatever is set afterwards. */
  async #forbidden(setting: StoredReclosure, line: PlantLine): Promise<void> {
    const { states, unconfirmed, clock } = this.#deps
    const refusal = notPermitted(brokenRules(line, setting.delaysS, unconfirmed(line)))
    await states.move(setting, lockedOut(setting.state, 'policy_broken', clock()))
    await this.#writeDown(setting, line, refusal)
  }

  /** Its moment passed while the server was away or busy: it is not made late. */
  async #missed(setting: StoredReclosure, line: PlantLine): Promise<void> {
    await this.#writeDown(setting, line, new Refusal('reclosure missed'))
    await this.#failed(setting)
  }

  /** Whoever set it lost the rights: it never comes to the gate, which would have written it down. */
  async #denied(setting: StoredReclosure, line: PlantLine): Promise<void> {
    await this.#writeDown(setting, line, new Refusal('access denied'))
    await this.#failed(setting)
  }

  async #writeDown({ actor, state }: StoredReclosure, line: PlantLine, refused: Refusal): Promise<void> {
    const { database, clock } = this.#deps
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

  async #failed(setting: StoredReclosure): Promise<void> {
    const state = afterFailure(setting, this.#deps.clock())
    if (state) await this.#deps.states.move(setting, state)
  }
}

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
