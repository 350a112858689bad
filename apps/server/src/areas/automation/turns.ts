import { setTimeout as pause } from 'node:timers/promises'
import type { MessageKey } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { permits } from '@linewarden/rules/account'
import { maxLateMs, turnsEndAt } from '@linewarden/rules/automation'
import type { GroupAction } from '@linewarden/rules/control'
import type { Actor } from '../../access/actor.ts'
import { by, tenantOfLine } from '../../audit/audited.ts'
import { Batched } from '../../lib/batched.ts'
import type { PlantLine } from '../../plant/plant.ts'
import { appendRefusal } from '../../store/audit/append.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import { administratorOf } from '../../store/automation/linkage-run.ts'
import type { LineWords } from '../../store/automation/override.ts'
import { afterDangers, wordsOfLines } from '../../store/automation/override.ts'
import { isTripUnderWay } from '../../store/control/command.ts'
import type { GroupLineRefusal, LineTurn } from '../../store/control/group-operation.ts'
import { saveGroupOperationLines } from '../../store/control/group-operation.ts'
import { isRefusedByDatabase } from '../../store/core/refused.ts'
import type { Claim } from '../../store/jobs/due-work.ts'
import { wordOf } from '../control/group-operation-records.ts'
import type { TurnRules } from '../control/group-operation-turns.ts'
import type { LinesBegun } from '../control/lines-begun.ts'
import { linesBegun, wasOpened } from '../control/lines-begun.ts'
import type { Turn } from '../control/stagger.ts'
import { minStaggerMs } from '../control/stagger.ts'
import type { AutomationDeps } from './deps.ts'
import { skippedBy } from './overrides.ts'
import { skipTexts } from './timer-decisions.ts'

/** When something was claimed, by every clock: those of this server from before it was asked for, so that whatever holds it up counts. */
export interface ClaimMoment {
  readonly at: number
  readonly monotonic: number
  readonly clock: number
}

/** The lines of one execution that still have their turn, all of one action. */
export interface Turns {
  readonly claim: Claim
  /** Of a line that was moved to another project nothing is done. */
  readonly projectId: number
  readonly operationId: string
  readonly action: GroupAction
  readonly source: 'timer' | 'scene' | 'linkage'
  readonly name: string
  readonly owner: { readonly accountId: string | null; readonly userName: string }
  /** Unix ms by the clock that all servers share. */
  readonly dueAt: number
  readonly claimed: ClaimMoment
  readonly lines: readonly { readonly lineId: number; readonly commandId: string }[]
  /** The scene that it runs; left out: its lines are its own. */
  readonly scene?: string
  /** When the closes of that scene have their turns, and when they have none; null: as those of a timer. */
  readonly rules?: TurnRules | null
  /** As its lines stood when it began; left out: as they stand at its first turn. */
  readonly begun?: LinesBegun
  /** What stands against closing a line, beside its permit: read at its turn, and asked once more at the gate; left out: nothing. */
  readonly standsAgainst?: (line: PlantLine) => Promise<() => Refusal | null>
  /** After each turn. */
  readonly changed?: () => void
}

type Deps = Pick<AutomationDeps, 'database' | 'plant' | 'ingest' | 'control' | 'actorNow' | 'clock' | 'log'>

/** What came of a turn. `over`: the execution goes no further. */
type Outcome =
  | 'ordered'
  | 'over'
  | { readonly skip: 'skipped' | 'missed'; readonly why: GroupLineRefusal }
  | { readonly refusal: GroupLineRefusal }

/** After which nothing is done, by both clocks of this server. */
interface Until {
  readonly monotonic: number
  readonly clock: number
}

const tripLanes = 4
/** So many lines are asked about, or stored, at once. */
const together = 200
const noWords: LineWords = { given: null, ordered: null }
/** What ends an execution as a whole: whoever stopped it, or took it over, says what becomes of the rest. */
const over: readonly string[] = ['group operation over'] satisfies MessageKey[]

/**
 * Gives lines of an execution their turns, each through the gate, with the rights that the owner has at that moment. Trips at once, in a few
 * lanes; whatever else one after another, and never after its time. Nothing is tried twice.
 */
export class AutomationTurns {
  readonly #deps: Deps
  readonly #closing = new AbortController()
  /** Of what has its turn at the same time, in whichever run: words of people are read, and outcomes stored, together. */
  readonly #words: Batched<number, LineWords | null>
  readonly #dangers: Batched<number, boolean>
  readonly #outcomes: Batched<LineTurn, null>

  constructor(deps: Deps) {
    this.#deps = deps
    const { database } = deps
    this.#words = new Batched(
      async (lineIds) => {
        const words = await wordsOfLines(database.control, [...new Set(lineIds)])
        return lineIds.map((id) => words.get(id) ?? null)
      },
      { most: together },
    )
    this.#dangers = new Batched(
      async (lineIds) => {
        const dangers = await afterDangers(database.control, [...new Set(lineIds)])
        return lineIds.map((id) => dangers.has(id))
      },
      { most: together },
    )
    this.#outcomes = new Batched(
      async (turns) => {
        await saveGroupOperationLines(database, turns)
        return turns.map(() => null)
      },
      { most: together, oneByOne: isRefusedByDatabase },
    )
  }

  async give(turns: Turns, stopped: AbortSignal): Promise<void> {
    const { action, dueAt, claimed, lines } = turns
    const isTrip = action === 'trip'
    const rules = turns.rules ?? null
    // By a clock that no step moves, and by the server's own, at which the gate looks: whichever is later by then.
    const untilOf = (turn: number): Until => {
      const lateMs = isTrip ? maxLateMs.trip : rules?.lateAfterMs?.(turn)
      const endAt = lateMs === undefined ? turnsEndAt(dueAt, lines.length, minStaggerMs) : dueAt + lateMs
      return { monotonic: claimed.monotonic + endAt - claimed.at, clock: claimed.clock + endAt - claimed.at }
    }
    const stop = new AbortController()
    const halted = AbortSignal.any([stopped, stop.signal, ...(isTrip ? [] : [this.#closing.signal])])
    const begun = isTrip ? null : (turns.begun ?? (await this.begin(lines.map(({ lineId }) => lineId))))
    // What stands against every line that has had no turn yet.
    let bar = (await rules?.ready?.(halted)) ?? null
    const rest = [...lines.entries()]
    const lane = async () => {
      for (let next = rest.shift(); next && !halted.aborted; next = rest.shift()) {
        const [turn, line] = next
        const until = untilOf(turn)
        if (bar) {
          await this.#stored(turns, line, outcomeOf(bar))
          continue
        }
        const known = this.#deps.plant.lines.get(line.lineId)
        const ended = isTrip || !known ? null : await this.#keepStagger(known, until.monotonic, halted)
        if (!isTrip && halted.aborted) return ended?.()
        const outcome = await this.#outcome(turns, line.commandId, known, until, begun).finally(() => ended?.())
        if (outcome === 'over') stop.abort()
        else {
          await this.#stored(turns, line, outcome)
          const refusal = outcome !== 'ordered' && 'refusal' in outcome ? outcome.refusal : null
          bar = (await rules?.after?.(line, refusal, halted)) ?? null
        }
      }
    }
    await Promise.all(Array.from({ length: isTrip ? tripLanes : 1 }, lane))
  }

  /** How these lines stand now, and what was ordered of them until now. */
  begin(lineIds: readonly number[]): Promise<LinesBegun> {
    const { database, plant } = this.#deps
    return linesBegun(
      database,
      lineIds.flatMap((id) => plant.lines.get(id) ?? []),
    )
  }

  /** Nothing more is closed or tested; trips go on. */
  close(): void {
    this.#closing.abort()
  }

  /** What came of one line's turn. */
  async #stored(turns: Turns, { lineId, commandId }: Turns['lines'][number], outcome: Exclude<Outcome, 'over'>): Promise<void> {
    const { log } = this.#deps
    try {
      const of = { operationId: turns.operationId, commandId }
      if (outcome === 'ordered') await this.#outcomes.run({ ...of, state: 'ordered', refusal: null })
      else if ('skip' in outcome) await this.#outcomes.run({ ...of, state: outcome.skip, refusal: outcome.why })
      else await this.#outcomes.run({ ...of, state: 'refused', refusal: outcome.refusal })
    } catch (error) {
      // One line that fails does not keep the others from their turn; whoever ends the execution says what became of it.
      log.error({ err: error, operation: turns.operationId, line: lineId }, 'the turn of a line could not be stored')
    }
    turns.changed?.()
  }

  async #outcome(
    turns: Turns,
    commandId: string,
    line: PlantLine | undefined,
    until: Until,
    begun: LinesBegun | null,
  ): Promise<Outcome> {
    const { action, source, owner, claim, operationId } = turns
    try {
      if (!line) throw new Refusal('line not exists')
      if (line.device.gateway.project.id !== turns.projectId) throw new Refusal('line not in project')
      if (performance.now() > until.monotonic) throw new Refusal('timed action missed')
      if (action === 'close' && this.#isClosed(line))
        return { skip: 'skipped', why: { key: 'alreadySo', text: skipTexts.alreadySo() } }
      const against = action === 'close' ? await turns.standsAgainst?.(line) : null
      const refused = against?.()
      if (refused) throw refused
      // Both were read before the words are: what people have done since is found at the gate, whatever they want of timers from then on.
      const { before = new Map(), fences = new Map() } = begun ?? {}
      const behind = action === 'close' ? (fences.get(line.id) ?? 0) : null
      // A trip by a linkage protects: no word of a person holds it up, and one that is under way is not ordered again.
      const protects = source === 'linkage' && action === 'trip'
      if (protects && (await this.#isBeingTripped(line)))
        return { skip: 'skipped', why: { key: 'underWay', text: skipTexts.underWay() } }
      const word = protects ? null : await this.#personsWord(line, action)
      if (word) return { skip: 'skipped', why: word }
      // A danger that has tripped it is the last word on it, whatever closes and whenever it began: a person closes or releases it.
      const notAfterDanger = source === 'linkage' ? 'linkage may not close' : 'opened meanwhile'
      if (action === 'close' && (await this.#dangers.run(line.id))) throw new Refusal(notAfterDanger)
      const own = await this.#ownerNow(owner.accountId)
      const instead = protects && !mayOrder(own, line) ? await this.#administrator(turns.projectId) : null
      const actor = instead ?? own
      if (!actor?.seesGateway(line.device.gateway)) throw await this.#denied(turns, commandId, line)
      if (performance.now() > until.monotonic) throw new Refusal('timed action missed')
      await this.#deps.control.operate({
        ...{ line, action, actor, source, commandId, operationId, claim },
        reason: reasonOf(turns, instead !== null),
        ...{ grant: null, grantRedeemed: true, deadlineMs: null },
        // A trip is late by the clock that no step moves only: a clock that is set keeps no line on.
        ...(action !== 'trip' && { notAfter: until.clock }),
        // Once more with the order itself: a danger that leaves the line to an older trip orders nothing that would be seen there.
        ...(action === 'close' && { notAfterDanger }),
        ...(behind !== null && {
          notTrippedBehind: behind,
          refusedNow() {
            const isOpened = wasOpened(line, before.get(line.id), turns.claimed.clock)
            return against?.() ?? (isOpened ? new Refusal('opened meanwhile') : null)
          },
        }),
      })
      return 'ordered'
    } catch (error) {
      if (!(error instanceof Refusal))
        this.#deps.log.error({ err: error, command: commandId }, 'a line of an automatic run failed')
      const refusal = error instanceof Refusal ? error : new Refusal('failed')
      return over.includes(refusal.key) ? 'over' : outcomeOf(refusal)
    }
  }

  /** A line is left to a trip under way only where nothing was ordered behind that: what is known here of it may be a moment old. */
  async #isBeingTripped(line: PlantLine): Promise<boolean> {
    if (![...line.underWay.values()].includes('trip')) return false
    const { database, log } = this.#deps
    return isTripUnderWay(database.control, line.id).catch((error) => {
      log.error({ err: error, line: line.id }, 'whether a line is being tripped could not be read; it is tripped once more')
      return false
    })
  }

  /** What a person has said or done to this line counts until its turn. A trip does not wait for a word that cannot be read. */
  async #personsWord(line: PlantLine, action: GroupAction): Promise<GroupLineRefusal | null> {
    const { clock, log } = this.#deps
    try {
      const words = (await this.#words.run(line.id)) ?? noWords
      return skippedBy(line, words, action, clock())
    } catch (error) {
      if (action !== 'trip') throw error
      log.error({ err: error, line: line.id }, 'whether a person has a timed trip on hold could not be read; it goes on')
      return null
    }
  }

  /** Nobody's rights are kept for later: what the owner may now is what counts. */
  #ownerNow(accountId: string | null): Promise<Actor | null> {
    return accountId === null ? Promise.resolve(null) : this.#deps.actorNow({ accountId, sessionId: '', address: '' })
  }

  /** A safety function does not end with an employment: a trip whose linkage has lost its owner has the authority of the project's administrator. */
  async #administrator(projectId: number): Promise<Actor | null> {
    return this.#ownerNow(await administratorOf(this.#deps.database.control, projectId))
  }

  #isClosed(line: PlantLine): boolean {
    return line.states.get('position') === 'closed' && this.#deps.ingest.hasValidPosition(line)
  }

  /** The owner is gone or sees the line no more: it never comes to the gate, which would have written it down. */
  async #denied({ owner, action, source, name }: Turns, commandId: string, line: PlantLine): Promise<Refusal> {
    const { database, clock } = this.#deps
    const refusal = new Refusal('access denied')
    await appendRefusal(database.control, {
      ...by({ userName: owner.userName, address: '' }, clock(), `line.${action}`, tenantOfLine(line)),
      subject: aboutLine(line),
      after: { commandId, source, name, refusal: refusal.key },
      outcome: 'refused',
    })
    return refusal
  }

  /** Waits until the project's last close is long enough ago, the execution is over, or its time is. */
  async #keepStagger(line: PlantLine, until: number, halted: AbortSignal): Promise<Turn | null> {
    const { stagger } = this.#deps.control
    const { id } = line.device.gateway.project
    while (!halted.aborted && performance.now() <= until) {
      const turn = await stagger.take(id, minStaggerMs)
      if (typeof turn !== 'number') return turn
      await pause(Math.min(turn, until - performance.now() + 1), undefined, { signal: halted }).catch(() => {})
    }
    return null
  }
}

const mayOrder = (actor: Actor | null, line: PlantLine): boolean =>
  actor !== null && permits('lineSwitch', actor) && actor.seesGateway(line.device.gateway)

function outcomeOf(refusal: Refusal): Exclude<Outcome, 'over' | 'ordered'> {
  const why = wordOf(refusal)
  return why.key === ('timed action missed' satisfies MessageKey) ? { skip: 'missed', why } : { refusal: why }
}

function reasonOf({ source, name, scene }: Turns, isInstead: boolean): Text {
  if (scene !== undefined) {
    const { zh, en } = reasonOfItself(source, name, isInstead)
    return { zh: `场景「${scene}」，${zh}`, en: `Scene “${scene}”. ${en}` }
  }
  return reasonOfItself(source, name, isInstead)
}

function reasonOfItself(source: Turns['source'], name: string, isInstead: boolean): Text {
  if (source !== 'linkage') return { zh: `定时「${name}」`, en: `Timer “${name}”` }
  return isInstead
    ? {
        zh: `联动「${name}」，负责人已失效，由项目管理员授权`,
        en: `Linkage “${name}”, its owner is gone: by the project's administrator`,
      }
    : { zh: `联动「${name}」`, en: `Linkage “${name}”` }
}
