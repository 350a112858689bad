import { randomUUID } from 'node:crypto'
import { minuteMs } from '@linewarden/equipment'
import type { CommandFact } from '@linewarden/rules/control'
import { deadlineFor, foldCommand, tripTimeLimitMs, tripTimePasses } from '@linewarden/rules/control'
import type { Server } from '@linewarden/server/compose'
import type { PastFact } from '@linewarden/simulator'
import { namedUuid } from '../../apps/server/src/lib/named-uuid.ts'
import type { Plant, PlantLine } from '../../apps/server/src/plant/plant.ts'
import { aboutLine } from '../../apps/server/src/store/audit/subject.ts'
import { bringInLinkageRun, bringInRun } from '../../apps/server/src/store/automation/bring-in.ts'
import type { NewCommand, StoredCommand } from '../../apps/server/src/store/control/command.ts'
import { authorise, saveLives } from '../../apps/server/src/store/control/command.ts'
import { insertGroupOperation, saveGroupOperationLine } from '../../apps/server/src/store/control/group-operation.ts'
import { endGroupOperation } from '../../apps/server/src/store/control/group-operation-life.ts'
import { insertSelfTest } from '../../apps/server/src/store/control/self-test.ts'
import { saveTripCause } from '../../apps/server/src/store/control/trip.ts'
import { databaseClock } from '../../apps/server/src/store/jobs/due-work.ts'
import type { DemoLinkages } from './demo-linkages.ts'
import { pastRunId, pastTrace, shadowsOf } from './demo-linkages.ts'
import type { FailedOrder } from './past-story.ts'

/** Who did what people did. */
export interface Person {
  readonly accountId: string
  readonly userName: string
}

/** A timer that acted in the past. */
export interface PastTimer {
  readonly timerId: number
  readonly name: string
  readonly pointOf: Readonly<Record<string, number>>
}

type Operation = Extract<PastFact, { kind: 'operation' }>

const explainedBeforeMs = 120_000

/** Writes what people ordered in the past, each order with its whole life. The audit trail says when that was written. */
export class PastOrders {
  readonly #database: Server['database']
  readonly #plant: Pick<Plant, 'lineAt'>
  readonly #person: Person
  readonly #writtenAt: number
  /** By what the command history says of their orders. */
  readonly #timers: ReadonlyMap<string, PastTimer>
  readonly #linkages: DemoLinkages
  /** The sequence of the trip that each line waits to have explained. */
  readonly #lockouts = new Map<PlantLine, number>()
  readonly #trips = new Map<PlantLine, number>()

  constructor(
    { database, plant }: Pick<Server, 'database' | 'plant'>,
    person: Person,
    writtenAt: number,
    { timers, linkages }: { readonly timers: ReadonlyMap<string, PastTimer>; readonly linkages: DemoLinkages },
  ) {
    this.#timers = timers
    this.#linkages = linkages
    this.#database = database
    this.#plant = plant
    this.#person = person
    this.#writtenAt = writtenAt
  }

  /** The line was locked out by a trip. */
  lockedOut(line: PlantLine): void {
    const sequence = (this.#trips.get(line) ?? 0) + 1
    this.#trips.set(line, sequence)
    this.#lockouts.set(line, sequence)
  }

  /** An order that was carried out; `operationId`: the group that it was one of. */
  async done(
    fact: Operation,
    operationId: string | null = null,
    commandId: string = randomUUID(),
    source: 'console' | 'group' | 'timer' | 'linkage' = 'console',
  ): Promise<void> {
    const line = this.lineOf(fact)
    if (fact.action === 'close') await this.#explain(line, fact)
    const { at, action, tripMs } = fact
    const position = action === 'close' ? 'closed' : 'open'
    const ended = at + 260
    const life: CommandFact[] = [
      { kind: 'sent', at: at + 30 },
      { kind: 'result', status: 'accepted', reason: null, at: at + 110 },
      ...(tripMs === null ? [] : [{ kind: 'measured', tripMs, at: at + 240 } as const]),
      { kind: 'position', value: position, deviceAt: ended - 20, at: ended },
    ]
    const command = await this.#ordered(line, fact, life, { operationId, commandId, source })
    if (command && action === 'selfTest') await this.#tested(line, command)
  }

  /** An order that came to nothing. */
  async failed({ at, target, action, reason, facts }: FailedOrder): Promise<void> {
    const [controllerId = '', lineNo] = target.split('/')
    const line = this.lineOf({ controllerId, lineNo: Number(lineNo) })
    await this.#ordered(line, { at, action, reason }, facts, { operationId: null, commandId: randomUUID(), source: 'console' })
  }

  /** An alarm was raised: what a linkage that only logs would have done. */
  async raised(line: PlantLine, key: string, at: number): Promise<void> {
    for (const linkage of shadowsOf(this.#linkages, line.id, key))
      await bringInLinkageRun(this.#database, {
        ...{ executionId: pastRunId(linkage, at), linkage, at, endedAt: at, state: 'skipped', why: 'shadow' },
        trace: pastTrace(linkage, at),
      })
  }

  /** Whether an order was a linkage's. */
  readonly isOfLinkage = ({ reason }: Pick<Operation, 'reason'>): boolean => this.#linkages.has(reason.zh)

  /** Several lines that were operated as one intent, in this order; by a timer or a linkage where that is the reason. */
  async opened(facts: readonly Operation[]): Promise<void> {
    const [first, last] = [facts[0], facts.at(-1)]
    if (!first || !last) return
    const lines = facts.map((fact) => ({ fact, line: this.lineOf(fact), commandId: randomUUID() }))
    const timed = this.#timers.get(first.reason.zh)
    const dueAt = Math.floor(first.at / minuteMs) * minuteMs
    const linkage = this.#linkages.get(first.reason.zh)
    const executionId = timed
      ? namedUuid('timer', timed.timerId, timed.pointOf[first.action] ?? 1, dueAt)
      : linkage && pastRunId(linkage, first.at)
    const id = executionId ? namedUuid(executionId, first.action) : randomUUID()
    const { accountId, userName } = this.#person
    const operation = {
      ...{
        id,
        action: first.action === 'close' ? ('close' as const) : ('trip' as const),
        accountId,
        actor: userName,
        reason: first.reason.zh,
        staggerMs: executionId ? 1_000 : 2_000,
        startedAt: first.at,
      },
      sessionId: '0',
      lines: lines.map(({ line, commandId }) => ({
        lineId: line.id,
        commandId,
        state: 'waiting' as const,
        refusal: null,
        command: null,
      })),
    }
    const holder = { server: id, clock: databaseClock }
    const project = lines[0]?.line.device.gateway.project
    if (timed && executionId && project) {
      const run = {
        ...{ executionId, timerId: timed.timerId, projectId: project.id, name: timed.name, timeZone: project.timeZone },
        ...{ pointNo: timed.pointOf[first.action] ?? 1, dueAt, endedAt: last.at + 1_000, accountId, actor: userName },
        action: operation.action,
      }
      await bringInRun(this.#database, run, operation, holder)
    } else if (linkage && executionId) {
      const ran = { executionId, linkage, at: first.at, endedAt: last.at + 1_000, state: 'done', why: null } as const
      await bringInLinkageRun(this.#database, { ...ran, trace: pastTrace(linkage, first.at) }, { operation, holder })
    } else await insertGroupOperation(this.#database, operation, [], holder)
    for (const { fact, commandId } of lines) {
      await this.done(fact, id, commandId, timed ? 'timer' : linkage ? 'linkage' : 'group')
      await saveGroupOperationLine(this.#database, id, commandId, null)
    }
    const end = { rest: 'missed' as const, at: last.at + 1_000, stoppedBy: null, whenRevoked: null, audits: () => [] }
    await endGroupOperation(this.#database, id, end)
  }

  lineOf({ controllerId, lineNo }: Pick<Operation, 'controllerId' | 'lineNo'>): PlantLine {
    const line = this.#plant.lineAt(controllerId, lineNo)
    if (!line) throw new Error(`the demo has no line ${controllerId}/${lineNo}`)
    return line
  }

  async #ordered(
    line: PlantLine,
    { at, action, reason }: Pick<Operation, 'at' | 'action' | 'reason'>,
    facts: readonly CommandFact[],
    { operationId, commandId, source }: Pick<NewCommand, 'operationId' | 'commandId' | 'source'>,
  ): Promise<StoredCommand | null> {
    const { accountId, userName: actor } = this.#person
    const order = { commandId, lineId: line.id, action, accountId, actor, source, reason, issuedAt: at, operationId }
    const authorised = await authorise(
      this.#database,
      { ...order, deadline: at + deadlineFor(action) },
      { ...this.#audit(line), action: `line.${action}`, after: { commandId, reason, source, at }, outcome: 'authorised' },
    )
    if (!('command' in authorised)) return null
    let { command } = authorised
    for (const fact of facts) {
      const life = foldCommand(command, fact)
      if (life !== command) await saveLives(this.#database, [{ before: command, life, fact }])
      command = life
    }
    return command
  }

  async #tested(line: PlantLine, { commandId, verifiedAt, tripMs, actor }: StoredCommand): Promise<void> {
    const result = tripMs !== null && tripTimePasses(tripMs) ? 'passed' : 'failed'
    const residualMa = line.reported.get('leakage.trip') ?? null
    const figures = { commandId, result, tripMs, limitMs: tripTimeLimitMs, residualMa } as const
    const test = { ...figures, lineId: line.id, at: verifiedAt ?? this.#writtenAt, actor, model: line.device.model }
    const audit = { ...this.#audit(line), action: 'selfTest.result', after: figures, outcome: result } as const
    await insertSelfTest(this.#database, test, audit)
  }

  /** Whoever closes after a protection has opened the line has said why it did. */
  async #explain(line: PlantLine, { at, reason }: Operation): Promise<void> {
    const tripSequence = this.#lockouts.get(line)
    if (tripSequence === undefined) return
    this.#lockouts.delete(line)
    const audit = { ...this.#audit(line), action: 'trip.cause', after: reason.zh, outcome: 'done' } as const
    await saveTripCause(this.#database, { lineId: line.id, tripSequence, cause: reason.zh }, at - explainedBeforeMs, audit)
  }

  #audit(line: PlantLine) {
    const tenant = line.device.gateway.project.ownerId
    return { at: this.#writtenAt, actor: this.#person.userName, address: '', tenant, subject: aboutLine(line) }
  }
}
