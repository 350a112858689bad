import type { Committed, StateReport } from '../../plant/hub.ts'
import type { PlantLine } from '../../plant/plant.ts'

interface Watch {
  readonly commandId: string
  /** When its trip time was heard. What is told later by some seconds says how the line stands after it. */
  measuredAt: number | null
}

/**
 * Leakage self-tests whose line was watched since they were sent: in one session of its gateway and its device, with nothing lost, late or
 * unreadable, and without being told open. Of such a line "closed" says that it never opened, however late it is told. After a restart of
 * the server nothing is watched: what happened while it was away nobody saw.
 */
export function watchTests() {
  const watched = new Map<PlantLine, Watch>()

  return {
    /** A newer test of the line ends the watch of the one before: an opening could be of either. */
    begin: (commandId: string, line: PlantLine): void => void watched.set(line, { commandId, measuredAt: null }),
    /** It told its trip time; the first counts. */
    measured(commandId: string, line: PlantLine, at: number): void {
      const watch = watched.get(line)
      if (watch?.commandId === commandId) watch.measuredAt ??= at
    },
    end(commandId: string, line: PlantLine): void {
      if (watched.get(line)?.commandId === commandId) watched.delete(line)
    },
    /** When it told its trip time, of a test that is watched. */
    measuredAt(commandId: string, line: PlantLine): number | null {
      const watch = watched.get(line)
      return watch?.commandId === commandId ? watch.measuredAt : null
    },
    /**
     * Watched tests of lines that have just told values, without a word of their position: equipment that reports what changes says so that it
     * still stands where it stood, if that was told since it was last out of sight.
     */
    standingClosed(
      lines: readonly PlantLine[],
      seesPosition: (line: PlantLine) => boolean,
    ): readonly (Watch & { line: PlantLine })[] {
      if (watched.size === 0) return []
      return lines.flatMap((line) => {
        const watch = watched.get(line)
        return watch && line.states.get('position') === 'closed' && seesPosition(line) ? { ...watch, line } : []
      })
    },
    /** Where something may have been missed. Answers the tests that are watched no longer. */
    heard({ lostSight }: Committed): readonly string[] {
      const lost = (line: PlantLine) =>
        line.device.gateway.disabled || [line, line.device, line.device.gateway].some((each) => lostSight?.has(each))
      return [...watched.keys()].flatMap((line) => (lost(line) ? forget(line) : []))
    },
    /** Also when a device was born again while its gateway stayed. */
    saw: ({ line, state, value, first }: StateReport): readonly string[] =>
      state === 'position' && (first || value !== 'closed') ? forget(line) : [],
  }

  function forget(line: PlantLine): readonly string[] {
    const watch = watched.get(line)
    watched.delete(line)
    return watch ? [watch.commandId] : []
  }
}
