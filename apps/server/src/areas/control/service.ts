import type { CommandRecord, List, Permit } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { ActorFacts, CommandAction, CommandFact, Condition } from '@linewarden/rules'
import {
  closeConditions,
  deadlineFor,
  foldCommand,
  isFinal,
  isUnderWay,
  operateConditions,
  permits,
  tripBlocks,
} from '@linewarden/rules'
import type { Logger } from 'pino'
import type { Actor } from '../../http/context.ts'
import type { Ingest } from '../../ingest/ingest.ts'
import type { Committed, Hub } from '../../live/hub.ts'
import type { Plant, PlantLine } from '../../live/plant.ts'
import { appendAudit } from '../../store/audit.ts'
import type { StoredCommand } from '../../store/command.ts'
import * as stored from '../../store/command.ts'
import type { Database } from '../../store/database.ts'
import { isSwitching, refuseBadSettings, reportedOf, sameSettings, whatItSays } from './proof.ts'
import { commandRecord, conditionRecord, factsOf } from './records.ts'

export type Control = Awaited<ReturnType<typeof createControl>>

/** One order to equipment, from whatever source: button, API, and later timers, scenes and linkage. */
export interface Order {
  readonly line: PlantLine
  readonly action: CommandAction
  /** What `set` sets, by key; null for everything else. */
  readonly settings?: Readonly<Record<string, number>>
  readonly actor: Actor
  readonly source: 'console'
  readonly reason: string
  readonly commandId: string
  readonly grant: string | null
  readonly deadlineMs: number | null
}

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly ingest: Pick<Ingest, 'send' | 'canSend'>
  readonly grants: { take(sessionId: string, grant: string, operation: string): Promise<boolean> }
  readonly clock: () => number
  readonly log: Logger
}

const tickEveryMs = 250
/** A trip that could not be sent, or was not answered, is tried again this often until its deadline: tripping twice does no harm. */
const tripAgainMs = 1_000

/**
 * The one way to a breaker. Permit, grant, fence, audit, sending, and the ledger that ends only in a reported position, in a refusal, or in
 * "unknown". Facts about one command are folded one after the other; each step is stored before anybody hears of it.
 */
export async function createControl(deps: Deps) {
  const { database, plant, hub, ingest, grants, clock, log } = deps
  const open = new Map<string, StoredCommand>()
  const lastTry = new Map<string, number>()
  let turn: Promise<unknown> = Promise.resolve()

  for (const command of await stored.openCommands(database)) {
    open.set(command.commandId, command)
    const line = plant.lines.get(command.lineId)
    if (line) line.awaits ||= !isSwitching(command.action)
    await fold(command.commandId, { kind: 'restart', at: clock() })
  }
  const unsubscribe = hub.subscribe(listen)
  const timer = setInterval(() => inTurn(tick), tickEveryMs)

  return {
    operate,
    permit,
    /** Moves time on for every open command; runs by itself every quarter of a second. */
    tick: () => inTurn(tick),
    async ledger(line: PlantLine, size: number): Promise<List<CommandRecord>> {
      const commands = await stored.ledger(database, line.id, size)
      return { items: commands.map((command) => commandRecord(command, line)), total: commands.length }
    },
    async recordTripCause(actor: Actor, line: PlantLine, cause: string): Promise<void> {
      const now = clock()
      const audit = {
        at: now,
        actor: actor.userName,
        address: actor.address,
        action: 'trip.cause',
        target: targetOf(line),
        after: cause,
        outcome: 'done',
      }
      await stored.saveTripCause(database, line.id, cause, now, audit)
      line.tripLatched = null
      hub.publish({ lines: [line] })
    },
    async close(): Promise<void> {
      clearInterval(timer)
      unsubscribe()
      await turn
    },
  }

  async function operate(order: Order): Promise<CommandRecord> {
    const { line, action, actor, commandId } = order
    const settings = action === 'set' ? (order.settings ?? {}) : null
    const known = await stored.commandById(database.control, commandId)
    if (known) return sameAgain(known, order)
    if (settings) refuseBadSettings(line, settings)
    else if (!line.device.family.actions.some((each) => each.key === action)) throw new Refusal('action unknown')
    await refuseUnlessPermitted(order)
    if (
      actor.hasControlPassword &&
      !(order.grant && (await grants.take(actor.sessionId, order.grant, `${action}:${targetOf(line)}`)))
    ) {
      throw new Refusal('control grant missing')
    }
    // The permit looked at the plant before the grant was fetched from the database: what changed meanwhile counts.
    await refuseUnlessPermitted(order)
    const issuedAt = clock()
    const deadline = issuedAt + deadlineFor(action, order.deadlineMs ?? undefined)
    const authorised = await stored.authorise(
      database,
      {
        commandId,
        lineId: line.id,
        action,
        settings,
        accountId: actor.accountId,
        actor: actor.userName,
        source: order.source,
        reason: order.reason,
        issuedAt,
        deadline,
      },
      {
        at: issuedAt,
        actor: actor.userName,
        address: actor.address,
        action: `line.${action}`,
        target: targetOf(line),
        ...(settings && { before: reportedOf(line, settings) }),
        after: { commandId, reason: order.reason, ...(settings && { settings }) },
        outcome: 'authorised',
      },
    )
    if (authorised.is === 'busy')
      throw blocked(action, [{ key: 'pending', met: false, what: words.pending, why: words.another, clears: null, until: null }])
    if (authorised.is === 'known') return sameAgain(authorised.command, order)
    open.set(commandId, authorised.command)
    line.pending = { commandId, action }
    line.awaits ||= !isSwitching(action)
    announce(authorised.command)
    await inTurn(() => send(commandId))
    return commandRecord(
      open.get(commandId) ?? (await stored.commandById(database.control, commandId)) ?? authorised.command,
      line,
    )
  }

  function sameAgain(known: StoredCommand, { line, action, settings = {} }: Order): CommandRecord {
    const same = known.lineId === line.id && known.action === action && sameSettings(known.settings ?? {}, settings)
    if (!same) throw new Refusal('command id used')
    return commandRecord(known, line)
  }

  /** Every reason at once; a refused close is in the audit log too. */
  async function refuseUnlessPermitted({ line, action, actor, reason }: Order): Promise<void> {
    const blocks = conditionsOf(action, line, actor).filter((each) => !each.met)
    if (blocks.length === 0) return
    const after = { reason, blocks: blocks.map(({ key }) => key) }
    await appendAudit(database.control, {
      at: clock(),
      actor: actor.userName,
      address: actor.address,
      action: `line.${action}`,
      target: targetOf(line),
      after,
      outcome: 'refused',
    })
    throw blocked(action, blocks)
  }

  function conditionsOf(action: CommandAction, line: PlantLine, actor: Actor): readonly Condition[] {
    if (action === 'trip') return tripBlocks(rightsOf(actor))
    const [facts, rights, now] = [factsOf(line), rightsOf(actor), clock()]
    return action === 'close' ? closeConditions(facts, rights, now) : operateConditions(action, facts, rights, now)
  }

  function permit(actor: Actor, line: PlantLine): Permit {
    const now = clock()
    const conditions = closeConditions(factsOf(line), rightsOf(actor), now)
    return {
      MayClose: conditions.every((each) => each.met),
      NeedsGrant: actor.hasControlPassword,
      Conditions: conditions.map(conditionRecord),
      At: now,
    }
  }

  /**
   * Sends a command that was authorised. `sent` is stored first: if the server dies between the two, the outcome is unknown, and nobody
   * sends it a second time. Only a trip that cannot go now may go later.
   */
  async function send(commandId: string): Promise<void> {
    const command = open.get(commandId)
    const line = command && plant.lines.get(command.lineId)
    if (!command || !line || command.state !== 'authorised') return
    const now = clock()
    if (now > command.deadline) return fold(commandId, { kind: 'tick', at: now })
    if (!ingest.canSend(line.device)) {
      if (command.action !== 'trip') await fold(commandId, { kind: 'notSent', at: now, reason: 'offline' })
      return
    }
    await fold(commandId, { kind: 'sent', at: now })
    const sent = open.get(commandId)
    if (!sent) return
    // Saving took time: the deadline is looked at once more, last thing before the message leaves.
    if (clock() > sent.deadline)
      return fold(commandId, { kind: 'result', status: 'refused', reason: 'deadline_passed', at: clock() })
    const outcome = hand(sent, line)
    if (outcome === 'sent') {
      if (sent.action !== 'set' && sent.action !== 'silence') line.lastOperationAt = now
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
    const now = clock()
    for (const command of [...open.values()]) {
      const line = plant.lines.get(command.lineId)
      if (
        command.action === 'trip' &&
        line &&
        isUnderWay(command.state) &&
        now <= command.deadline &&
        now - (lastTry.get(command.commandId) ?? 0) >= tripAgainMs
      ) {
        if (command.state === 'authorised') await send(command.commandId)
        else if (command.state === 'sent') hand(command, line)
      }
      await fold(command.commandId, { kind: 'tick', at: now })
    }
  }

  function listen({ positions = [], reports = [], results = [] }: Committed): void {
    if (open.size === 0 || (positions.length === 0 && reports.length === 0 && results.length === 0)) return
    for (const { commandId, gateway, status, reason, receivedAt } of results) {
      const command = open.get(commandId)
      // Only the gateway that was asked may answer.
      if (command && plant.lines.get(command.lineId)?.device.gateway === gateway)
        inTurn(() => fold(commandId, { kind: 'result', status, reason, at: receivedAt }))
    }
    for (const { line, value, deviceAt, receivedAt } of positions) {
      for (const command of open.values()) {
        if (command.lineId === line.id)
          inTurn(() => fold(command.commandId, { kind: 'position', value, deviceAt, at: receivedAt }))
      }
    }
    for (const report of reports) {
      for (const command of open.values()) {
        const said = command.lineId === report.line.id ? whatItSays(command, report) : null
        if (said)
          inTurn(() => fold(command.commandId, { kind: 'report', ...said, deviceAt: report.deviceAt, at: report.receivedAt }))
      }
    }
  }

  async function fold(commandId: string, fact: CommandFact): Promise<void> {
    const before = open.get(commandId)
    if (!before) return
    const after = foldCommand(before, fact)
    if (after === before) return
    const next: StoredCommand = { ...before, ...after }
    await stored.saveLife(database, next)
    const line = plant.lines.get(next.lineId)
    if (isFinal(next.state)) {
      open.delete(commandId)
      lastTry.delete(commandId)
    } else open.set(commandId, next)
    if (line?.pending?.commandId === commandId && !isUnderWay(next.state)) line.pending = null
    if (line) line.awaits = [...open.values()].some(({ lineId, action }) => lineId === line.id && !isSwitching(action))
    announce(next)
  }

  function announce(command: StoredCommand): void {
    const line = plant.lines.get(command.lineId)
    if (line)
      hub.publish({
        lines: [line],
        commands: [{ command: commandRecord(command, line), projectId: line.device.gateway.project.id }],
      })
  }

  /** One thing after the other, so that two facts never fold the same command at once. */
  function inTurn<T>(work: () => Promise<T>): Promise<T | undefined> {
    const next = turn.then(work).catch((error) => {
      log.error({ err: error }, 'a command step failed; it is taken up again with the next tick')
      return undefined
    })
    turn = next
    return next
  }
}

const words = {
  pending: { zh: '没有进行中的操作', en: 'No command under way' },
  another: { zh: '另一条操作正在进行', en: 'Another command is under way' },
}

const rightsOf = (actor: Actor): ActorFacts => ({ mayOperate: permits('lineSwitch', actor), shared: actor.shared })

const targetOf = (line: PlantLine): string => `${line.device.controllerId}/${line.lineNo}`

const refusalOf = { trip: 'trip not possible', close: 'close not permitted' } as const

function blocked(action: CommandAction, blocks: readonly Condition[]): Refusal {
  const key = action === 'trip' || action === 'close' ? refusalOf[action] : 'operation not permitted'
  return new Refusal(key, { blocks: blocks.map(conditionRecord) })
}
