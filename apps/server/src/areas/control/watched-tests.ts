import { endsSupervision } from '@linewarden/rules/control'
import type { Committed, StateReport } from '../../plant/hub.ts'
import type { PlantLine } from '../../plant/plant.ts'

export type WatchedTests = ReturnType<typeof watchTests>

interface Watch {
  readonly commandId: string
  /** When its trip time was reported. What is reported later by some seconds says how the line stands after it. */
  measuredAt: number | null
}

/**
 * Leakage self-tests whose line was watched since they were sent: in one session of its gateway and its device, with nothing lost, late or
 * unreadable, and without being reported open. Of such a line "closed" says that it never opened, however late it is reported. After a restart of
 * the server nothing is watched: what happened while it was away nobody saw.
 */
export function watchTests() {
  const watched = new Map<PlantLine, Watch>()

  return {
    /** A newer test of the line ends the watch of the one before: an opening could be of either. */
    begin: (commandId: string, line: PlantLine): void => void watched.set(line, { commandId, measuredAt: null }),
    /** It reported its trip time; the first counts. */
    measured(commandId: string, line: PlantLine, at: number): void {
      const watch = watched.get(line)
      if (watch?.commandId === commandId) watch.measuredAt ??= at
    },
    end(commandId: string, line: PlantLine): void {
      if (watched.get(line)?.commandId === commandId) watched.delete(line)
    },
    /** When it reported its trip time, of a test that is watched. */
    measuredAt(commandId: string, line: PlantLine): number | null {
      const watch = watched.get(line)
      return watch?.commandId === commandId ? watch.measuredAt : null
    },
    /** Watched tests of these lines. */
    of(lines: readonly PlantLine[]): readonly (Watch & { line: PlantLine })[] {
      if (watched.size === 0) return []
      return lines.flatMap((line) => {
        const watch = watched.get(line)
        return watch ? { ...watch, line } : []
      })
    },
    /** Where something may have been missed. Answers the tests that are watched no longer. */
    evidenceIn({ positionInvalidated }: Committed): readonly string[] {
      const lost = (line: PlantLine) =>
        line.device.gateway.disabled || [line, line.device, line.device.gateway].some((each) => positionInvalidated?.has(each))
      return [...watched.keys()].flatMap((line) => (lost(line) ? forget(line) : []))
    },
    /** A line that was reported open, or reported anew by a birth. */
    saw: (report: StateReport): readonly string[] => (endsSupervision(report) ? forget(report.line) : []),
  }

  function forget(line: PlantLine): readonly string[] {
    const watch = watched.get(line)
    watched.delete(line)
    return watch ? [watch.commandId] : []
  }
}
