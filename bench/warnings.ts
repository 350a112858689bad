import type { DetectorRow } from '../tests/kit/warning-truth/table.ts'
import { allFalseFindings, faultRows, intervalRows, maxFalsePerLineYear } from '../tests/kit/warning-truth/table.ts'
import { dailyDetectors } from '../tests/kit/warning-truth/watch-line.ts'
import { median } from './calibrate.ts'
import { report } from './report.ts'

const targets = { falsePerLineYear: maxFalsePerLineYear, intervalPercent: [85, 97] as const }

/**
 * What the detectors of early warning find of faults that were put into synthetic lines, how soon, and how often they raise something on
 * sound ones; each of the seeds must pass. `--lines`: sound line-years of a seed, `--faults`: faults of each kind. The calibrator is what
 * this machine takes to sort a million numbers.
 */
export async function warnings({ lines = 2_000, faults = 500, seeds = 3, first = 1 }: Record<string, number>): Promise<void> {
  const rows: (DetectorRow & { readonly seed: number })[] = []
  const intervals: (ReturnType<typeof intervalRows>[number] & { readonly seed: number })[] = []
  const totals: number[] = []
  const started = process.cpuUsage()
  for (let seed = first; seed < first + seeds; seed++) {
    const raised = allFalseFindings(seed, lines)
    totals.push(Object.values(raised).reduce((sum, each) => sum + each, 0) / lines)
    for (const row of faultRows(seed, faults, raised, lines)) {
      rows.push({ seed, ...row })
      process.stdout.write(`seed ${seed}  ${wordsOf(row)}\n`)
    }
    for (const row of intervalRows(seed, faults)) {
      intervals.push({ seed, ...row })
      process.stdout.write(
        `seed ${seed}  time to limit of ${row.kind}: ${row.intervals} intervals, ${row.coveredPercent} % hold the truth; ${row.shown} shown, ${row.shownCoveredPercent} % of them\n`,
      )
    }
  }
  const used = process.cpuUsage(started)
  const [low, high] = targets.intervalPercent
  report('warnings', {
    lineYears: lines,
    faultsOfEachKind: faults,
    seeds,
    detectors: dailyDetectors.length,
    falsePerLineYear: totals.map((each) => Math.round(each * 1_000) / 1_000),
    missed: rows.filter(({ pass }) => !pass).map(({ seed, detector }) => `${detector} (seed ${seed})`),
    intervals,
    cpuSeconds: Math.round((used.user + used.system) / 1e6),
    sortMillionMs: Math.round(sortMillionMs()),
    targets,
    verdict:
      rows.every(({ pass }) => pass) &&
      totals.every((each) => each <= maxFalsePerLineYear) &&
      intervals.every(({ coveredPercent }) => coveredPercent >= low && coveredPercent <= high),
  })
}

const wordsOf = ({ detector, foundPercent, within, median: middle, falsePerLineYear, notEvaluable, pass }: DetectorRow): string =>
  [
    detector.padEnd(20),
    `${foundPercent} % ${within}`.padEnd(36),
    `median ${middle}`.padEnd(16),
    `false ${falsePerLineYear} a line-year`.padEnd(28),
    notEvaluable > 0 ? `${notEvaluable} too little load` : '',
    pass ? '' : 'MISSED',
  ].join(' ')

function sortMillionMs(): number {
  const values = Float64Array.from({ length: 1_000_000 }, (_, i) => Math.imul(i, 2_654_435_761) >>> 0)
  const took = Array.from({ length: 5 }, () => {
    const copy = values.slice()
    const began = performance.now()
    copy.sort()
    return performance.now() - began
  })
  return median(took)
}
