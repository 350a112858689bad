import type { LineDetails } from '@linewarden/contract'
import type { Family, Quantity } from '@linewarden/equipment'
import { Quality } from '@linewarden/rules/monitor'
import { LineChart as Lines } from 'echarts/charts'
import { GridComponent, MarkLineComponent, TooltipComponent } from 'echarts/components'
import type { EChartsType } from 'echarts/core'
import * as echarts from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { live } from '../../plant/live-store.ts'
import { QualityLegend } from '../../plant/quality-bars.tsx'
import type { QualityMarks } from '../../plant/quality-marks.ts'
import { qualityMarksOf } from '../../plant/quality-marks.ts'
import { localised } from '../../ui/i18n.ts'
import { serverNow } from '../../ui/use-now.ts'
import type { Sample } from './line-chart-option.ts'
import { optionOf, speaksOf } from './line-chart-option.ts'
import { inOrder, withLive } from './live-samples.ts'
import { useLastReadings, windowMs } from './queries.ts'

echarts.use([Lines, GridComponent, MarkLineComponent, TooltipComponent, LabelLayout, CanvasRenderer])

/** Of fifteen minutes on a picture this wide, less is not seen. */
const redrawMs = 5_000

/** The last fifteen minutes of one quantity: stored values, then what comes live. */
export function LineChart({
  lineRef,
  family,
  settings,
}: {
  lineRef: LineRef
  family: Family
  settings: LineDetails['Settings']
}) {
  const { t } = useTranslation(['monitor', 'app'])
  const { line, device } = lineRef
  const quantities = useMemo(
    () =>
      [...new Set(family.points.map(({ quantity }) => quantity))].filter((each) => each !== 'energy' && each !== 'powerFactor'),
    [family],
  )
  const [quantity, setQuantity] = useState<Quantity>(quantities[0] ?? 'current')
  const readings = useLastReadings(device.ControllerID, line.LineNo)
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType | null>(null)
  const fresh = useRef<readonly Sample[]>([])
  const [qualityMarks, setQualityMarks] = useState<QualityMarks>({ late: [], clock: [] })

  useEffect(() => {
    if (!box.current) return
    const made = echarts.init(box.current)
    chart.current = made
    const resize = new ResizeObserver(() => made.resize())
    resize.observe(box.current)
    return () => {
      resize.disconnect()
      made.dispose()
      chart.current = null
    }
  }, [])

  useEffect(() => {
    const stored: readonly Sample[] = readings.data?.Rows ?? []
    const storedUntil = stored.at(-1)?.[0] ?? 0
    // What was stored by now comes from there.
    fresh.current = fresh.current.filter(([at]) => at > storedUntil)
    const take = (): boolean => {
      const state = live.line(line.LineID)
      if (!state?.At) return false
      const before = fresh.current
      fresh.current = withLive(before, stored, [state.At, state.Values, state.Quality === 'clock' ? Quality.clock : 0])
      return fresh.current !== before
    }
    const draw = () => {
      const since = serverNow() - windowMs
      fresh.current = fresh.current.filter(([at]) => at > since)
      const samples = inOrder(stored, fresh.current)
      const qualityMarks = qualityMarksOf(samples.filter(speaksOf(family, quantity)), readings.data?.BucketMs)
      setQualityMarks((before) => (JSON.stringify(before) === JSON.stringify(qualityMarks) ? before : qualityMarks))
      const words = { late: t('app:backFilled'), clock: t('clockDoubtful') }
      // At its own place: the colours of the phases are those of the line's project.
      const style = getComputedStyle(box.current ?? document.documentElement)
      const token = (name: string) => style.getPropertyValue(name).trim()
      const picture = { family, quantity, settings, samples, qualityMarks, words, token, from: since, to: since + windowMs }
      chart.current?.setOption(optionOf(picture), { notMerge: true, lazyUpdate: true })
    }
    if ((live.line(line.LineID)?.At ?? 0) > storedUntil) take()
    draw()
    const themed = new MutationObserver(draw)
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    // A step of a command moves the line too, but is no new sample.
    const leave = live.subscribeLine(line.LineID, () => {
      if (take()) draw()
    })
    // The time goes on when nothing comes, too: a picture that stands still would look as if the last value were of now.
    const going = setInterval(draw, redrawMs)
    return () => {
      clearInterval(going)
      themed.disconnect()
      leave()
    }
  }, [readings.data, family, quantity, settings, line.LineID, t])

  const empty = readings.data?.Rows.length === 0 && fresh.current.length === 0
  return (
    <section className="part" aria-label={t('last15')}>
      <h3>
        {t('last15')}
        <span className="tabs" role="tablist">
          {quantities.map((each) => (
            <button type="button" role="tab" key={each} aria-selected={each === quantity} onClick={() => setQuantity(each)}>
              {quantityName(family, each)}
            </button>
          ))}
        </span>
      </h3>
      <div className="chart" ref={box} role="img" aria-label={`${t('last15')} ${quantityName(family, quantity)}`} />
      <QualityLegend {...qualityMarks} />
      {/* What comes live is drawn all the same. */}
      {readings.errorUpdateCount > 0 && !readings.data && <Unloaded query={readings} />}
      {empty && <p className="mute">{t('app:noData')}</p>}
    </section>
  )
}

/** The word for a quantity: its point's name without the phase. */
function quantityName(family: Family, quantity: Quantity): string {
  const point = family.points.find((each) => each.quantity === quantity)
  if (!point) return quantity
  return localised(point.label)
    .replace(/^[ABCN][相线]/, '')
    .replace(/ [ABCN]$/, '')
}
