import type { CommandRecord, MessageKey, operateLine, Request } from '@linewarden/contract'
import { aboutGroupOperation, groupOperation, Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { containedBlock, maxOverrideMs } from '@linewarden/rules/automation'
import type { GroupAction } from '@linewarden/rules/control'
import { anotherUnderWay, deadlineFor } from '@linewarden/rules/control'
import type { Actor } from '../../access/actor.ts'
import { by, refusalWritten, tenantOfLine } from '../../audit/audited.ts'
import { mergeInterlocks, refusalOf } from '../../field/orders/interlocks.ts'
import { Batched } from '../../lib/batched.ts'
import { KeyedMutex } from '../../lib/serial.ts'
import type { PlantLine } from '../../plant/plant.ts'
import type { AuditEntry } from '../../store/audit/append.ts'
import { appendRefusal } from '../../store/audit/append.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import { timersOfLine } from '../../store/automation/contained.ts'
import { runningScenesOf } from '../../store/automation/scene-run.ts'
import type { Authorised, NewCommand, StoredCommand } from '../../store/control/command.ts'
import * as stored from '../../store/control/command.ts'
import type { TripOrder } from '../../store/control/commands-together.ts'
import { authoriseTrips, commandsById, isPlainTrip } from '../../store/control/commands-together.ts'
import type { Database } from '../../store/core/database.ts'
import { isRefusedByDatabase } from '../../store/core/refused.ts'
import type { Claim } from '../../store/jobs/due-work.ts'
import type { Execution } from './execution.ts'
import type { Impacts } from './impact.ts'
import type { InterlockCheck, Operation } from './interlock-check.ts'
import { refuseUnlessOffered } from './interlock-check.ts'
import { commandRecord } from './records.ts'

/** One order to do something to a line, from whatever source. */
export interface Order extends Operation {
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
  readonly operationId?: string
  /** The due work that it is the one order of. */
  readonly claim?: Claim
  /** Unix ms after which it is missed, whatever held it up; of what is due at its moment and never late. */
  readonly notAfter?: number
  /** Unix ms: a trip of the line that was ordered since, by whomever, counts more than this. */
  readonly notTrippedSince?: number
  /** Likewise any trip behind this fence of the line: whichever server ordered it, by whatever clock. */
  readonly notTrippedBehind?: number
  /** Nor is it ordered of a line that a danger has tripped, and of which nothing has ended that: what is said then. */
  readonly notAfterDanger?: MessageKey
  /** What a person says of the timers of the line with it. */
  readonly override?: NonNullable<Request<typeof operateLine>['body']['Override']> | null
  /** What automation has against it at the last moment. */
  readonly refusedNow?: () => Refusal | null
}

/** Several lines as one intent of a person. */
interface GroupOrder {
  readonly actor: Actor
  readonly grant: string | null
  readonly confirmed: number | null
  readonly action: GroupAction
  readonly operationId: string
  readonly lines: readonly PlantLine[]
}

interface Deps {
  readonly database: Database
  readonly grants: { take(sessionId: string, grant: string, operation: string): Promise<boolean> }
  readonly execution: Pick<Execution, 'begin'>
  readonly interlocks: InterlockCheck
  readonly impacts: Pick<Impacts, 'refuseUnlessConfirmed'>
  readonly clock: () => number
}

/** So many orders are asked about, or written, at once. */
const together = { most: 100, oneByOne: isRefusedByDatabase }

/** The one way to the equipment: permit, grant, fence, audit. Whatever operates anything, person or automation, comes through `operate`. */
export class Gate {
  readonly #deps: Deps
  readonly #ordering = new KeyedMutex()
  /** Of orders that come by the hundred: what is known of them is asked, and trips are written, together. A person's single order waits for none of them. */
  readonly #known: Batched<string, StoredCommand | null>
  readonly #trips: Batched<TripOrder, Authorised>

  constructor(deps: Deps) {
    this.#deps = deps
    const { database } = deps
    this.#known = new Batched(async (ids) => {
      const found = await commandsById(database.control, ids)
      return ids.map((id) => found.get(id) ?? null)
    }, together)
    this.#trips = new Batched((trips) => authoriseTrips(database, trips), { ...together, lanes: 2 })
  }

  async operate(order: Order): Promise<CommandRecord> {
    try {
      // One press that goes out twice uses up one grant: the second copy finds the command of the first.
      return await this.#ordering.run(order.commandId, () => this.#ordered(order))
    } catch (error) {
      if (error instanceof Refusal) await this.#auditRefusal(order, error)
      throw error
    }
  }

  /** Takes the control grant, where a control password is set. */
  async redeemGrant(actor: Actor, grant: string | null, operation: string): Promise<void> {
    if (!actor.hasControlPassword) return
    if (grant === null) throw new Refusal('control grant missing')
    if (!(await this.#deps.grants.take(actor.sessionId, grant, operation))) throw new Refusal('control grant over')
  }

  /** Of a group that could not operate a single line, people hear at once why. */
  async refuseUnlessAnyPermitted(orders: readonly Order[]): Promise<void> {
    const { interlocks } = this.#deps
    for (const { line, action } of orders) refuseUnlessOffered(line, action)
    const [first] = orders
    if (!first || orders.some((order) => interlocks.blockReasons(order).length === 0)) return
    // Each owner reads why it was of a line of their own.
    const refusal = refusalOf(first.action, interlocks.blockReasons(first))
    for (const [own = first] of Map.groupBy(orders, ({ line }) => tenantOfLine(line)).values())
      await this.#auditRefusal(own, own === first ? refusal : refusalOf(own.action, interlocks.blockReasons(own)))
    throw refusal
  }

  /** What a person confirms and proves once for all lines of a group. */
  async redeemGroupGrant({ actor, grant, confirmed, action, operationId, lines }: GroupOrder): Promise<void> {
    const { database, impacts, clock } = this.#deps
    try {
      await impacts.refuseUnlessConfirmed(lines, action, confirmed)
      await this.redeemGrant(actor, grant, groupOperation(action, operationId, lines.map(nameOf)))
    } catch (error) {
      if (error instanceof Refusal) {
        for (const tenant of new Set(lines.map(tenantOfLine)))
          await appendRefusal(database.control, {
            ...by(actor, clock(), `run.${action}`, tenant),
            subject: aboutGroupOperation(operationId),
            after: { refusal: error.key },
            outcome: 'refused',
          })
        refusalWritten(error)
      }
      throw error
    }
  }

  async #ordered(order: Order): Promise<CommandRecord> {
    const { database, execution, impacts, interlocks, clock } = this.#deps
    const { line, action, actor, commandId } = order
    const isOne = order.operationId === undefined
    const known = isOne ? await stored.commandById(database.control, commandId) : await this.#known.run(commandId)
    if (known) return this.#replayed(known, order)
    refuseUnlessOffered(line, action)
    interlocks.refuseUnlessPermitted(order)
    const override = wishOf(order, clock())
    await this.#refuseWhileContained(order, override !== null)
    // Of a group, and of automation, it was asked before.
    if (order.source === 'console') await impacts.refuseUnlessConfirmed([line], action, order.confirmed ?? null)
    if (!order.grantRedeemed) await this.redeemGrant(actor, order.grant, `${action}:${targetOf(line)}`)
    // The permit looked at the plant before the grant was fetched from the database: what changed meanwhile counts.
    interlocks.refuseUnlessPermitted(order)
    const refused = order.refusedNow?.()
    if (refused) throw refused
    const issuedAt = inTime(order, clock())
    const authorised = await this.#authorise(
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
        operationId: order.operationId ?? null,
        claim: order.claim ?? null,
        override,
        notTrippedSince: order.notTrippedSince ?? null,
        notTrippedBehind: order.notTrippedBehind ?? null,
        notAfterDanger: order.notAfterDanger !== undefined,
      },
      {
        ...by(actor, issuedAt, `line.${action}`, tenantOfLine(line)),
        subject: aboutLine(line),
        after: {
          ...{ commandId, reason: order.reason, source: order.source },
          ...(order.confirmed && { confirmed: order.confirmed }),
          ...(override && { override }),
        },
        outcome: 'authorised',
      },
    )
    if (authorised.is === 'interlocked') {
      mergeInterlocks(line, authorised.interlocks)
      interlocks.refuseUnlessPermitted(order)
      throw refusalOf(action, interlocks.blockReasons(order))
    }
    if (authorised.is === 'tripped') throw new Refusal(trippedSince[order.source])
    if (authorised.is === 'afterDanger') throw new Refusal(order.notAfterDanger ?? 'opened meanwhile')
    if (authorised.is === 'over') throw new Refusal(order.source === 'reclosure' ? 'reclosure missed' : 'group operation over')
    if (authorised.is === 'busy') throw refusalOf(action, [anotherUnderWay])
    if (authorised.is === 'known') return this.#replayed(authorised.command, order)
    return commandRecord(await execution.begin(authorised.command), line)
  }

  #authorise(command: NewCommand, audit: AuditEntry): Promise<Authorised> {
    const isOfMany = command.operationId !== null && isPlainTrip(command)
    return isOfMany ? this.#trips.run({ command, audit }) : stored.authorise(this.#deps.database, command, audit)
  }

  /**
   * A line that acts by itself is closed by nobody who does not say what its timers are to do then, nor beside a scene that is setting it. A trip
   * always goes.
   */
  async #refuseWhileContained({ line, action, source, operationId }: Order, hasOverride: boolean): Promise<void> {
    if (action !== 'close' || source === 'scene' || source === 'reclosure') return
    const { control } = this.#deps.database
    const isPersons = source === 'console' || source === 'group'
    const { mode, timers } = isPersons ? await timersOfLine(control, line.id) : { mode: 'free' as const, timers: [] }
    const running = await runningScenesOf(control, [line.id], operationId ?? null)
    const block = containedBlock(
      action,
      {
        timers: timers.map(({ timerId }) => ({ timerId, enabled: true })),
        scenes: running.map(({ sceneId }) => ({ sceneId, running: true })),
      },
      mode,
      hasOverride,
    )
    if (block?.why === 'schedule contain this line')
      throw new Refusal(block.why, {
        timers: timers.map(({ timerId, name, nextAt, nextAction }) => ({
          ...{ TimerID: timerId, Name: name, NextAt: nextAt, Action: nextAction },
        })),
        overridable: mode === 'ask',
      })
    if (block)
      throw new Refusal(block.why, { scenes: running.map(({ executionId, name }) => ({ RunID: executionId, Name: name })) })
  }

  /** Stored and not begun: the answer to its COMMIT was lost, and whoever presses again means it. Past its deadline it expires. */
  async #replayed(known: StoredCommand, { line, action }: Order): Promise<CommandRecord> {
    if (known.lineId !== line.id || known.action !== action) throw new Refusal('command id used')
    return commandRecord(known.state === 'authorised' ? await this.#deps.execution.begin(known) : known, line)
  }

  async #auditRefusal({ line, action, actor, reason, source, commandId }: Order, refusal: Refusal): Promise<void> {
    const { database, clock } = this.#deps
    const blocks = (refusal.detail.blocks as { Key: string }[] | undefined)?.map(({ Key }) => Key)
    await appendRefusal(database.control, {
      ...by(actor, clock(), `line.${action}`, tenantOfLine(line)),
      subject: aboutLine(line),
      after: { commandId, reason, source, refusal: refusal.key, ...(blocks && { blocks }) },
      outcome: 'refused',
    })
    refusalWritten(refusal)
  }
}

/** What is said of a line that somebody tripped after this was begun. */
const trippedSince = {
  ...{ console: 'tripped since begun', group: 'tripped since begun', reclosure: 'tripped since begun' },
  ...{ scene: 'scene tripped meanwhile', timer: 'opened meanwhile', linkage: 'opened meanwhile' },
} as const satisfies Record<Order['source'], MessageKey>

export const nameOf = ({ device, lineNo }: PlantLine) => ({ ControllerID: device.controllerId, LineNo: lineNo })

export const targetOf = (line: PlantLine): string => `${line.device.controllerId}/${line.lineNo}`

/** What is due at its moment is never late, whatever held it up. */
function inTime({ notAfter, source }: Order, now: number): number {
  if (notAfter !== undefined && now > notAfter)
    throw new Refusal(source === 'reclosure' ? 'reclosure missed' : 'timed action missed')
  return now
}

/**
 * What a person wants of the timers of a line from now on; null: what follows from a trip or a close itself. A trip is refused nothing: where its
 * end cannot be, the line stays open.
 */
function wishOf(
  { action, override }: Order,
  now: number,
): { readonly kind: 'next' | 'until'; readonly until: number | null } | null {
  if (!override) return null
  const { Kind, Until = 0 } = override
  const isWrong = Kind === 'until' && (Until <= now || Until > now + maxOverrideMs)
  if (action === 'trip') return Kind === 'stay' || isWrong ? null : { kind: Kind, until: Kind === 'until' ? Until : null }
  if (action !== 'close') throw new Refusal('override wrong')
  if (Kind === 'stay') throw new Refusal('override stays open')
  if (isWrong) throw new Refusal('override end wrong')
  return { kind: Kind, until: Kind === 'until' ? Until : null }
}
