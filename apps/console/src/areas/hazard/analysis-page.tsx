import type { Analysis } from '@linewarden/contract'
import { analyseAlarms } from '@linewarden/contract'
import { changeOf } from '@linewarden/rules/hazard'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import { crumbOf } from '../../plant/crumb.ts'
import { useTree } from '../../plant/queries.ts'
import { useSelection } from '../../plant/selection.ts'
import { Empty } from '../../ui/body-state.tsx'
import { dayTime } from '../../ui/format.ts'
import { addTexts, localised } from '../../ui/i18n.ts'
import { Page } from '../../ui/page.tsx'
import { serverNow } from '../../ui/use-now.ts'
import type { AnalysisAddress } from './address.ts'
import { askedOf, isFiltered } from './address.ts'
import { AnalysisFilters } from './analysis-filters.tsx'
import { AnalysisTools } from './analysis-tools.tsx'
import { ChatterPanel, FloodPanel, LongActivePanel, QuietPanel, ResponsePanel, SuppressedPanel } from './detail-panels.tsx'
import { changePercent, count, percent } from './figures.ts'
import { FrequentPanel } from './frequent-panel.tsx'
import { HoursPanel } from './hours-panel.tsx'
import { daysIn } from './links.ts'
import { analysis } from './texts.ts'
import { TrendPanel } from './trend-panel.tsx'
import { useAnalysisAddress } from './use-analysis-address.ts'
import { VerdictStrip } from './verdict-strip.tsx'
import './analysis-page.css'
import './analysis-panels.css'
import './analysis-print.css'

addTexts({ analysis })

/** Is the alarm system itself any good? Against EEMUA 191, ISA-18.2 and IEC 62682; place, range and filters stand in the address. */
export function AnalysisPage() {
  const { t } = useTranslation('analysis')
  const [address, change] = useAnalysisAddress()
  const [selection] = useSelection()
  const [opened] = useState(serverNow)
  const asked = useMemo(() => askedOf(address, selection, opened), [address, selection, opened])
  const query = useCall(analyseAlarms, { body: asked }, { placeholderData: keepPreviousData })
  const data = useShown(query)
  const groups = useTree().data?.Groups ?? []
  const lines = data && t('lines', { count: data.Lines.All })
  const crumb = [crumbOf(selection, groups, []), lines].filter(Boolean).join(' · ')
  return (
    <Page title={t('title')} crumb={crumb} tools={<AnalysisTools address={address} asked={asked} change={change} />}>
      <AnalysisFilters address={address} data={data} change={change} />
      <div className={query.isFetching && data ? 'analysis waiting' : 'analysis'} aria-busy={query.isFetching}>
        <Unloaded query={query} />
        {data && <SheetHead data={data} place={crumbOf(selection, groups, []) ?? t('allPlaces')} address={address} />}
        {data && <Body data={data} address={address} change={change} />}
      </div>
    </Page>
  )
}

/** On paper only: of what, of when and as of when the sheet is. */
function SheetHead({ data, place, address }: { data: Analysis; place: string; address: AnalysisAddress }) {
  const { t } = useTranslation('analysis')
  const { from, to } = daysIn(data)
  const nameOf = (key: string) => data.Frequent.Keys.find(({ Key }) => Key === key)?.Label
  const filters = [
    ...address.kinds.map((each) => t(`kinds.${each}`)),
    ...address.priorities.map((each) => t(`priorities.${each}`)),
    ...address.keys.map((each) => localised(nameOf(each) ?? { zh: each, en: each })),
  ]
  return (
    <p className="sheet-head">
      <b>
        {place} · {from} – {to}
      </b>
      <span>{[t('lines', { count: data.Lines.All }), ...filters].join(' · ')}</span>
      <span>{t('asOf', { time: dayTime(data.AsOf) })}</span>
    </p>
  )
}

interface BodyProps {
  readonly data: Analysis
  readonly address: AnalysisAddress
  readonly change: (values: Readonly<Record<string, string>>) => void
}

function Body({ data, address, change }: BodyProps) {
  const { t } = useTranslation('analysis')
  const isEmpty = data.Total.Announced === 0 && data.Total.Raised === 0
  return (
    <>
      {data.Counting && <p className="note-line">{t('counting')}</p>}
      {data.OtherZones && <p className="note-line">{t('otherZones', { zone: data.TimeZone })}</p>}
      {isEmpty ? (
        <Nothing data={data} filtered={isFiltered(address)} change={change} />
      ) : (
        <VerdictStrip data={data} address={address} />
      )}
      <div className="panels">
        <TrendPanel data={data} address={address} sums={sumsOf(data, t)} />
        {!isEmpty && (
          <>
            <FrequentPanel data={data} address={address} change={change} />
            <HoursPanel data={data} address={address} />
            <FloodPanel data={data} address={address} />
            <LongActivePanel data={data} address={address} />
            <ResponsePanel data={data} address={address} />
            <ChatterPanel data={data} address={address} />
          </>
        )}
        <SuppressedPanel data={data} address={address} />
        <QuietPanel data={data} />
      </div>
      <p className="sources">
        <span>{t('targets')}</span>
        <span>{t('zone', { zone: data.TimeZone })}</span>
      </p>
    </>
  )
}

/** Silence is good only with data: availability stands beside it. */
function Nothing({ data, filtered, change }: { data: Analysis; filtered: boolean; change: BodyProps['change'] }) {
  const { t } = useTranslation(['analysis', 'app'])
  const { All, Availability, Quiet, QuietWithReadings } = data.Lines
  if (filtered)
    return (
      <Empty
        title={t('emptyFiltered')}
        action={{ label: t('app:clearFilters'), run: () => change({ kinds: '', priorities: '', keys: '' }) }}
      />
    )
  return (
    <Empty
      title={
        Availability === null
          ? t('emptyUnknown', { count: All })
          : t('emptyTitle', { count: All, percent: percent(Availability) })
      }
      hint={t('emptyHint', { known: QuietWithReadings, blind: Quiet - QuietWithReadings })}
    />
  )
}

type Translate = ReturnType<typeof useTranslation<'analysis'>>['t']

function sumsOf({ Total, Before }: Analysis, t: Translate): string {
  if (!Before) return t('trendTotal', { n: count(Total.Announced) })
  const change = changeOf(Total.Announced, Before.Announced)
  const sums = t('trendBefore', { n: count(Total.Announced), before: count(Before.Announced) })
  return change === null ? sums : `${sums}, ${changePercent(change)}`
}
