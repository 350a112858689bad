import type { EventRecord, ZoneClock } from '@linewarden/contract'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNarrow, useTall } from '../../ui/use-media.ts'
import { useSteady } from '../../ui/use-steady.ts'
import type { TimeRange } from './address.ts'
import { heightOf, sidesOf } from './chart-option.ts'
import { MovingPicture } from './moving-picture.ts'
import type { Panel } from './panels.ts'
import { Readout } from './readout.tsx'
import { useThemeCount } from './use-theme-count.ts'

/** The panels on one time axis with one cursor. */
export function HistoryChart(props: {
  panels: readonly Panel[]
  events: readonly EventRecord[]
  zone: ZoneClock
  range: TimeRange
  previousMs: number
  onRange: (range: TimeRange) => void
}) {
  const { panels, events, zone, range, previousMs, onRange } = props
  const { t } = useTranslation(['history', 'app'])
  const narrow = useNarrow()
  const tall = useTall()
  const theme = useThemeCount()
  const box = useRef<HTMLDivElement>(null)
  const picture = useRef<MovingPicture | null>(null)
  const [cursor, setCursor] = useState<number | null>(null)
  const [first] = useState(range)
  const commit = useSteady(onRange)

  useEffect(() => {
    if (!box.current) return
    const made = new MovingPicture(box.current, first, { onMove: () => setCursor(null), onRest: commit })
    picture.current = made
    return () => {
      made.dispose()
      picture.current = null
    }
  }, [first, commit])

  const height = heightOf(panels.length, { narrow, tall })
  useLayoutEffect(() => picture.current?.setRange(range), [range])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    picture.current?.draw({ panels, events, zone, previousMs, narrow, tall, words: { late: t('app:backFilled') } }, height)
  }, [panels, events, zone, previousMs, narrow, tall, theme, height, t])
  // Until the answer is there, the picture that is there moves along.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the picture has the range by now
  useEffect(() => picture.current?.moveAxes(), [range])

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
