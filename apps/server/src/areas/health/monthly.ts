import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'
import { Loop } from '../../lib/every.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { monthlyChecksSince } from '../../store/health/write.ts'
import { clockOf } from '../warning/line-facts.ts'
import type { HealthChecks, HealthScope } from './checks.ts'
import type { HealthDeps } from './deps.ts'

const everyMs = 10 * minuteMs
/** On the first of the month, once the days before have been made up. */
const atHour = 4
/** A server that was away examines late, but not a month that is nearly over. */
const catchUpMs = 7 * dayMs

/** Examines each project on the first of the month by itself, once, on however many servers. */
export function createMonthly(
  { database, plant, clock, log }: HealthDeps,
  checks: Pick<HealthChecks, 'start' | 'linesOf' | 'skipTooLarge'>,
) {
  const loop = new Loop(everyMs, look, {
    log,
    failed: 'monthly health checks could not be begun; it is tried again',
    spaced: true,
    unref: true,
  })
  return {
    start: () => void loop.start(),
    look: loop.tick,
    close: () => loop.close(),
  }

  async function look(): Promise<void> {
    const now = clock()
    const due = [...plant.projects.values()].flatMap((project) => {
      const dueAt = dueInstant(project, now)
      return now - dueAt <= catchUpMs ? [{ project, dueAt }] : []
    })
    if (due.length === 0) return
    const begun = await monthlyChecksSince(database, Math.min(...due.map(({ dueAt }) => dueAt)))
    for (const { project, dueAt } of due) {
      // The others are begun by another server, or by this one once it is back.
      if (loop.isClosed) return
      if (begun.has(`${project.id} ${dueAt}`)) continue
      const scope = { project, gateway: null, line: null }
      if (checks.linesOf(scope).length === 0) continue
      await examined(scope, dueAt)
    }
  }

  /** One after the other: each reads 30 days of a whole project. What is wrong with one keeps none of the others from its turn. */
  async function examined(scope: HealthScope, dueAt: number): Promise<void> {
    try {
      if (await checks.skipTooLarge(scope, dueAt)) return
      const started = await checks.start(scope, { actor: null, dueAt, audit: null })
      await started?.ended
    } catch (error) {
      log.error({ err: error, project: scope.project.id }, 'a monthly health check could not be begun; it is tried again')
    }
  }
}

/** The newest first of a month at four, by the clock of the project. */
function dueInstant({ timeZone }: PlantProject, now: number): number {
  const { local, moment } = clockOf(timeZone)
  const at = new Date(local(now))
  const first = (months: number) => moment(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1) + atHour * hourMs)
  return first(0) <= now ? first(0) : first(-1)
}
