import { expect, test } from 'vitest'
import { lateCommands } from '../../kit/faults/late-commands.ts'
import { raceTwoOperators } from '../../kit/faults/races.ts'

// Short forms of `npm run bench races` and `npm run bench late-commands`.

test('two people on one line: every id is executed once at most, one of two closes wins, the other is told', {
  timeout: 300_000,
}, async () => {
  const result = await raceTwoOperators({ races: 40, lines: 20 })
  expect(result).toMatchObject({ races: 40, executedTwice: 0, notExactlyOne: 0, unexplained: 0 })
})

test('while server, broker and gateways stand still in turn nothing is executed late or twice, nor said to be done when it is not', {
  timeout: 300_000,
}, async () => {
  const result = await lateCommands({ commands: 60, lines: 20, pauseMs: { least: 1_000, most: 3_000 } })
  expect(result).toMatchObject({ executedAfterDeadline: 0, executedTwice: 0, doneButNotExecuted: 0 })
  expect(result.commands).toBeGreaterThanOrEqual(60)
  expect(result.executed).toBeGreaterThan(0)
})
