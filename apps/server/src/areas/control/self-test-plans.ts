import type { DetectionPlan, List, Request, setDetection, TestDue } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { selfTestEveryDays, testDue } from '@linewarden/rules/control'
import type { Actor } from '../../access/actor.ts'
import { by, tenantOfLine } from '../../audit/audited.ts'
import type { Plant, PlantGateway, PlantLine, PlantProject } from '../../plant/plant.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import type { StoredPlan } from '../../store/control/detection.ts'
import { detectionPlans, savePlan } from '../../store/control/detection.ts'
import type { Database } from '../../store/core/database.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  /** When the last test of a line was ordered of which nobody knows how it went. */
  readonly unknownAt: (lineId: number) => number | null
  readonly clock: () => number
}

const usualPlan = { enabled: true, everyDays: selfTestEveryDays, version: 0 }

/** How often each line is to be tested, and when it is due. */
export class SelfTestPlans {
  readonly #deps: Deps
  readonly #planOf: Map<number, StoredPlan>

  constructor(deps: Deps, planOf: Map<number, StoredPlan>) {
    this.#deps = deps
    this.#planOf = planOf
  }

  static async load(deps: Deps): Promise<SelfTestPlans> {
    return new SelfTestPlans(deps, await detectionPlans(deps.database))
  }

  /** Every line I see that can be tested, the most overdue first. */
  due(actor: Actor, project: PlantProject | null, overdueOnly: boolean): List<TestDue> {
    const { plant, clock } = this.#deps
    const now = clock()
    const items = [...plant.lines.values()]
      // The project first: it leaves a few of 200,000 lines.
      .filter(({ device }) => project === null || device.gateway.project === project)
      .filter((line) => isTestable(line) && actor.seesGateway(line.device.gateway))
      .map((line) => this.#dueOf(line, now))
      .filter(({ Overdue }) => !overdueOnly || Overdue)
      .sort((a, b) => Number(b.Overdue) - Number(a.Overdue) || (a.DueAt ?? 0) - (b.DueAt ?? 0) || a.LineID - b.LineID)
    return { items, total: items.length }
  }

  of(gateway: PlantGateway, lineId: number): DetectionPlan {
    return this.#record(this.#lineOn(gateway, lineId))
  }

  async set(actor: Actor, gateway: PlantGateway, body: Request<typeof setDetection>['body']): Promise<DetectionPlan> {
    const { database, clock } = this.#deps
    const line = this.#lineOn(gateway, body.LineID)
    const now = clock()
    const before = this.#stored(line)
    const saved = await savePlan(
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
    this.#planOf.set(line.id, saved)
    return this.#record(line)
  }

  #stored(line: PlantLine): StoredPlan {
    return this.#planOf.get(line.id) ?? usualPlan
  }

  #dueOf(line: PlantLine, now: number): TestDue {
    const { project } = line.device.gateway
    const { dueAt, overdue } = testDue(line.selfTest, this.#stored(line), now)
    const unknown = this.#deps.unknownAt(line.id)
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

  #record(line: PlantLine): DetectionPlan {
    const plan = this.#stored(line)
    const { LastAt, LastResult, LastTripMs, DueAt, Overdue } = this.#dueOf(line, this.#deps.clock())
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

  #lineOn(gateway: PlantGateway, lineId: number): PlantLine {
    const line = this.#deps.plant.lines.get(lineId)
    if (!line || line.device.gateway !== gateway) throw new Refusal('line not exists')
    if (!isTestable(line)) throw new Refusal('test not possible')
    return line
  }
}

/** It has a residual-current release whose trip time is measured. */
export const isTestable = (line: PlantLine): boolean => line.device.family.actions.some(({ measures }) => measures === 'tripMs')
