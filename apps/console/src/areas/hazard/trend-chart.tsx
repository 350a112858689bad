import type { Analysis } from '@linewarden/contract'
import { trendHeight, trendOption, trendSides } from '@linewarden/contract'
import { availabilityTarget } from '@linewarden/rules/hazard'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useNarrow } from '../../ui/use-media.ts'
import { useSteady } from '../../ui/use-steady.ts'
import { useWidth } from '../../ui/use-width.ts'
import type { Chart } from '../history/echarts.ts'
import { makeChart } from '../history/echarts.ts'
import { hatchOf } from '../history/hatch.ts'
import { useThemeCount } from '../history/use-theme-count.ts'
import { percent } from './figures.ts'

/** The days as a picture; what it shows stands in a table beside it. `onDay`: over which day the pointer is. */
export function TrendChart(props: {
  days: Analysis['Days']
  changed: readonly number[]
  label: string
  onDay: (place: number | null) => void
  onOpen: (place: number) => void
}) {
  const { days, changed, label } = props
  const { t } = useTranslation('analysis')
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<Chart | null>(null)
  const narrow = useNarrow()
  const width = useWidth(box)
  const theme = useThemeCount()
  const onDay = useSteady(props.onDay)
  const onOpen = useSteady(props.onOpen)

  useEffect(() => {
    if (!box.current) return
    const made = makeChart(box.current)
    chart.current = made
    return () => {
      made.dispose()
      chart.current = null
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    if (!box.current || !chart.current || width === 0) return
    const style = getComputedStyle(box.current)
    const token = (name: string) => style.getPropertyValue(name).trim()
    const words = {
      perDay: t('perDay'),
      availability: t('availability'),
      unknown: t('availabilityUnknown'),
      floor: t('floor', { percent: percent(availabilityTarget, 0) }),
    }
    chart.current.resize({ width, height: trendHeight })
    chart.current.setOption(trendOption({ days, changed, width, narrow, token, hatch: hatchOf(token), words }), {
      notMerge: true,
    })
  }, [days, changed, width, narrow, theme, t])

  const placeAt = (clientX: number): number | null => {
    const { left, right } = trendSides(narrow)
    const x = clientX - (box.current?.getBoundingClientRect().left ?? 0) - left
    const place = Math.floor((x / Math.max(1, width - left - right)) * days.length)
    return place >= 0 && place < days.length ? place : null
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the table below has the same links
    // biome-ignore lint/a11y/noStaticElementInteractions: it is a picture, and answers the pointer only
    <div
      className="trend"
      onPointerMove={(event) => onDay(placeAt(event.clientX))}
      onPointerLeave={() => onDay(null)}
      onClick={(event) => {
        const place = placeAt(event.clientX)
        if (place !== null) onOpen(place)
      }}
    >
      <div ref={box} className="canvas" role="img" aria-label={label} style={{ height: trendHeight }} />
    </div>
  )
}
