/** x and y by turns, on a field of 1,000 by 500. */
export type Strokes = readonly (readonly number[])[]

export const [width, height] = [1_000, 500]
const maxStrokes = 60
const maxNumbers = 800
/** Nearer than this to the point before it is the same point. */
const minStep = 6

const within = (value: number, most: number): number => Math.min(most, Math.max(0, Math.round(value)))

/** The strokes with one more point; `begins`: of a new stroke. What no longer fits is left out. */
export function drawn(strokes: Strokes, x: number, y: number, begins: boolean): Strokes {
  const point = [within(x, width), within(y, height)]
  if (begins) return strokes.length >= maxStrokes ? strokes : [...strokes, point]
  const last = strokes.at(-1)
  const [lastX = 0, lastY = 0] = last?.slice(-2) ?? []
  if (!last || last.length >= maxNumbers) return strokes
  if (Math.hypot((point[0] ?? 0) - lastX, (point[1] ?? 0) - lastY) < minStep) return strokes
  return strokes.with(-1, [...last, ...point])
}
