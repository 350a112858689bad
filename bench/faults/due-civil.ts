const minuteMs = 60_000
const formats = new Map<string, Intl.DateTimeFormat>()

export interface Wall {
  readonly date: string
  /** `HH:MM:SS` */
  readonly time: string
}

export function wallOf(timeZone: string, at: number): Wall {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  formats.set(timeZone, format)
  const [date = '', time = ''] = format.format(at).split(' ')
  return { date, time }
}

/** Minute by minute: the first instant of a stretch at which a wall clock shows this time or, where it never does, a later one. */
export function civilTimes(timeZone: string, from: number, to: number): (wall: Wall) => number {
  const minutes: { readonly at: number; readonly wall: string }[] = []
  for (let at = Math.floor(from / minuteMs) * minuteMs; at <= to; at += minuteMs) {
    const { date, time } = wallOf(timeZone, at)
    minutes.push({ at, wall: `${date} ${time.slice(0, 5)}` })
  }
  return ({ date, time }) => {
    const wanted = `${date} ${time.slice(0, 5)}`
    const found = minutes.find(({ wall }) => wall >= wanted)
    if (!found) throw new Error(`${date} ${time} is not in the plan`)
    return found.wall === wanted ? found.at + 1_000 * Number(time.slice(6)) : found.at
  }
}
