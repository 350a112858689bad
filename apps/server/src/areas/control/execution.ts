import type { CommandAction, CommandFact } from '@linewarden/rules'
import { foldCommand, inspectionHolds, isFinal, isUnderWay, tagsHold } from '@linewarden/rules'
import type { Logger } from 'pino'
import type { Ingest } from '../../ingest/ingest.ts'
import type { Committed, Hub } from '../../live/hub.ts'
import type { Plant, PlantLine } from '../../live/plant.ts'
import type { StoredCommand } from '../../store/command.ts'
import * as stored from '../../store/command.ts'
import type { Database } from '../../store/database.ts'
import { factOfReadBack, factOfState } from './proof.ts'
import { commandRecord } from './records.ts'

export type Execution = Awaited<ReturnType<typeof startExecution>>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly ingest: Pick<Ingest, 'send' | 'canSend'>
  readonly clock: () => number
  readonly log: Logger
  /** A command came to an end, or to "unknown"; after it was stored. */
  readonly onSettled: (command: StoredCommand) => void
}

const tickEveryMs = 250
/** A trip that could not be sent, or was not answered, is tried again this often until its deadline: tripping twice does no harm. */
const tripAgainMs = 1_000

/**
 * Carries authorised commands to the equipment and waits for proof. Facts about one command are folded one after the other; each step is
 * stored before anybody hears of it. A command ends only in what the equipment reported, in a refusal, or in "unknown".
 */
export async function startExecution(deps: Deps) {
  const { database, plant, hub, ingest, clock, log } = deps
  const open = new Map<string, StoredCommand>()
  const lastTry = new Map<string, number>()
  /** What was reported of a command and is not folded yet, in order. */
  const facts = new Map<string, CommandFact[]>()
  const turns = new Map<string, Promise<unknown>>()
  let ticking: Promise<unknown> | null = null

  for (const command of await stored.openCommands(database)) {
    open.set(command.commandId, command)
    await fold(command.commandId, { kind: 'restart', at: clock() })
  }
  const unsubscribe = hub.subscribe(listen)
  const timer = setInterval(() => {
    ticking ??= tick().finally(() => {
      ticking = null
    })
  }, tickEveryMs)

  return {
    /** Takes an authorised command and sends it at once. Answers it as it stands then. */
    async begin(command: StoredCommand, line: PlantLine): Promise<StoredCommand> {
      const { commandId, action } = command
      open.set(commandId, command)
      line.pending = { commandId, action }
      announce(command)
      await inTurn(commandId, () => send(commandId))
      return open.get(commandId) ?? (await stored.commandById(database.control, commandId)) ?? command
    },
    /** Moves time on for every open command; runs by itself every quarter of a second. */
    tick,
    async close(): Promise<void> {
      clearInterval(timer)
      unsubscribe()
      await ticking
      await Promise.all(turns.values())
    },
  }

  /**
   * `sent` is stored before the message leaves: if the server dies between the two, the outcome is unknown, and nobody sends it a second
   * time. What cannot go now never goes, except a trip while its time lasts.
   */
  async function send(commandId: string): Promise<void> {
    const command = open.get(commandId)
    const line = command && plant.lines.get(command.lineId)
    if (!command || !line || command.state !== 'authorised') return
    const now = clock()
    if (now > command.deadline) return fold(commandId, { kind: 'tick', at: now })
    const held = heldBy(command.action, line, now)
    if (held !== null) return fold(commandId, { kind: 'notSent', at: now, reason: held })
    if (!ingest.canSend(line.device)) {
      if (command.action !== 'trip') await fold(commandId, { kind: 'notSent', at: now, reason: 'offline' })
      return
    }
    await fold(commandId, { kind: 'sent', at: now })
    const sent = open.get(commandId)
    if (!sent) return
    // Saving took time: what could have changed meanwhile is looked at once more, last thing before the message leaves.
    const late = clock() > sent.deadline ? 'deadline_passed' : heldBy(sent.action, line, clock())
    if (late !== null) return fold(commandId, { kind: 'result', status: 'refused', reason: late, at: clock() })
    const outcome = hand(sent, line)
    if (outcome === 'sent') {
      if (movesBreaker(sent.action)) line.lastOperationAt = now
    }
    // What found no connection never left and never will. A trip is tried again while its time lasts.
    else if (sent.action !== 'trip') await fold(commandId, { kind: 'result', status: 'refused', reason: 'offline', at: clock() })
  }

  function hand(command: StoredCommand, line: PlantLine): 'sent' | 'no_session' {
    const { commandId, action, settings, issuedAt, deadline, fence } = command
    lastTry.set(commandId, clock())
    const { gateway, controllerId } = line.device
    const target = { gateway, controllerId, lineNo: line.lineNo }
    const outcome = ingest.send({ ...target, commandId, action, settings, issuedAt, deadline, fence })
    if (outcome === 'no_session') log.warn({ commandId, gateway: gateway.number }, 'a command found no connection')
    return outcome
  }

  async function tick(): Promise<void> {
    await Promise.all([...open.keys()].map((commandId) => inTurn(commandId, () => tickOne(commandId))))
  }

  async function tickOne(commandId: string): Promise<void> {
    await foldFacts(commandId)
    const now = clock()
    const command = open.get(commandId)
    const line = command && plant.lines.get(command.lineId)
    if (
      command?.action === 'trip' &&
      line &&
      isUnderWay(command.state) &&
      now <= command.deadline &&
      now - (lastTry.get(commandId) ?? 0) >= tripAgainMs
    ) {
      if (command.state === 'authorised') await send(commandId)
      else if (command.state === 'sent') hand(command, line)
    }
    await fold(commandId, { kind: 'tick', at: now })
  }

  function listen({ reports = [], readBacks = [], results = [] }: Committed): void {
    if (open.size === 0 || (reports.length === 0 && readBacks.length === 0 && results.length === 0)) return
    for (const { commandId, gateway, status, reason, tripMs, receivedAt } of results) {
      const command = open.get(commandId)
      // Only the gateway that was asked may answer.
      if (!command || plant.lines.get(command.lineId)?.device.gateway !== gateway) continue
      reported(commandId, { kind: 'result', status, reason, at: receivedAt })
      if (tripMs !== null && status === 'accepted') reported(commandId, { kind: 'measured', tripMs, at: receivedAt })
    }
    for (const report of reports) {
      for (const command of open.values()) {
        const fact = command.lineId === report.line.id ? factOfState(command, report) : null
        if (fact) reported(command.commandId, fact)
      }
    }
    for (const readBack of readBacks) {
      for (const command of open.values()) {
        const fact = factOfReadBack(command, readBack)
        if (fact) reported(command.commandId, fact)
      }
    }
  }

  function reported(commandId: string, fact: CommandFact): void {
    const waiting = facts.get(commandId)
    if (waiting) waiting.push(fact)
    else facts.set(commandId, [fact])
    void inTurn(commandId, () => foldFacts(commandId))
  }

  /** In order. A fact that could not be stored stays first in the line, and the next tick tries again: proof is not lost to a database that was away. */
  async function foldFacts(commandId: string): Promise<void> {
    const waiting = facts.get(commandId) ?? []
    for (let next = waiting[0]; next; next = waiting[0]) {
      await fold(commandId, next)
      waiting.shift()
    }
    facts.delete(commandId)
  }

  async function fold(commandId: string, fact: CommandFact): Promise<void> {
    const before = open.get(commandId)
    if (!before) return
    const after = foldCommand(before, fact)
    if (after === before) return
    const next: StoredCommand = { ...before, ...after }
    await stored.saveLife(database, next, fact)
    const line = plant.lines.get(next.lineId)
    if (isFinal(next.state)) {
      open.delete(commandId)
      lastTry.delete(commandId)
    } else open.set(commandId, next)
    if (line?.pending?.commandId === commandId && !isUnderWay(next.state)) line.pending = null
    announce(next)
    if (!isUnderWay(next.state)) deps.onSettled(next)
  }

  function announce(command: StoredCommand): void {
    const line = plant.lines.get(command.lineId)
    if (line)
      hub.publish({
        lines: [line],
        commands: [{ command: commandRecord(command, line), projectId: line.device.gateway.project.id }],
      })
  }

  /** One thing of a command after the other, so that two facts never fold it at once; commands do not wait for one another. */
  function inTurn<T>(commandId: string, work: () => Promise<T>): Promise<T | undefined> {
    const next = (turns.get(commandId) ?? Promise.resolve())
      .then(work)
      .catch((error) => {
        log.error({ err: error }, 'a command step failed; it is taken up again with the next tick')
        return undefined
      })
      .finally(() => {
        if (turns.get(commandId) === next) turns.delete(commandId)
      })
    turns.set(commandId, next)
    return next
  }
}

/** What has been hung or begun since the command was authorised. */
export function heldBy(action: CommandAction, line: PlantLine, now: number): 'tagged' | 'inspection' | null {
  if (tagsHold(action) && line.tags.length > 0) return 'tagged'
  return inspectionHolds(action) && line.inspectionUntil !== null && now < line.inspectionUntil ? 'inspection' : null
}

const movesBreaker = (action: CommandAction): boolean => action !== 'silence' && action !== 'set'
