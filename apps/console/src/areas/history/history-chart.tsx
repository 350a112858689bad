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
  const axes = useRef(0)
  const zoneNow = useRef(zone)
  zoneNow.current = zone
  const commit = useRef(onRange)
  commit.current = onRange

  useEffect(() => {
    const element = box.current
    if (!element) return
    const made = makeChart(element)
    chart.current = made
    const resize = new ResizeObserver(() => made.resize())
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
        const x = { min: zoneNow.current.local(next.from), max: zoneNow.current.local(next.to) }
        made.setOption({ xAxis: Array.from({ length: axes.current }, () => x) })
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
      range,
      previousMs,
      narrow,
      tall,
      token,
      hatch: hatchOf(token),
      words: { late: t('late') },
    }
    performance.mark('history-draw')
    const option = optionOf(picture)
    axes.current = option.xAxis.length
    made.setOption(option, { notMerge: true })
    performance.measure('history-drawn', 'history-draw')
  }, [panels, events, zone, range, previousMs, narrow, tall, theme, height, t])

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
