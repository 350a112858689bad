import { graphic } from 'echarts/core'
import type { Pen } from './trace.ts'

/** How a trace is drawn. The chart copies a shape's lists and functions one by one, and takes what stands in an object as it is. */
export interface TraceShape {
  readonly trace: { readonly draw: (pen: Pen) => void }
}

const Trace = graphic.extendShape({
  type: 'trace',
  shape: { trace: { draw: () => {} } },
  buildPath: (pen: Pen, { trace }: TraceShape) => trace.draw(pen),
})

/** Makes `trace` a shape that the picture's own series may ask for. */
export function registerTrace(): void {
  graphic.registerShape('trace', Trace)
}
