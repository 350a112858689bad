import type { SpawnOptions } from 'node:child_process'

export declare const startMeAgain: number
export declare function supervise(
  program: string,
  args: readonly string[],
  how: {
    readonly options: SpawnOptions
    readonly signals: readonly NodeJS.Signals[]
    readonly say: (line: string) => void
    readonly waitMs?: number
    readonly maxWaitMs?: number
    readonly calmMs?: number
  },
): Promise<number>
