/** The clock of a time zone, quick enough for a million rows. */
export interface ZoneClock {
  /** `2026-01-15 08:30:00`, with milliseconds when there are any. */
  text(at: number): string
  /** The moment as if the zone's clock were UTC. */
  local(at: number): number
  /** The moment when the zone's clock shows this; of a time that summer skips, an hour later. */
  moment(local: number): number
}

const quarterMs = 900_000
const dayMs = 86_400_000

/** The offset is asked for once a day, and on days when clocks change once a quarter of an hour: no zone changes it in between. */
export function zoneClock(timeZone: string): ZoneClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const offsetAt = (start: number): number => {
    const parts = new Map(format.formatToParts(start).map(({ type, value }) => [type, Number(value)]))
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) - start
  }
  /** Of a day, NaN when the clocks change in it; of a quarter of an hour of such a day. */
  const known = new Map<string, number>()
  const remembered = (key: string, make: () => number): number => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make()
    known.set(key, made)
    return made
  }
  let day = Number.NaN
  let offset = Number.NaN
  const local = (at: number): number => {
    const own = Math.floor(at / dayMs)
    if (own !== day) {
      day = own
      offset = remembered(`d${own}`, () => {
        const [begins, ends] = [offsetAt(own * dayMs), offsetAt((own + 1) * dayMs)]
        return begins === ends ? begins : Number.NaN
      })
    }
    if (!Number.isNaN(offset)) return at + offset
    const quarter = Math.floor(at / quarterMs)
    return at + remembered(`q${quarter}`, () => offsetAt(quarter * quarterMs))
  }
  return {
    local,
    moment(wanted) {
      // The offset at the guess is the offset at the moment, but for the hours around a change: there the second step finds it.
      const guess = wanted - (local(wanted) - wanted)
      return guess + wanted - local(guess)
    },
    text(at) {
      const [day, time = ''] = new Date(local(at)).toISOString().split('T')
      return `${day} ${time.endsWith('.000Z') ? time.slice(0, 8) : time.slice(0, 12)}`
    },
  }
}
