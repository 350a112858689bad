import type { EventRecord, ZoneClock } from '@linewarden/contract'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNarrow, useTall } from '../../ui/use-media.ts'
import type { TimeRange } from './address.ts'
import { heightOf, optionOf, sidesOf } from './chart-option.ts'
import type { Chart } from './echarts.ts'
import { hatchOf, makeChart } from './echarts.ts'
import { followGestures } from './gestures.ts'
import type { Panel } from './panels.ts'
import { Readout } from './readout.tsx'

/** A range is asked for when the hand has rested this long. */
const settleMs = 200

/** The time axes that are drawn, one below the other. */
interface Axes {
  readonly count: number
  range: TimeRange
}

/** In the next frame: so the answer is asked for first, and of several moves only the last is drawn. */
function moveAxes(chart: Chart, axes: Axes, zone: ZoneClock, range: TimeRange): void {
  if (axes.range.from === range.from && axes.range.to === range.to) return
  axes.range = range
  const x = { min: zone.local(range.from), max: zone.local(range.to) }
  chart.setOption({ xAxis: Array.from({ length: axes.count }, () => x) }, { lazyUpdate: true })
}

/** The panels on one time axis with one cursor. While a range is being chosen the picture that is there moves along. */
export function HistoryChart(props: {
  panels: readonly Panel[]
  events: readonly EventRecord[]
  zone: ZoneClock
  range: TimeRange
  previousMs: number
  onRange: (range: TimeRange) => void
}) {
  const { panels, events, zone, range, previousMs, onRange } = props
  const { t } = useTranslation('history')
  const narrow = useNarrow()
  const tall = useTall()
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<Chart | null>(null)
  const shown = useRef(range)
  const [cursor, setCursor] = useState<number | null>(null)
  const [theme, setTheme] = useState(0)
  const axes = useRef<Axes>({ count: 0, range })
  const zoneNow = useRef(zone)
  zoneNow.current = zone
  const commit = useRef(onRange)
  commit.current = onRange

  useEffect(() => {
    const element = box.current
    if (!element) return
    const made = makeChart(element)
    chart.current = made
    // It also tells of the size that the picture was made with: then there is nothing to draw again.
    const resize = new ResizeObserver(() => {
      if (made.getWidth() !== element.clientWidth || made.getHeight() !== element.clientHeight) made.resize()
    })
    resize.observe(element)
    const themed = new MutationObserver(() => setTheme((count) => count + 1))
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    const phone = matchMedia('(max-width: 760px)')
    let settle: ReturnType<typeof setTimeout> | undefined
    const leave = followGestures(element, {
      range: () => shown.current,
      area: () => {
        const { left, right } = sidesOf(phone.matches)
        return { left, width: Math.max(1, element.clientWidth - left - right) }
      },
      show(next) {
        shown.current = next
        setCursor(null)
        moveAxes(made, axes.current, zoneNow.current, next)
        clearTimeout(settle)
        settle = setTimeout(() => commit.current(next), settleMs)
      },
    })
    return () => {
      clearTimeout(settle)
      leave()
      resize.disconnect()
      themed.disconnect()
      made.dispose()
      chart.current = null
    }
  }, [])

  const height = heightOf(panels.length, { narrow, tall })
  useLayoutEffect(() => {
    shown.current = range
  }, [range])
  useEffect(() => {
    const made = chart.current
    if (!made || !box.current || theme < 0) return
    const style = getComputedStyle(box.current)
    const token = (name: string) => style.getPropertyValue(name).trim()
    // The box may have grown with the number of panels; its observer tells later.
    if (made.getHeight() !== height) made.resize({ height })
    const picture = {
      panels,
      events,
      zone,
      range: shown.current,
      previousMs,
      narrow,
      tall,
      token,
      hatch: hatchOf(token),
      words: { late: t('late') },
    }
    performance.mark('history-draw')
    const option = optionOf(picture)
    axes.current = { count: option.xAxis.length, range: shown.current }
    made.setOption(option, { notMerge: true })
    performance.measure('history-drawn', 'history-draw')
  }, [panels, events, zone, previousMs, narrow, tall, theme, height, t])
  // Until the answer is there, the picture that is there moves along.
  useEffect(() => {
    if (chart.current) moveAxes(chart.current, axes.current, zoneNow.current, range)
  }, [range])

  const { left, right } = sidesOf(narrow)
  const at = useMemo(() => {
    if (cursor === null || !box.current) return null
    const width = box.current.clientWidth - left - right
    const share = (cursor - left) / width
    return share < 0 || share > 1 ? null : Math.round(range.from + (range.to - range.from) * share)
  }, [cursor, range, left, right])
  return (
    <div
      className="history-chart"
      onPointerMove={(event) => {
        const moving = event.buttons > 0
        setCursor(moving ? null : event.clientX - event.currentTarget.getBoundingClientRect().left)
      }}
      onPointerLeave={() => setCursor(null)}
    >
      <section
        ref={box}
        className="canvas"
        style={{ height }}
        aria-label={t('chart')}
        aria-description={t('chartHelp')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the picture is moved and zoomed by keys.
        tabIndex={0}
      />
      {at !== null && cursor !== null && (
        <>
          <i className="cursor" style={{ left: cursor }} />
          <Readout at={at} panels={panels} events={events} zone={zone} previousMs={previousMs} range={range} left={cursor} />
        </>
      )}
    </div>
  )
}
