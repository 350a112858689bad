import { randomUUID } from 'node:crypto'
import { healthCheckDays, maxHealthCheckLines, Refusal } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { healthRuleVersion } from '@linewarden/rules/health'
import { Mutex } from '../../lib/serial.ts'
import type { PlantGateway, PlantLine, PlantProject } from '../../plant/plant.ts'
import { linesBehind } from '../../plant/plant.ts'
import type { AuditEntry } from '../../store/audit/append.ts'
import type { HealthCheckRow } from '../../store/health/check.ts'
import { healthCheckById } from '../../store/health/check.ts'
import type { NewHealthCheck } from '../../store/health/write.ts'
import {
  addHealthLines,
  endHealthCheck,
  forgetHealthLines,
  healthCheckKind,
  insertHealthCheck,
  skipHealthCheck,
} from '../../store/health/write.ts'
import type { Claim } from '../../store/jobs/due-work.ts'
import { endWork } from '../../store/jobs/due-work.ts'
import { clockOf, dayText } from '../warning/line-facts.ts'
import type { HealthDeps } from './deps.ts'
import { examLines } from './exam-run.ts'

/** What is examined. */
export interface HealthScope {
  readonly project: PlantProject
  readonly gateway: PlantGateway | null
  readonly line: PlantLine | null
}

export interface StartOf {
  readonly actor: string | null
  /** Of which instant the monthly check is; null: a person started it. */
  readonly dueAt: number | null
  readonly audit: Omit<AuditEntry, 'subject'> | null
}

export type HealthChecks = ReturnType<typeof createHealthChecks>

/** Begins health checks and carries them out, each on one server of those that share the database. */
export function createHealthChecks({ database, plant, runner, clock, log }: Omit<HealthDeps, 'downloads'>) {
  let isClosed = false
  const underWay = new Set<Promise<void>>()
  const takeovers = new Mutex()
  const linesOf = (scope: HealthScope) => linesIn(plant, scope)
  runner.register({
    kind: healthCheckKind,
    // One after the other: a server that is gone may have had many, and each reads 30 days of all its lines.
    async takeOver(claim, lost) {
      void takeovers.run(async () => {
        if (isClosed) return
        if (lost.aborted) runner.letGo(claim.workId)
        else await carry(claim)
      })
    },
  })
  return {
    linesOf,
    start,
    skipTooLarge,
    /** Only its own: what other areas carry out they end themselves, and later. */
    async close() {
      isClosed = true
      await Promise.all(underWay)
    },
  }

  /** Begins one. Null: one of the same scope is under way, or that of this instant was begun before. The promise is that of its end. */
  async function start(
    scope: HealthScope,
    { actor, dueAt, audit }: StartOf,
  ): Promise<{ testId: number; ended: Promise<void> } | null> {
    const lines = linesOf(scope)
    if (lines.length === 0) throw new Refusal('exam scope empty')
    if (lines.length > maxHealthCheckLines) throw new Refusal('exam too large', { most: maxHealthCheckLines })
    const check = newCheck(scope, { actor, dueAt, lines: lines.length, at: clock() })
    const started = await insertHealthCheck(database, { ...check, workId: randomUUID(), audit }, runner.holder)
    return started && { testId: started.testId, ended: carry(started.claim) }
  }

  /** Of more lines than one takes the monthly one is noted as failed: nobody tries again, and its page says why. False: it is not too large. */
  async function skipTooLarge(scope: HealthScope, dueAt: number): Promise<boolean> {
    const lines = linesOf(scope).length
    if (lines <= maxHealthCheckLines) return false
    await skipHealthCheck(database, newCheck(scope, { actor: null, dueAt, lines, at: clock() }))
    return true
  }

  function carry(claim: Claim): Promise<void> {
    const carried = runner.carry(claim, (signal) => carryOut(claim, signal)).finally(() => underWay.delete(carried))
    underWay.add(carried)
    return carried
  }

  /** To its end, or until it was cancelled, taken over, or this server closes: then whoever has it next begins it anew. */
  async function carryOut(claim: Claim, signal: AbortSignal): Promise<void> {
    const testId = Number(claim.key)
    try {
      const row = await healthCheckById(database, testId)
      const isOver = row?.state !== 'running'
      if (isOver) await endWork(database.general, claim, row?.state ?? 'gone', clock())
      else await examined(claim, row, signal)
    } finally {
      // Of one that was broken off by the close of this server the lease is given back with all others.
      if (!isClosed) runner.letGo(claim.workId)
    }
  }

  async function examined(claim: Claim, row: HealthCheckRow, signal: AbortSignal): Promise<void> {
    const { test_id: testId } = row
    const client = await database.connect()
    try {
      // What another server found before is forgotten; of one that begins here there is nothing.
      if (claim.fence > 1 && !(await forgetHealthLines(client, claim, testId))) return
      const lines = linesStillThere(plant, row)
      const result = await examLines({
        ...{ client, lines, days: daysOf(row), now: row.started_at.getTime(), signal },
        store: async (found) => !isClosed && addHealthLines(client, claim, testId, found),
      })
      if (result || lines.length === 0) await endHealthCheck(client, claim, testId, { result, at: clock() })
    } catch (error) {
      log.error({ err: error, check: testId }, 'a health check broke off')
      await endHealthCheck(client, claim, testId, { result: null, at: clock() })
    } finally {
      await client.end()
    }
  }
}

/** What was taken out since it was begun, or stands in another project, is not examined: who reads it sees nothing of that project. */
function linesStillThere(plant: HealthDeps['plant'], row: HealthCheckRow): readonly PlantLine[] {
  const project = plant.projects.get(row.project_id)
  const gateway = row.gateway_id === null ? null : plant.gateways.get(row.gateway_id)
  const line = row.line_id === null ? null : plant.lines.get(row.line_id)
  if (!project || gateway === undefined || line === undefined) return []
  const isMoved = [gateway, line?.device.gateway].some((each) => each && each.project !== project)
  return isMoved ? [] : linesIn(plant, { project, gateway, line })
}

/** Every line, and every detector, that stands in a scope. */
function linesIn(plant: HealthDeps['plant'], { project, gateway, line }: HealthScope): readonly PlantLine[] {
  if (line) return [line]
  const all = gateway
    ? linesBehind(gateway)
    : [...plant.gateways.values()].flatMap((each) => (each.project === project ? linesBehind(each) : []))
  return all.toSorted((a, b) => a.id - b.id)
}

/** A check of a scope that begins at an instant. */
function newCheck(
  scope: HealthScope,
  { actor, dueAt, lines, at }: Pick<StartOf, 'actor' | 'dueAt'> & { readonly lines: number; readonly at: number },
): Pick<NewHealthCheck, 'row' | 'number'> {
  const { project } = scope
  const today = Math.floor(clockOf(project.timeZone).local(at) / dayMs)
  return {
    row: {
      ...rowOf(scope),
      ...{ actor, due_at: dueAt === null ? null : new Date(dueAt), started_at: new Date(at), lines },
      ...{ from_day: today - healthCheckDays, to_day: today - 1 },
    },
    number: { owner: project.ownerId, month: dayText(today).slice(0, 7).replace('-', '') },
  }
}

const rowOf = ({ project, gateway, line }: HealthScope) => ({
  ...{ project_id: project.id, gateway_id: gateway?.id ?? null, line_id: line?.id ?? null },
  ...{ project_name: project.name, gateway_name: gateway?.name ?? null, time_zone: project.timeZone },
  ...{ rule_version: healthRuleVersion, ended_at: null, result: null },
})

function daysOf({ from_day, to_day, time_zone }: HealthCheckRow) {
  const { moment } = clockOf(time_zone)
  return { fromDay: from_day, toDay: to_day, begins: moment(from_day * dayMs), ends: moment((to_day + 1) * dayMs) }
}
