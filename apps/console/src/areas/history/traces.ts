import type { HistorySeries } from '@linewarden/contract'
import type { CustomSeriesOption } from 'echarts/charts'
import type { Drawn, Panel } from './panels.ts'
import type { Picture } from './picture.ts'
import { labelSize } from './picture.ts'
import type { Pen, Plane } from './trace.ts'
import { endOfLine, traceBand, traceLine } from './trace.ts'
import type { TraceShape } from './trace-shape.ts'

type Rendering = Parameters<NonNullable<CustomSeriesOption['renderItem']>>

/** The panel that is drawn in, in pixels of the picture. */
interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** What is drawn of one point, its times already by the zone's clock: a gesture draws it again and again. */
interface Traced {
  readonly drawn: Drawn
  readonly at: Float64Array
  readonly previousAt: Float64Array
  readonly isBars: boolean
}

/**
 * The lines and bands of a panel, one row for each point. They are drawn from the answer as it came: it is not copied into the chart's own
 * storage, and what falls on one pixel is sorted out while it is drawn, for the range that is in sight.
 */
export function tracesOf(picture: Picture, panel: Panel, place: object): object {
  const { zone, range, previousMs } = picture
  const isBars = panel.quantity === 'energy'
  const traced = panel.drawn.map((drawn): Traced => {
    const { series, previous } = drawn
    return {
      drawn,
      at: timesOf(series, zone.local),
      previousAt: previous ? timesOf(previous, (at) => zone.local(at + previousMs)) : new Float64Array(),
      isBars,
    }
  })
  const [from, to] = [zone.local(range.from), zone.local(range.to)]
  return {
    ...place,
    type: 'custom',
    id: `traces ${panel.quantity}`,
    // Behind the bars of the present period stand the lines of the previous one.
    z: isBars ? 1 : 3,
    silent: true,
    dimensions: ['at', 'least', 'most'],
    encode: { x: 'at', y: ['least', 'most'] },
    // What the value axis must hold.
    data: Float64Array.from(panel.drawn.flatMap((drawn) => [from, ...extentOf(drawn, isBars)])),
    labelLayout: { moveOverlap: 'shiftY' },
    renderItem: (...[{ dataIndex, coordSys }, api]: Rendering) => {
      const each = traced[dataIndex]
      const area = coordSys as unknown as Area
      const [fromX = 0, zeroY = 0] = api.coord([from, 0])
      const [toX = 0, oneY = 0] = api.coord([to, 1])
      const pxPerMs = (toX - fromX) / (to - from)
      const plane: Plane = {
        left: area.x,
        width: area.width,
        from: from - (fromX - area.x) / pxPerMs,
        pxPerMs,
        zeroY,
        pxPerUnit: oneY - zeroY,
        columnsPerPx: devicePixelRatio,
      }
      return each && { type: 'group', children: elementsOf(picture, each, area, plane, panel.drawn.length) }
    },
  }
}

/** A bucket stands in its middle. */
function timesOf({ At, BucketMs }: HistorySeries, local: (at: number) => number): Float64Array {
  const times = new Float64Array(At.length)
  for (let i = 0; i < times.length; i++) times[i] = local((At[i] ?? 0) + BucketMs / 2)
  return times
}

function extentOf({ series, previous }: Drawn, isBars: boolean): [number, number] {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  const include = (values: HistorySeries['Value']) => {
    for (const value of values) {
      if (value === null) continue
      if (value < least) least = value
      if (value > most) most = value
    }
  }
  if (!isBars) for (const values of [series.Value, series.Min, series.Max]) include(values)
  if (previous) include(previous.Value)
  return least <= most ? [least, most] : [Number.NaN, Number.NaN]
}

function elementsOf(picture: Picture, traced: Traced, area: Area, plane: Plane, beside: number): object[] {
  const { token, narrow } = picture
  const { drawn, at, previousAt, isBars } = traced
  const { series, previous, chosen } = drawn
  const colour = token(drawn.colour)
  const trace = (draw: (pen: Pen) => void, z2: number, style: object) => ({
    type: 'trace',
    silent: true,
    z2,
    shape: { trace: { draw } } satisfies TraceShape,
    style: { fill: null, lineJoin: 'bevel', ...style },
    clipPath: { type: 'rect', shape: area },
  })
  const out: object[] = []
  if (previous)
    out.push(
      trace((pen) => traceLine(pen, previousAt, previous.Value, plane), 0, {
        stroke: token('--ghost'),
        lineWidth: 1,
        lineDash: [4, 2],
      }),
    )
  if (isBars) return out
  if (series.Min.length > 0)
    out.push(
      trace((pen) => traceBand(pen, at, series.Min, series.Max, plane), 1, {
        fill: colour,
        opacity: Number(token('--band')) || 0.16,
      }),
    )
  out.push(trace((pen) => traceLine(pen, at, series.Value, plane), 2, { stroke: colour, lineWidth: 1.5 }))
  const xOf = (i: number) => plane.left + ((at[i] ?? 0) - plane.from) * plane.pxPerMs
  const yOf = (i: number) => plane.zeroY + (series.Value[i] ?? 0) * plane.pxPerUnit
  if (at.length < 3)
    for (let i = 0; i < at.length; i++)
      if (series.Value[i] != null)
        out.push({
          type: 'circle',
          silent: true,
          z2: 3,
          shape: { cx: xOf(i), cy: yOf(i), r: 2 },
          style: { fill: colour },
          clipPath: { type: 'rect', shape: area },
        })
  const end = narrow ? null : endOfLine(at, series.Value, plane)
  if (end)
    out.push({
      type: 'rect',
      silent: true,
      shape: { ...end, width: 0, height: 0 },
      textConfig: { position: 'right', distance: 8 },
      textContent: {
        type: 'text',
        style: {
          text: beside > 1 && chosen.point.phase ? chosen.point.phase : chosen.lineRef.line.LineName,
          fill: colour,
          fontSize: labelSize(token),
          width: 84,
          overflow: 'truncate',
        },
      },
    })
  return out
}
