import { raceTwoOperators } from '../../tests/kit/faults/races.ts'
import { report } from '../report.ts'

/** A thousand races of two operators on one line: at most one execution per id, and the loser told. */
export async function races(options: { races?: number; lines?: number }): Promise<void> {
  const result = await raceTwoOperators({ races: options.races ?? 1_000, lines: options.lines ?? 200 })
  const targets = { executedTwice: 0, notExactlyOne: 0, unexplained: 0 }
  report('races', {
    ...result,
    targets,
    verdict: result.executedTwice === 0 && result.notExactlyOne === 0 && result.unexplained === 0,
  })
}
