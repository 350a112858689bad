import type { Logger } from 'pino'

/** One thing of a turn after the other, so that two facts never fold one order at once. What fails is logged and stops nothing that follows. */
export function createTurns(log: Logger) {
  const turns = new Map<string, Promise<unknown>>()

  return {
    inTurn<T>(turn: string, work: () => Promise<T>): Promise<T | undefined> {
      const next = (turns.get(turn) ?? Promise.resolve())
        .then(work)
        .catch((error) => {
          log.error({ err: error }, 'a step of an order failed; it is taken up again with the next tick')
          return undefined
        })
        .finally(() => {
          if (turns.get(turn) === next) turns.delete(turn)
        })
      turns.set(turn, next)
      return next
    },
    settled: (): Promise<unknown> => Promise.all(turns.values()),
  }
}
