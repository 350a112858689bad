import { rawCopyRate } from '../calibrate.ts'
import { report } from '../report.ts'
import { dueField, within } from './due-field.ts'
import { bringAbout, quieten } from './due-happenings.ts'
import type { StoredOutcome } from './due-oracle.ts'
import { compareDues } from './due-oracle.ts'
import { planDues } from './due-plan.ts'
import { dueRowsOf, settledRuns, storePlan } from './due-store.ts'

/**
 * Timers, scenes and linkages of one project while two servers on one database are killed, stand still, and have clocks that go wrong, on a night
 * when clocks change. What the equipment did and what is stored is compared with the plan. `--seed N --kills N --minutes N --pauses N`
 */
export async function dueFaults(options: { seed?: number; kills?: number; minutes?: number; pauses?: number }): Promise<void> {
  const { seed = 1, kills = 1_000, minutes = 600, pauses = 300 } = options
  const plan = planDues(seed, { kills, maxPauseMs: pauses * 1_000 })
  const field = await dueField(plan)
  try {
    const calibratorRowsPerS = await field.withDatabase((client) => rawCopyRate(client, 3))
    quieten(field, plan)
    await storePlan(field, plan)
    for (const server of field.servers) {
      await server.end()
      await within('the start of a server', 120_000, server.start())
    }
    await dueRowsOf(field, plan)
    const { clock, rises, tags, databaseKills, done } = await bringAbout(field, plan, minutes * 60_000)
    // What was not due by the time it was ended is no part of it.
    const until = field.now() - 60_000
    const { timers, linkages, near, left } = await settledRuns(field, plan, until)
    const executed = await field.executed()
    const found = compareDues({
      ...{ plan, runs: timers, executed, clock, tags, databaseKills, until },
      linkages: { rises, runs: linkages, near, left },
    })
    for (const [what, each] of Object.entries(found)) for (const one of each) process.stderr.write(`${what}: ${one}\n`)
    const counts = Object.fromEntries(Object.entries(found).map(([what, each]) => [what, each.length]))
    const firings = linkages.filter(({ isLater }) => !isLater).length
    const operated = counted(executed.map(({ line, action }) => `${plan.lines[line]} ${action}`))
    report('due-faults', {
      ...{ seed, night: plan.night, ...done, dues: plan.dues.filter(({ dueAt }) => dueAt < until).length },
      ...{ outcomes: counted(timers.map(outcomeOf)), rises: rises.length, firings, operated },
      ...{ ...counts, calibratorRowsPerS },
      targets: Object.fromEntries(Object.keys(counts).map((what) => [what, 0])),
      // Of nothing that was done, nothing is wrong.
      verdict:
        Object.values(counts).every((count) => count === 0) &&
        ['sound close', 'window close', 'scene close', 'target trip', 'target close'].every((each) => operated[each]),
    })
  } finally {
    await field.close()
  }
}

const outcomeOf = ({ state, why }: StoredOutcome): string => (why === null ? state : `${state} ${why}`)

function counted(words: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}
