import type { HistoryPoint, HistorySeries, ZoneClock } from '@linewarden/contract'
import { dayMs, hourMs, quantityLabels } from '@linewarden/equipment'
import { Suspense, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../app/net/lazy-part.tsx'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useShown } from '../../app/net/use-failure.ts'
import { Empty, Loading } from '../../ui/body-state.tsx'
import { localised } from '../../ui/i18n.ts'
import type { TimeRange } from './address.ts'
import { HistoryTable } from './history-table.tsx'
import { Legend } from './legend.tsx'
import type { Panel } from './panels.ts'
import { linesWithLimits, panelsOf } from './panels.ts'
import { useHistory, useSettings } from './queries.ts'
import type { ChosenPoint } from './subject.ts'

// The table and the choice are there before the picture's library, which is three times as heavy as the page.
const fetchChart = () => import('./history-chart.tsx')
const HistoryChart = lazyPart(async () => (await fetchChart()).HistoryChart)

/** Picture and table of what was chosen. */
export function View(props: {
  chosen: readonly ChosenPoint[]
  points: readonly HistoryPoint[]
  range: TimeRange
  width: number
  compare: boolean
  zone: ZoneClock
  zoneName: string
  onRange: (range: TimeRange) => void
}) {
  const { chosen, points, range, width, compare, zone, zoneName, onRange } = props
  const { t } = useTranslation(['history', 'app'])
  const query = useHistory(points, range, width, compare)
  const data = useShown(query)
  const { isPlaceholderData } = query
  const lines = useMemo(() => linesWithLimits(chosen), [chosen])
  const settings = useSettings(lines)
  const panels = useMemo(() => (data ? panelsOf(chosen, data.Series, data.Previous, settings) : []), [chosen, data, settings])
  // It comes while the answer is on its way, and not after it. That it fails is told where the picture is to stand.
  useEffect(() => {
    fetchChart().catch(() => {})
  }, [])
  if (!data) return <Unloaded query={query} />
  const isEmpty =
    data.Series.every(({ Value }) => Value.every((each) => each === null)) && data.Previous.every(({ At }) => At.length === 0)
  return (
    <>
      <Unloaded query={query} />
      <section className="panel" aria-busy={isPlaceholderData}>
        <header>
          <h2>{quantitiesOf(panels)}</h2>
          <small>{resolutionOf(panels)}</small>
          {isPlaceholderData && (
            <small className="busy" role="status">
              {t('refreshing')}
            </small>
          )}
          <span className="grow" />
          <Legend panels={panels} events={data.Events.length > 0} compare={compare} />
        </header>
        <Suspense fallback={<Loading />}>
          <HistoryChart
            panels={panels}
            events={data.Events}
            zone={zone}
            range={range}
            previousMs={data.To - data.From}
            onRange={onRange}
          />
        </Suspense>
        {isEmpty && !isPlaceholderData && <Empty title={t('app:noData')} hint={t('noDataHint')} />}
        {data.EventsTotal > data.Events.length && (
          <p className="mute note">{t('eventsCut', { total: data.EventsTotal, shown: data.Events.length })}</p>
        )}
      </section>
      {!isEmpty && (
        <HistoryTable panels={panels} events={data.Events} zone={zone} zoneName={zoneName} previousMs={data.To - data.From} />
      )}
    </>
  )

  function quantitiesOf(shown: readonly Panel[]): string {
    return shown.map(({ quantity }) => localised(quantityLabels[quantity])).join(' · ')
  }

  function resolutionOf(shown: readonly Panel[]): string {
    const all = shown.flatMap(({ drawn }) => drawn)
    const measured = all.find(({ chosen: { point } }) => point.quantity !== 'energy')?.series
    const energy = all.find(({ chosen: { point } }) => point.quantity === 'energy')?.series
    return [
      measured && (measured.BucketMs === 0 ? t('raw') : t('bands', { width: widthText(measured) })),
      energy && t('barsOnly', { width: widthText(energy) }),
    ]
      .filter((each) => each !== undefined)
      .join(localised({ zh: '；', en: '; ' }))
  }

  function widthText({ BucketMs }: HistorySeries): string {
    const units = [
      ['days', dayMs],
      ['hours', hourMs],
      ['minutes', 60_000],
      ['seconds', 1_000],
    ] as const
    for (const [unit, ms] of units) if (BucketMs % ms === 0) return t(`app:${unit}`, { count: BucketMs / ms })
    return ''
  }
}
