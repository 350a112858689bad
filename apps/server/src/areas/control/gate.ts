import type { CommandRecord, LinePermit, List, Permit } from '@linewarden/contract'
import { aboutRun, Refusal, runOperation } from '@linewarden/contract'
import type { ActionKey, Text } from '@linewarden/equipment'
import { permits } from '@linewarden/rules/account'
import type { ActorFacts, CommandAction, Condition, LineFacts, RunAction } from '@linewarden/rules/control'
import { anotherUnderWay, conditionsOf, deadlineFor, isDoneAlready } from '@linewarden/rules/control'
import type { Actor } from '../../access/actor.ts'
import { by, refusalWritten, tenantOfLine } from '../../audit/audited.ts'
import type { Ingest } from '../../field/ingest.ts'
import { conditionRecord, factsOf } from '../../field/orders/facts.ts'
import { mergeInterlocks, refusalOf } from '../../field/orders/interlocks.ts'
import { KeyedMutex } from '../../lib/serial.ts'
import type { Holds, PlantLine } from '../../plant/plant.ts'
import { appendRefusal } from '../../store/audit/append.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import * as stored from '../../store/control/command.ts'
import { holdsOf, holdsOfLines } from '../../store/control/hold.ts'
import type { Database } from '../../store/core/database.ts'
import type { Claim } from '../../store/jobs/due-work.ts'
import type { Execution } from './execution.ts'
import type { Impacts } from './impact.ts'
import { commandRecord } from './records.ts'

export type Gate = ReturnType<typeof createGate>

/** One order to do something to a line, from whatever source. */
export interface Order {
  readonly line: PlantLine
  readonly action: ActionKey
  readonly actor: Actor
  readonly source: 'console' | 'group' | 'timer' | 'scene' | 'linkage' | 'reclosure'
  /** In a person's own words, or the server's in both languages. */
  readonly reason: string | Text
  readonly commandId: string
  readonly grant: string | null
  /** How many lines the person typed; automation has nobody who could. */
  readonly confirmed?: number | null
  /** The control password was asked for before: once for the whole group, or when the automation was set up. */
  readonly grantRedeemed?: boolean
  readonly deadlineMs: number | null
  readonly runId?: string
  /** The due work that it is the one order of. */
  readonly claim?: Claim
  /** Unix ms after which it is missed, whatever held it up; of what is due at its moment and never late. */
  readonly notAfter?: number
}

/** Several lines as one intent of a person. */
interface RunOrder {
  readonly actor: Actor
  readonly grant: string | null
  readonly confirmed: number | null
  readonly action: RunAction
  readonly runId: string
  readonly lines: readonly PlantLine[]
}

interface Deps {
  readonly database: Database
  readonly grants: { take(sessionId: string, grant: string, operation: string): Promise<boolean> }
  readonly execution: Pick<Execution, 'begin'>
  readonly ingest: Pick<Ingest, 'reach'>
  readonly impacts: Pick<Impacts, 'refuseUnlessConfirmed'>
  readonly quietUntil: (line: PlantLine, now: number) => number | null
  readonly clock: () => number
}

/** The one way to the equipment: permit, grant, fence, audit. Whatever operates anything, person or automation, comes through `operate`. */
export function createGate({ database, grants, execution, ingest, impacts, quietUntil, clock }: Deps) {
  const ordering = new KeyedMutex()
  const factsNow = (line: PlantLine, now: number, holds?: Holds): LineFacts =>
    factsOf(line, { reach: ingest.reach(line.device.gateway, line.device), quietUntil: quietUntil(line, now) }, holds)

  const blockReasons = ({ line, action, actor }: Pick<Order, 'line' | 'action' | 'actor'>, holds?: Holds): readonly Condition[] =>
    conditionsOf(action, factsNow(line, clock(), holds), rightsOf(actor), clock()).filter((each) => !each.met)

  return { operate, permit, permitsOf, redeemGrant, refuseUnlessAnyPermitted, redeemRunGrant }

  async function operate(order: Order): Promise<CommandRecord> {
    try {
      // One press that goes out twice uses up one grant: the second copy finds the command of the first.
      return await ordering.run(order.commandId, () => ordered(order))
    } catch (error) {
      if (error instanceof Refusal) await auditRefusal(order, error)
      throw error
    }
  }

  async function ordered(order: Order): Promise<CommandRecord> {
    const { line, action, actor, commandId } = order
    const known = await stored.commandById(database.control, commandId)
    if (known) return replayed(known, order)
    if (!line.device.family.actions.some((each) => each.key === action)) throw new Refusal('action unknown')
    refuseUnlessPermitted(order)
    // Of a group, and of automation, it was asked before.
    if (order.source === 'console') await impacts.refuseUnlessConfirmed([line], action, order.confirmed ?? null)
    if (!order.grantRedeemed) await redeemGrant(actor, order.grant, `${action}:${targetOf(line)}`)
    // The permit looked at the plant before the grant was fetched from the database: what changed meanwhile counts.
    refuseUnlessPermitted(order)
    const issuedAt = inTime(order, clock())
    const authorised = await stored.authorise(
      database,
      {
        commandId,
        lineId: line.id,
        action,
        accountId: actor.accountId,
        actor: actor.userName,
        source: order.source,
        reason: order.reason,
        issuedAt,
        deadline: issuedAt + deadlineFor(action, order.deadlineMs ?? undefined),
        runId: order.runId ?? null,
        claim: order.claim ?? null,
      },
      {
        ...by(actor, issuedAt, `line.${action}`, tenantOfLine(line)),
        subject: aboutLine(line),
        after: { commandId, reason: order.reason, source: order.source, ...(order.confirmed && { confirmed: order.confirmed }) },
        outcome: 'authorised',
      },
    )
    if (authorised.is === 'held') {
      mergeInterlocks(line, authorised.holds)
      refuseUnlessPermitted(order)
      throw refusalOf(action, blockReasons(order))
    }
    if (authorised.is === 'over') throw new Refusal(order.claim ? 'reclosure missed' : 'group operation over')
    if (authorised.is === 'busy') throw refusalOf(action, [anotherUnderWay])
    if (authorised.is === 'known') return replayed(authorised.command, order)
    return commandRecord(await execution.begin(authorised.command), line)
  }

  /** Stored and not begun: the answer to its COMMIT was lost, and whoever presses again means it. Past its deadline it expires. */
  async function replayed(known: StoredCommand, { line, action }: Order): Promise<CommandRecord> {
    if (known.lineId !== line.id || known.action !== action) throw new Refusal('command id used')
    return commandRecord(known.state === 'authorised' ? await execution.begin(known) : known, line)
  }

  /** Takes the control grant, where a control password is set. */
  async function redeemGrant(actor: Actor, grant: string | null, operation: string): Promise<void> {
    if (!actor.hasControlPassword) return
    if (grant === null) throw new Refusal('control grant missing')
    if (!(await grants.take(actor.sessionId, grant, operation))) throw new Refusal('control grant over')
  }

  /** Every reason at once. */
  function refuseUnlessPermitted(order: Order): void {
    const blocks = blockReasons(order)
    if (blocks.length > 0) throw refusalOf(order.action, blocks)
  }

  /** Of a group that could not operate a single line, people hear at once why. */
  async function refuseUnlessAnyPermitted(orders: readonly Order[]): Promise<void> {
    for (const order of orders)
      if (!order.line.device.family.actions.some((each) => each.key === order.action)) throw new Refusal('action unknown')
    const [first] = orders
    if (!first || orders.some((order) => blockReasons(order).length === 0)) return
    // Each owner reads why it was of a line of their own.
    const refusal = refusalOf(first.action, blockReasons(first))
    for (const [own = first] of Map.groupBy(orders, ({ line }) => tenantOfLine(line)).values())
      await auditRefusal(own, own === first ? refusal : refusalOf(own.action, blockReasons(own)))
    throw refusal
  }

  /** What a person confirms and proves once for all lines of a group. */
  async function redeemRunGrant({ actor, grant, confirmed, action, runId, lines }: RunOrder): Promise<void> {
    try {
      await impacts.refuseUnlessConfirmed(lines, action, confirmed)
      await redeemGrant(actor, grant, runOperation(action, runId, lines.map(nameOf)))
    } catch (error) {
      if (error instanceof Refusal) {
        for (const tenant of new Set(lines.map(tenantOfLine)))
          await appendRefusal(database.control, {
            ...by(actor, clock(), `run.${action}`, tenant),
            subject: aboutRun(runId),
            after: { refusal: error.key },
            outcome: 'refused',
          })
        refusalWritten(error)
      }
      throw error
    }
  }

  async function auditRefusal({ line, action, actor, reason, source, commandId }: Order, refusal: Refusal): Promise<void> {
    const blocks = (refusal.detail.blocks as { Key: string }[] | undefined)?.map(({ Key }) => Key)
    await appendRefusal(database.control, {
      ...by(actor, clock(), `line.${action}`, tenantOfLine(line)),
      subject: aboutLine(line),
      after: { commandId, reason, source, refusal: refusal.key, ...(blocks && { blocks }) },
      outcome: 'refused',
    })
    refusalWritten(refusal)
  }

  /**
   * Each condition as it stands; tags and inspection locks as the database knows them, whichever server wrote them. The plant keeps its own:
   * what was read may be older than what somebody has hung meanwhile.
   */
  async function permit(actor: Actor, line: PlantLine, action: CommandAction): Promise<Permit> {
    if (!line.device.family.actions.some((each) => each.key === action)) throw new Refusal('action unknown')
    const holds = await holdsOf(database.control, line.id)
    const now = clock()
    const facts = factsNow(line, now, holds)
    const conditions = conditionsOf(action, facts, rightsOf(actor), now)
    return {
      MayClose: conditions.every((each) => each.met),
      Done: isDoneAlready(action, facts, now),
      NeedsGrant: actor.hasControlPassword,
      Conditions: conditions.map(conditionRecord),
      At: now,
    }
  }

  /** What stands against it on each of these lines, in their order. */
  async function permitsOf(actor: Actor, lines: readonly PlantLine[], action: ActionKey): Promise<List<LinePermit>> {
    if (lines.some((line) => !line.device.family.actions.some((each) => each.key === action))) throw new Refusal('action unknown')
    const held = await holdsOfLines(
      database.control,
      lines.map(({ id }) => id),
    )
    const now = clock()
    const items = lines.map((line) => ({
      ControllerID: line.device.controllerId,
      LineNo: line.lineNo,
      Unmet: blockReasons({ line, action, actor }, held.get(line.id)).map(conditionRecord),
      At: now,
    }))
    return { items, total: items.length }
  }
}

export const rightsOf = (actor: Actor): ActorFacts => ({ mayOperate: permits('lineSwitch', actor), shared: actor.shared })

export const nameOf = ({ device, lineNo }: PlantLine) => ({ ControllerID: device.controllerId, LineNo: lineNo })

export const targetOf = (line: PlantLine): string => `${line.device.controllerId}/${line.lineNo}`

/** What is due at its moment is never late, whatever held it up. */
function inTime({ notAfter }: Order, now: number): number {
  if (notAfter !== undefined && now > notAfter) throw new Refusal('reclosure missed')
  return now
}
