import type { Certificate, List, SelfTestRecord } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { tripTimeLimitMs } from '@linewarden/rules/control'
import type { Logger } from 'pino'
import { tenantOfLine } from '../../audit/audited.ts'
import type { Ingest } from '../../field/ingest.ts'
import type { Hub } from '../../plant/hub.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import { openCommands } from '../../store/control/command.ts'
import type { StoredSelfTest } from '../../store/control/self-test.ts'
import * as stored from '../../store/control/self-test.ts'
import type { Database } from '../../store/core/database.ts'
import { SelfTestPlans } from './self-test-plans.ts'
import { certificateOf, testRecord } from './self-test-records.ts'
import { createSelfTestWriter } from './self-test-writer.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly ingest: Pick<Ingest, 'testRecorded'>
  readonly clock: () => number
  readonly log: Logger
}

const maxTests = 200

/** Leakage self-tests: what they measured, and when the next is due. Ordering one is the gate's. */
export async function createSelfTests({ database, plant, hub, ingest, clock, log }: Deps) {
  /** When the last test of a line was ordered of which nobody knows how it went. */
  const unknownAt = new Map<number, number>()
  const plans = await SelfTestPlans.load({ database, plant, unknownAt: (lineId) => unknownAt.get(lineId) ?? null, clock })
  const records = createSelfTestWriter({ database, written: ({ lineId, ...test }) => take(plant.lines.get(lineId), test), log })
  for (const command of await stored.unrecordedSelfTests(database)) await record(command)
  for (const command of await openCommands(database)) learn(command)
  // The last run of the server may have ended between a record and its alarm.
  for (const line of plant.lines.values())
    if (line.selfTest && (line.selfTest.result === 'failed' || line.alarms.has('selfTest.failed')))
      ingest.testRecorded(line, line.selfTest.at)

  return {
    plans,

    /** A self-test command ended: what it measured is kept. */
    settled(command: StoredCommand): void {
      learn(command)
      if (command.action === 'selfTest' && wasCarriedOut(command)) void record(command)
    },

    /** Writes what the database did not take at first; runs by itself every few seconds. */
    sweep: records.sweep,
    close: records.close,

    async ofLine(line: PlantLine): Promise<List<SelfTestRecord>> {
      const tests = await stored.selfTestsOf(database, line.id, maxTests)
      return { items: tests.map(testRecord), total: tests.length }
    },

    async certificate(line: PlantLine, commandId: string): Promise<Certificate> {
      const found = await stored.selfTestWithProof(database, line.id, commandId)
      if (!found) throw new Refusal('test not exists')
      return certificateOf(line, found)
    },
  }

  function learn({ action, state, lineId, issuedAt }: StoredCommand): void {
    if (action !== 'selfTest') return
    if (state === 'unknown') unknownAt.set(lineId, Math.max(issuedAt, unknownAt.get(lineId) ?? 0))
    else if (unknownAt.get(lineId) === issuedAt) unknownAt.delete(lineId)
  }

  /**
   * The command is stored, so it is a fact how the test went. That it failed stands against closing from this moment, whether the record can
   * be written now or later; that it passed counts once it is on record.
   */
  async function record(command: StoredCommand): Promise<void> {
    const line = plant.lines.get(command.lineId)
    if (!line || command.endedAt === null) return
    const test: StoredSelfTest = {
      commandId: command.commandId,
      lineId: line.id,
      at: command.endedAt,
      actor: command.actor,
      result: command.outcome === null ? 'passed' : 'failed',
      // Whatever time it told: a line that stayed closed did not trip.
      tripMs: command.state === 'verified' ? command.tripMs : null,
      limitMs: tripTimeLimitMs,
      residualMa: line.reported.get('leakage.trip') ?? null,
      model: line.device.model,
    }
    if (test.result === 'failed') take(line, test)
    await records.write({
      test,
      audit: {
        at: test.at,
        actor: command.actor,
        address: '',
        tenant: tenantOfLine(line),
        action: 'selfTest.result',
        subject: aboutLine(line),
        after: {
          commandId: test.commandId,
          result: test.result,
          outcome: command.outcome,
          tripMs: test.tripMs,
          limitMs: test.limitMs,
          residualMa: test.residualMa,
        },
        outcome: test.result,
      },
    })
  }

  /** Once: a failed test stands in the plant before it is written. */
  function take(line: PlantLine | undefined, { at, result, tripMs }: Pick<StoredSelfTest, 'at' | 'result' | 'tripMs'>): void {
    if (!line || (line.selfTest !== null && line.selfTest.at > at)) return
    if (line.selfTest?.at === at && line.selfTest.result === result) return
    line.selfTest = { at, result, tripMs }
    hub.publish({ lines: [line] })
    ingest.testRecorded(line, at)
  }
}

/** Done, and its outcome known; a detector's failed test ends its command as failed, and so does a breaker's that told a time and stayed closed. */
const wasCarriedOut = ({ state, outcome, positionAfter }: StoredCommand): boolean =>
  state === 'verified' ||
  (state === 'failed' && (outcome === 'self_test_failed' || (outcome === 'not_done' && positionAfter === 'closed')))
