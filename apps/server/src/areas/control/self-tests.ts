import type {
  Certificate,
  DetectionPlan,
  List,
  ProjectQuietHours,
  Request,
  SelfTestRecord,
  setDetection,
  TestDue,
} from '@linewarden/contract'
import { about, Refusal } from '@linewarden/contract'
import { quietUntil, selfTestEveryDays, testStanding, tripTimeLimitMs } from '@linewarden/rules/control'
import type { Logger } from 'pino'
import type { Actor } from '../../access/actor.ts'
import { by, tenantOfLine } from '../../audit/audited.ts'
import type { Ingest } from '../../field/ingest.ts'
import type { Hub } from '../../plant/hub.ts'
import type { Plant, PlantGateway, PlantLine, PlantProject } from '../../plant/plant.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import { openCommands } from '../../store/control/command.ts'
import * as plans from '../../store/control/detection.ts'
import type { StoredSelfTest } from '../../store/control/self-test.ts'
import * as stored from '../../store/control/self-test.ts'
import type { Database } from '../../store/core/database.ts'
import { writeTestRecords } from './test-records.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly ingest: Pick<Ingest, 'testRecorded'>
  readonly clock: () => number
  readonly log: Logger
}

const maxTests = 200
const usualPlan = { enabled: true, everyDays: selfTestEveryDays, version: 0 }
const noQuietHours = { windows: [], version: 1 }
const standard = 'IEC 61009-1 / GB/T 16917.1'

/** Leakage self-tests: what they measured, when the next is due, in which hours none may run. Ordering one is the gate's. */
export async function createSelfTests({ database, plant, hub, ingest, clock, log }: Deps) {
  const planOf = await plans.detectionPlans(database)
  const quietOf = await plans.quietHoursOfAll(database)
  const records = writeTestRecords({ database, written: ({ lineId, ...test }) => take(plant.lines.get(lineId), test), log })
  for (const command of await stored.unrecordedSelfTests(database)) await record(command)
  /** When the last test of a line was ordered of which nobody knows how it went. */
  const unknownAt = new Map<number, number>()
  for (const command of await openCommands(database)) learn(command)
  // The last run of the server may have ended between a record and its alarm.
  for (const line of plant.lines.values())
    if (line.selfTest && (line.selfTest.result === 'failed' || line.alarms.has('selfTest.failed')))
      ingest.testRecorded(line, line.selfTest.at)

  return {
    /** When quiet hours end that run now where this line stands; null when none run. */
    quietUntil: ({ device }: PlantLine, now: number): number | null =>
      quietUntil(quietOfProject(device.gateway.project).windows, device.gateway.project.timeZone, now),

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
      const { gateway } = line.device
      return {
        Number: `LW-ST-${found.auditId.padStart(8, '0')}`,
        Hash: found.hash,
        Test: testRecord(found.test),
        LineName: line.name,
        ControllerID: line.device.controllerId,
        LineNo: line.lineNo,
        DeviceName: line.device.name,
        GatewayName: gateway.name,
        GatewayNumber: gateway.number,
        HouseName: gateway.project.name,
        TimeZone: gateway.project.timeZone,
        RatedCurrentA: line.ratedCurrentA,
        Reason: found.reason,
        Standard: standard,
      }
    },

    /** Every line I see that can be tested, the most overdue first. */
    due(actor: Actor, project: PlantProject | null, overdueOnly: boolean): List<TestDue> {
      const now = clock()
      const items = [...plant.lines.values()]
        // The project first: it leaves a few of 200,000 lines.
        .filter(({ device }) => project === null || device.gateway.project === project)
        .filter((line) => isTestable(line) && actor.seesGateway(line.device.gateway))
        .map((line) => dueOf(line, now))
        .filter(({ Overdue }) => !overdueOnly || Overdue)
        .sort((a, b) => Number(b.Overdue) - Number(a.Overdue) || (a.DueAt ?? 0) - (b.DueAt ?? 0) || a.LineID - b.LineID)
      return { items, total: items.length }
    },

    plan: (gateway: PlantGateway, lineId: number): DetectionPlan => planRecord(lineOn(gateway, lineId)),

    async setPlan(actor: Actor, gateway: PlantGateway, body: Request<typeof setDetection>['body']): Promise<DetectionPlan> {
      const line = lineOn(gateway, body.LineID)
      const now = clock()
      const before = planOf.get(line.id) ?? usualPlan
      const saved = await plans.savePlan(
        database,
        line.id,
        { enabled: body.Enabled, everyDays: body.EveryDays, version: body.Version ?? before.version },
        { at: now, actor: actor.userName },
        {
          ...by(actor, now, 'selfTest.plan', tenantOfLine(line)),
          subject: aboutLine(line),
          before: { enabled: before.enabled, everyDays: before.everyDays },
          after: { enabled: body.Enabled, everyDays: body.EveryDays },
        },
      )
      if (!saved) throw new Refusal('changed meanwhile')
      planOf.set(line.id, saved)
      return planRecord(line)
    },

    quietHours: (project: PlantProject): ProjectQuietHours => quietRecord(project),

    async setQuietHours(
      actor: Actor,
      project: PlantProject,
      { Windows, Version }: ProjectQuietHours,
    ): Promise<ProjectQuietHours> {
      const windows = Windows.map(({ Days, FromMinute, ToMinute }) => ({
        days: Days,
        fromMinute: FromMinute,
        toMinute: ToMinute,
      }))
      const saved = await plans.saveQuietHours(
        database,
        project.id,
        { windows, version: Version },
        {
          ...by(actor, clock(), 'quietHours.set', project.ownerId),
          subject: about('project', project.id),
          target: project.name,
          before: quietOfProject(project).windows,
          after: windows,
        },
      )
      if (!saved) throw new Refusal('changed meanwhile')
      quietOf.set(project.id, saved)
      return quietRecord(project)
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

  function dueOf(line: PlantLine, now: number): TestDue {
    const { project } = line.device.gateway
    const { dueAt, overdue } = testStanding(line.selfTest, planOf.get(line.id) ?? usualPlan, now)
    const unknown = unknownAt.get(line.id) ?? null
    return {
      LineID: line.id,
      ControllerID: line.device.controllerId,
      LineNo: line.lineNo,
      LineName: line.name,
      HouseID: project.id,
      HouseName: project.name,
      LastAt: line.selfTest?.at ?? null,
      LastResult: line.selfTest?.result ?? null,
      LastTripMs: line.selfTest?.tripMs ?? null,
      UnknownAt: unknown !== null && unknown > (line.selfTest?.at ?? 0) ? unknown : null,
      DueAt: dueAt,
      Overdue: overdue,
    }
  }

  function planRecord(line: PlantLine): DetectionPlan {
    const plan = planOf.get(line.id) ?? usualPlan
    const { LastAt, LastResult, LastTripMs, DueAt, Overdue } = dueOf(line, clock())
    return {
      DeviceID: line.device.gateway.id,
      LineID: line.id,
      Enabled: plan.enabled,
      EveryDays: plan.everyDays,
      Version: plan.version,
      LastAt,
      LastResult,
      LastTripMs,
      DueAt,
      Overdue,
    }
  }

  function lineOn(gateway: PlantGateway, lineId: number): PlantLine {
    const line = plant.lines.get(lineId)
    if (!line || line.device.gateway !== gateway) throw new Refusal('line not exists')
    if (!isTestable(line)) throw new Refusal('test not possible')
    return line
  }

  function quietOfProject(project: PlantProject): plans.StoredQuietHours {
    return quietOf.get(project.id) ?? noQuietHours
  }

  function quietRecord(project: PlantProject): ProjectQuietHours {
    const { windows, version } = quietOfProject(project)
    return {
      Windows: windows.map(({ days, fromMinute, toMinute }) => ({ Days: days, FromMinute: fromMinute, ToMinute: toMinute })),
      Version: version,
    }
  }
}

/** Done, and its outcome known; a detector's failed test ends its command as failed, and so does a breaker's that told a time and stayed closed. */
const wasCarriedOut = ({ state, outcome, positionAfter }: StoredCommand): boolean =>
  state === 'verified' ||
  (state === 'failed' && (outcome === 'self_test_failed' || (outcome === 'not_done' && positionAfter === 'closed')))

/** It has a residual-current release whose trip time is measured. */
const isTestable = (line: PlantLine): boolean => line.device.family.actions.some(({ measures }) => measures === 'tripMs')

const testRecord = (test: StoredSelfTest): SelfTestRecord => ({
  CommandID: test.commandId,
  At: test.at,
  Actor: test.actor,
  Result: test.result,
  TripMs: test.tripMs,
  LimitMs: test.limitMs,
  ResidualMa: test.residualMa,
  Model: test.model,
})
