import type { CommandRecord, List } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Logger } from 'pino'
import type { Actor } from '../../access/actor.ts'
import { by, tenantOfLine } from '../../audit/audited.ts'
import type { Ingest } from '../../field/ingest.ts'
import type { Runner } from '../../jobs/runner.ts'
import type { Hub } from '../../plant/hub.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import * as stored from '../../store/control/command.ts'
import { endProjectTurn, takeProjectTurn } from '../../store/control/project-turn.ts'
import { saveTripCause } from '../../store/control/trip.ts'
import type { Database } from '../../store/core/database.ts'
import { startExecution } from './execution.ts'
import type { Order } from './gate.ts'
import { Gate } from './gate.ts'
import { createGroupOperations } from './group-operations.ts'
import { createImpacts } from './impact.ts'
import { createInspections } from './inspections.ts'
import { InterlockCheck } from './interlock-check.ts'
import { createLedger } from './ledger.ts'
import { QuietHours } from './quiet-hours.ts'
import { createReclosures } from './reclosures.ts'
import { commandRecord } from './records.ts'
import { createSelfTests } from './self-tests.ts'
import { createStagger } from './stagger.ts'
import { createTags } from './tags.ts'
import { createTripAnalysis } from './trip-analysis.ts'
import { UpstreamLines } from './upstream-lines.ts'

export type Control = Awaited<ReturnType<typeof createControl>>

export interface ControlDeps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly runner: Runner
  readonly ingest: Pick<Ingest, 'send' | 'reach' | 'hasValidPosition' | 'testRecorded'>
  readonly grants: { take(sessionId: string, grant: string, operation: string): Promise<boolean> }
  /** Settings of a line that an order may have changed, without the equipment having reported so. */
  readonly unconfirmed: (line: PlantLine) => ReadonlySet<string>
  /** The person with the rights of now; null when the account is gone. */
  readonly actorNow: (actor: Pick<Actor, 'accountId' | 'sessionId' | 'address'>) => Promise<Actor | null>
  /** Of more lines than this the count is typed before they are operated together. */
  readonly confirmAboveLines: number
  readonly clock: () => number
  readonly log: Logger
}

/** Whose group operations people watch; what timers and linkages operate, also by a scene, is asked for as their run. */
const watched: ReadonlySet<string> = new Set(['group', 'scene'] satisfies Order['source'][])

/** Operating equipment: the one gate, the dispatch of its orders, and their interlocks. */
export async function createControl(deps: ControlDeps) {
  const { database, hub, clock } = deps
  // Commands that the last run of the server left open may end before there is anybody to tell: they are told as soon as there is.
  const early: StoredCommand[] = []
  let afterSettled = (command: StoredCommand): void => void early.push(command)
  const selfTests = await createSelfTests(deps)
  const quietHours = await QuietHours.load(deps)
  const quietUntil = (line: PlantLine, now: number) => quietHours.until(line, now)
  const execution = await startExecution({
    ...deps,
    quietUntil,
    onSettled(command) {
      selfTests.settled(command)
      afterSettled(command)
    },
  })
  const impacts = createImpacts(deps)
  const interlocks = new InterlockCheck({ ...deps, quietUntil })
  const gate = new Gate({ ...deps, execution, interlocks, impacts })
  const stagger = createStagger(() => performance.now(), {
    take: (projectId, staggerMs, turnId) => takeProjectTurn(deps.database, projectId, staggerMs, turnId),
    end: (projectId, turnId) => endProjectTurn(deps.database, projectId, turnId),
  })
  const groupOperations = createGroupOperations({ ...deps, gate, stagger })
  const reclosures = await createReclosures({ ...deps, gate, stagger })
  afterSettled = (command) => {
    if (command.operationId) groupOperations.commandSettled(command.operationId, watched.has(command.source))
    reclosures.settled(command)
  }
  early.forEach(afterSettled)
  const tags = createTags(deps)
  const inspections = createInspections(deps)
  const upstreamLines = new UpstreamLines(deps)

  return {
    operate: (order: Order) => gate.operate(order),
    redeemGrant: gate.redeemGrant.bind(gate),
    /** Between two closes of a project, whatever orders them. */
    stagger,
    interlocks,
    impactOf: impacts.of,
    tags,
    inspections,
    selfTests,
    quietHours,
    groupOperations,
    reclosures,
    upstreamLines,
    tripAnalysis: createTripAnalysis({ database, upstreamLines }),
    commands: createLedger(deps),
    tick: execution.tick,
    async ledger(line: PlantLine, size: number): Promise<List<CommandRecord>> {
      const commands = await stored.ledger(database, line.id, size)
      return { items: commands.map((command) => commandRecord(command, line)), total: commands.length }
    },
    async recordTripCause(actor: Actor, line: PlantLine, cause: string): Promise<void> {
      const now = clock()
      const audit = { ...by(actor, now, 'trip.cause', tenantOfLine(line)), subject: aboutLine(line), after: cause }
      const { tripSequence } = line
      const why = await saveTripCause(database, { lineId: line.id, tripSequence: tripSequence, cause }, now, audit)
      if (why) throw new Refusal(why)
      if (line.tripSequence !== tripSequence) throw new Refusal('tripped meanwhile')
      line.lockoutCause = null
      hub.publish({ lines: [line] })
    },
    async close(): Promise<void> {
      await reclosures.close()
      await groupOperations.close()
      await execution.close()
      await selfTests.close()
    },
  }
}
