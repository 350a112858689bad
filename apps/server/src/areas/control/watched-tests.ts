import type { Committed, StateReport } from '../../live/hub.ts'
import type { PlantLine } from '../../live/plant.ts'

/**
 * Leakage self-tests whose line was watched since they were sent: in one session of its gateway and its device, without being told open. Of
 * such a line "closed" says that it never opened, however late it is told. After a restart of the server nothing is watched: what happened
 * while it was away nobody saw.
 */
export function watchTests() {
  const watched = new Map<string, PlantLine>()

  return {
    /**
     * Watched tests of lines that have just told values, without a word of their position: equipment that reports what changes says so that it
     * still stands where it stood.
     */
    standingClosed(lines: readonly PlantLine[]): readonly (readonly [commandId: string, line: PlantLine])[] {
      if (watched.size === 0) return []
      const told = new Set(lines)
      return [...watched].filter(([, line]) => told.has(line) && line.states.get('position') === 'closed')
    },
    begin: (commandId: string, line: PlantLine): void => void watched.set(commandId, line),
    end: (commandId: string): void => void watched.delete(commandId),
    has: (commandId: string): boolean => watched.has(commandId),
    /** A session began or ended. */
    heard({ births = [], gateways = [] }: Committed): void {
      const broken = new Set([
        ...births.map(({ gateway }) => gateway),
        ...gateways.filter(({ link, disabled }) => link === 'offline' || disabled),
      ])
      if (broken.size > 0) forget((line) => broken.has(line.device.gateway))
    },
    /** Also when a device was born again while its gateway stayed. */
    saw({ line, state, value, first }: StateReport): void {
      if (state === 'position' && (first || value !== 'closed')) forget((each) => each === line)
    },
  }

  function forget(isOf: (line: PlantLine) => boolean): void {
    for (const [commandId, line] of watched) if (isOf(line)) watched.delete(commandId)
  }
}
