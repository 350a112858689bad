import { lateCommands as run } from '../../tests/kit/faults/late-commands.ts'
import { report } from '../report.ts'

/** 3,000 commands while server, broker and gateways stand still in turn for 1 to 20 s. */
export async function lateCommands(options: { commands?: number; lines?: number }): Promise<void> {
  const result = await run({
    commands: options.commands ?? 3_000,
    lines: options.lines ?? 300,
    pauseMs: { least: 1_000, most: 20_000 },
  })
  const targets = { executedAfterDeadline: 0, executedTwice: 0, doneButNotExecuted: 0 }
  report('late-commands', {
    ...result,
    targets,
    verdict:
      result.executedAfterDeadline === 0 && result.executedTwice === 0 && result.doneButNotExecuted === 0 && result.executed > 0,
  })
}
