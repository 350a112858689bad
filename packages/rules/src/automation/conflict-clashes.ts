import { minuteMs } from '@linewarden/equipment'
import type { Conflict, PlannedTimer } from './conflict.ts'
import { actionOn } from './conflict.ts'
import type { TimerAction } from './timer.ts'

/** Two actions on a line nearer than this are one moment to whoever stands there. */
const nearMs = minuteMs
const wordBits = 32

interface Moment {
  readonly at: number
  /** Index of the timer. */
  readonly timer: number
  readonly action: TimerAction
}

/**
 * Opposite and equal actions on one line within a minute, one conflict of each kind for two timers, at its first instant. A sweep over all
 * moments; whether two timers share a line is asked once, of bit sets.
 */
export function clashes(timers: readonly PlannedTimer[]): readonly Conflict[] {
  const { lineSets, names } = bitSetsOf(timers)
  const moments: Moment[] = timers
    .flatMap(({ due }, timer) => due.flatMap(({ at, action }) => (action === 'test' ? [] : [{ at, timer, action }])))
    .sort((one, other) => one.at - other.at)
  const found = { fight: [] as Conflict[], duplicate: [] as Conflict[] }
  /** By pair one bit for what both do: these were compared. */
  const compared = new Uint16Array(timers.length ** 2)
  let first = 0
  for (let index = 0; index < moments.length; index++) {
    const later = moments[index]!
    while (later.at - moments[first]!.at >= nearMs) first++
    for (let before = first; before < index; before++) {
      const earlier = moments[before]!
      const pair = earlier.timer * timers.length + later.timer
      const bit = 1 << (code[earlier.action] * 3 + code[later.action])
      if ((compared[pair]! & bit) !== 0) continue
      compared[pair]! |= bit
      const line = sharedLine(lineSets[earlier.timer]!, lineSets[later.timer]!)
      if (line === -1) continue
      const [one, other] = [timers[earlier.timer]!, timers[later.timer]!]
      for (const [key, at] of sharedActions(one, earlier.action, other, later.action, names[line]!))
        if (found[key].length < maxClashes)
          found[key].push({
            key,
            timerId: other.timerId,
            with: { kind: 'timer', id: one.timerId },
            line: at,
            at: later.at,
            figure: null,
          })
    }
  }
  return [...firstOfPairs(found.fight), ...firstOfPairs(found.duplicate)]
}

/** More of one kind are not read by anybody: the first of them are changed before the rest is asked for again. */
const maxClashes = 1_000

const code = { trip: 0, close: 1, run: 2, test: 0 } as const satisfies Record<TimerAction, number>

/** A line on which both act, for each kind of clash; `shared` is one of both. */
function sharedActions(
  one: PlannedTimer,
  first: TimerAction,
  other: PlannedTimer,
  second: TimerAction,
  shared: string,
): ReadonlyMap<'fight' | 'duplicate', string> {
  // What is no scene does the same to each line.
  if (first !== 'run' && second !== 'run') return new Map([[first === second ? 'duplicate' : 'fight', shared]])
  const made = new Map<'fight' | 'duplicate', string>()
  const lines = new Set(other.lines)
  for (const line of one.lines) {
    if (!lines.has(line)) continue
    const [does, also] = [actionOn(one, first, line), actionOn(other, second, line)]
    if (does === null || also === null) continue
    const key = does === also ? 'duplicate' : 'fight'
    if (!made.has(key)) made.set(key, line)
  }
  return made
}

/** Two timers that clash both ways round are one conflict. */
function firstOfPairs(clashing: readonly Conflict[]): readonly Conflict[] {
  const seen = new Set<string>()
  return clashing.filter(({ timerId, with: side }) => {
    const otherId = side?.kind === 'timer' ? side.id : timerId
    const pair = `${Math.min(timerId, otherId)} ${Math.max(timerId, otherId)}`
    const isNew = !seen.has(pair)
    seen.add(pair)
    return isNew
  })
}

function bitSetsOf(timers: readonly PlannedTimer[]) {
  const names = [...new Set(timers.flatMap(({ lines }) => lines))]
  const numbers = new Map(names.map((line, number) => [line, number]))
  const lineSets = timers.map(({ lines }) => {
    const set = new Uint32Array(Math.ceil(names.length / wordBits))
    for (const line of lines) {
      const number = numbers.get(line) ?? 0
      set[number >>> 5]! |= 1 << (number & 31)
    }
    return set
  })
  return { lineSets, names }
}

/** The number of the first line of both; -1: they share none. */
function sharedLine(one: Uint32Array, other: Uint32Array): number {
  for (let word = 0; word < one.length; word++) {
    const both = one[word]! & other[word]!
    if (both !== 0) return word * wordBits + 31 - Math.clz32(both & -both)
  }
  return -1
}
