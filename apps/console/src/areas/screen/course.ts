import type { LoadQuarterRow } from '@linewarden/contract'

/** A quarter of a day by the clock, with what was drawn in it. */
export interface CoursePoint {
  /** 0 to 24. */
  readonly hour: number
  readonly kw: number | null
}

/** Quarters by the dates of a project’s clock. What is missing stays missing. */
export function courseOf(rows: readonly LoadQuarterRow[], timeZone: string): ReadonlyMap<string, readonly CoursePoint[]> {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  const found = new Map<string, CoursePoint[]>()
  for (const { At, KW } of rows) {
    const [day = '', clock = ''] = format.format(At).split(' ')
    const [hours = 0, minutes = 0] = clock.split(':').map(Number)
    const points = found.get(day) ?? []
    found.set(day, points)
    points.push({ hour: hours + minutes / 60, kw: KW })
  }
  return found
}

/** A round number above all of them. */
export function axisOf(points: readonly CoursePoint[]): number {
  const most = Math.max(1, ...points.flatMap(({ kw }) => kw ?? []))
  const power = 10 ** Math.floor(Math.log10(most))
  return [1, 2, 4, 5, 10].map((each) => each * power).find((each) => each >= most) ?? 10 * power
}

/** The line through what is known, broken where nothing is, and the area below it. */
export function pathsOf(
  points: readonly CoursePoint[],
  { width, height, top }: { readonly width: number; readonly height: number; readonly top: number },
): { readonly line: string; readonly area: string } {
  const place = (hour: number, kw: number) => `${((width * hour) / 24).toFixed(1)} ${(height - (height * kw) / top).toFixed(1)}`
  const runs: CoursePoint[][] = []
  let run: CoursePoint[] | null = null
  for (const point of points) {
    if (point.kw === null) run = null
    else if (run) run.push(point)
    else {
      run = [point]
      runs.push(run)
    }
  }
  const lines = runs.map((each) => each.map(({ hour, kw }) => place(hour + 0.125, kw ?? 0)).join('L'))
  const area = runs.map((each, at) => {
    const [first, last] = [each[0]?.hour ?? 0, each.at(-1)?.hour ?? 0]
    return `M${place(first + 0.125, 0)}L${lines[at]}L${place(last + 0.125, 0)}Z`
  })
  return { line: lines.map((each) => `M${each}`).join(''), area: area.join('') }
}
